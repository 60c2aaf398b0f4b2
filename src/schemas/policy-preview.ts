import { z } from 'zod';
import { CARD_KINDS, EVENT_KINDS, TRUSTS, WRITE_ROUTES } from '../contracts/names';
import { policyPatchSchema } from './policy';

/** What `POST /v1/policy/preview` answers. */

const count = z.int();
const beforeAfter = z.object({ before: count, after: count });
const match = z.object({
  service: z.string().exactOptional(),
  operation: z.string().exactOptional(),
  agent: z.string().exactOptional(),
  kind: z.enum(EVENT_KINDS).exactOptional(),
});
const step = z.object({
  team: z.string(),
  workflow: z.string(),
  step: z.string(),
  failures: count,
});

const rules = <Way extends string>(ways: readonly [Way, ...Way[]]) =>
  z.object({
    moved: z.array(z.object({ from: z.enum(ways), to: z.enum(ways), events: count })),
    rules: z.array(z.object({ index: count, match, to: z.enum(ways), events: count })),
  });

const retention = z.object({
  by_kind: z
    .array(
      z.object({
        kind: z.enum(CARD_KINDS),
        from: z.string().nullable(),
        to: z.string().nullable(),
        past: count,
      }),
    )
    .optional(),
  event_payloads: beforeAfter.optional(),
  forget: beforeAfter.optional(),
});

export const policyPreviewSchema = z.object({
  valid: z.boolean(),
  problems: z.array(z.object({ pointer: z.string(), detail: z.string() })),
  changed: z.array(z.object({ path: z.string(), from: z.unknown(), to: z.unknown() })),
  document: policyPatchSchema.nullable(),
  looked_at: z
    .object({
      since: z.string(),
      until: z.string(),
      events: count,
      events_capped: z.boolean(),
      not_kept: count,
    })
    .nullable(),
  effects: z.object({
    write_rules: rules(WRITE_ROUTES).optional(),
    trust_rules: rules(TRUSTS).optional(),
    instruction_like: beforeAfter.optional(),
    strikes: z.object({ steps: beforeAfter, begin: z.array(step), end: z.array(step) }).optional(),
    contradictions: beforeAfter.optional(),
    urgent_insights: beforeAfter.optional(),
    retention: retention.optional(),
  }),
});
