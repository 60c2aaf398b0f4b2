import { z } from 'zod';
import type { Card, CardEdge } from '../contracts/card';
import type { CardFacets } from '../contracts/facets';
import type { CardGraph } from '../contracts/graph';
import {
  CARD_FLAGS,
  CARD_KINDS,
  CARD_STATUSES,
  DISTILLED_BY,
  EDGE_TYPES,
  ERROR_FAMILIES,
  SCOPE_TYPES,
  SIGNS,
  TIERS,
  TRUSTS,
  VIAS,
  VISIBILITIES,
  WRITER_KINDS,
} from '../contracts/names';
import { jsonObjectSchema } from './event';

/** What the routes of cards answer; restated from the wire types for OpenAPI. */

const text = z.string().nullable();

const scope = z.object({ type: z.enum(SCOPE_TYPES), id: z.string() });
const writer = z.object({ kind: z.enum(WRITER_KINDS), id: z.string() });

const hints = z.object({
  service: text,
  operation: text,
  task_type: text,
  workflow: text,
  step: text,
  keywords: z.array(z.string()),
  error_signature: text,
  error_family: z.enum(ERROR_FAMILIES).nullable(),
});

const provenance = z.object({
  event_id: text,
  writer,
  workflow_id: text,
  run_id: text,
  model: text,
  prompt_version: text,
  embedder: text,
  distilled_by: z.enum(DISTILLED_BY),
});

export const cardSchema = z.object({
  id: z.string(),
  kind: z.enum(CARD_KINDS),
  tier: z.enum(TIERS),
  sign: z.enum(SIGNS),
  status: z.enum(CARD_STATUSES),
  summary: z.string(),
  hints,
  key: text,
  subject: text,
  topic: text,
  project: text,
  session: text,
  scope,
  visibility: z.enum(VISIBILITIES),
  importance: z.number().nullable(),
  confidence: z.number(),
  trust: z.enum(TRUSTS),
  valid_from: z.string(),
  valid_to: text,
  recorded_at: z.string(),
  expires_at: text,
  use_count: z.number(),
  last_used_at: text,
  version: z.number(),
  metadata: jsonObjectSchema,
  flags: z.array(z.enum(CARD_FLAGS)),
  provenance,
  superseded_by: z.string().exactOptional(),
}) satisfies z.ZodType<Card>;

/** Why the policy holds back what was just written, where it does: then `status` is `quarantined`. */
export const heldForSchema = z.literal('instruction_like').exactOptional();

/** A repetition of a write whose card is out of sight by then answers with its id. */
export const changedCardSchema = z.union([cardSchema, z.object({ id: z.string() })]);

export const writtenCardSchema = z.union([
  cardSchema.extend({ reason: heldForSchema }),
  z.object({ id: z.string() }),
]);

const cardThen = cardSchema.omit({ use_count: true, last_used_at: true });

export const versionSchema = z.object({
  version: z.number(),
  at: z.string(),
  /** `system` is a pass that nobody asked for, such as the rewriting of a stand-in's card. */
  actor: z.object({ kind: z.enum(WRITER_KINDS), id: z.string() }),
  action: z.string(),
  changed: z.array(z.string()),
  before: cardThen.nullable(),
  after: cardThen,
});

export const edgeSchema = z.object({
  id: z.string(),
  type: z.enum(EDGE_TYPES),
  from: z.string(),
  to: z.string(),
  confidence: z.number(),
  reason: z.string(),
  created_at: z.string(),
}) satisfies z.ZodType<CardEdge>;

export const briefSchema = cardSchema
  .pick({ id: true, kind: true, sign: true, status: true, summary: true })
  .extend({ agent: text });

export const relativeSchema = briefSchema.extend({
  relation: z.enum(['derived_from', 'supersedes']),
  generation: z.number(),
});

export const lineageSchema = z.object({
  sources: z.array(relativeSchema),
  derived: z.array(relativeSchema),
  truncated: z.boolean(),
});

export const readerSchema = z.object({
  agent: text,
  person: text,
  at: z.string(),
  via: z.enum(VIAS),
  surface: z.string(),
  recall_id: text,
});

export const visibleToSchema = z.object({
  agents: z.array(z.object({ agent: z.string(), via: z.enum(VIAS) })),
});

export const grantAnswerSchema = z.object({
  type: z.enum(['explicit', 'agent_group']),
  agent: text,
  group: text,
  purpose: text,
  expires_at: text,
  created_at: z.string(),
});

const facet = z.array(z.object({ value: z.string(), count: z.int() }));

export const facetsSchema = z.object({
  total: z.int(),
  facets: z.object({
    kind: facet,
    sign: facet,
    status: facet,
    scope: facet,
    agent: facet,
    service: facet,
  }),
}) satisfies z.ZodType<CardFacets>;

export const graphSchema = z.object({
  nodes: z.array(
    briefSchema.extend({
      scope,
      service: text,
      valid_from: z.string(),
      recorded_at: z.string(),
      degree: z.int(),
      open_conflict: z.boolean(),
      satisfied: z.boolean(),
    }),
  ),
  edges: z.array(edgeSchema.omit({ reason: true })),
  truncated: z.boolean(),
}) satisfies z.ZodType<CardGraph>;
