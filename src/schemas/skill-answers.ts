import { z } from 'zod';
import { ERROR_FAMILIES, PRINCIPAL_KINDS, SCOPE_TYPES } from '../contracts/names';
import {
  REPLAY_REASONS,
  SKILL_SECTIONS,
  SKILL_STATUSES,
  SKILL_TEST_KINDS,
  SKILL_VERSION_STATUSES,
} from '../contracts/skill';
import { heldForSchema } from './card-answers';

/** What the routes of skills answer; restated from the wire types for OpenAPI. */

const text = z.string().nullable();

export const skillEntrySchema = z.object({
  name: z.string(),
  card_id: z.string(),
  version: z.number().nullable(),
  latest_version: z.number(),
  status: z.enum(SKILL_STATUSES),
  description: z.string(),
  scope: z.object({ type: z.enum(SCOPE_TYPES), id: z.string() }),
  deprecated_at: text,
  replaced_by: text,
  created_at: z.string(),
});

export const listedSkillSchema = skillEntrySchema.extend({ score: z.number().optional() });

const replayResult = z.object({
  id: z.string(),
  kind: z.enum(SKILL_TEST_KINDS),
  passed: z.boolean(),
  why: z.enum(REPLAY_REASONS),
  at: text,
});

const testCounts = z.object({
  at: z.string(),
  passed: z.number(),
  failed: z.number(),
  regressions: z.array(z.string()),
});

const writer = z.object({ kind: z.enum([...PRINCIPAL_KINDS, 'system']), id: z.string() });

export const skillSchema = skillEntrySchema.extend({
  version: z.number(),
  version_status: z.enum(SKILL_VERSION_STATUSES),
  current_version: z.number().nullable(),
  document: z.object({
    purpose: z.string(),
    preconditions: z.array(z.string()),
    steps: z.array(
      z.object({
        text: z.string(),
        service: z.string().optional(),
        operation: z.string().optional(),
      }),
    ),
    failure_handling: z.array(
      z.object({
        when: z.string(),
        then: z.string(),
        error_family: z.enum(ERROR_FAMILIES).optional(),
        error_signature: z.string().optional(),
      }),
    ),
    causes: z.array(z.string()),
  }),
  body: z.string(),
  tests: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(SKILL_TEST_KINDS),
      case: z.record(z.string(), z.unknown()).nullable(),
      source_card: text,
      added_at: z.string(),
      passed: z.boolean().nullable(),
    }),
  ),
  test_result: testCounts.extend({ results: z.array(replayResult) }).nullable(),
  provenance: z.object({
    events: z.array(z.string()),
    cards: z.array(z.string()),
    run: text,
    model: text,
    prompt_version: text,
    writer,
  }),
  version_created_at: z.string(),
  reason: heldForSchema,
});

export const skillVersionEntrySchema = z.object({
  version: z.number(),
  status: z.enum(SKILL_VERSION_STATUSES),
  description: z.string(),
  created_at: z.string(),
  writer,
  test_result: testCounts.nullable(),
});

export const skillDiffSchema = z.object({
  name: z.string(),
  from: z.number(),
  to: z.number(),
  sections: z.array(
    z.object({
      section: z.enum(SKILL_SECTIONS),
      before: z.string().optional(),
      after: z.string().optional(),
      added: z.array(z.string()).optional(),
      removed: z.array(z.string()).optional(),
      reordered: z.boolean().optional(),
    }),
  ),
});
