import { z } from 'zod';
import { EVENT_KINDS, INTENTS, OUTCOMES, VIAS } from '../contracts/names';
import { PROPOSAL_STATUSES, PROPOSAL_TYPES } from '../contracts/proposal';
import type { CardStory } from '../contracts/story';
import { briefSchema, cardSchema, edgeSchema, relativeSchema } from './card-answers';
import { RUN_STATUSES } from './run';

const text = z.string().nullable();
const somebody = z.object({ kind: z.string(), id: z.string() });
const span = { first_at: text, last_at: text };

const event = z.object({
  event_id: z.string(),
  kind: z.enum(EVENT_KINDS).nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  agent: z.string(),
  reported_by: somebody,
  occurred_at: text,
  recorded_at: z.string(),
});

const operation = z.object({
  id: z.string(),
  type: z.string(),
  status: z.enum(RUN_STATUSES),
  workflow_id: z.string(),
  run_id: text,
  started_at: text,
  finished_at: text,
});

const version = cardSchema.pick({ version: true, status: true, scope: true }).extend({
  at: z.string(),
  actor: somebody,
  action: z.string(),
  changed: z.array(z.string()),
});

const proposal = z.object({
  id: z.string(),
  type: z.enum(PROPOSAL_TYPES),
  status: z.enum(PROPOSAL_STATUSES),
  version: z.number(),
  created_at: z.string(),
  closed_at: text,
  evidence: z.array(z.string()),
});

const reader = z.object({
  agent: text,
  person: text,
  via: z.enum(VIAS),
  reads: z.number(),
  first_at: z.string(),
  last_at: z.string(),
});

const injection = z.object({
  recall_id: z.string(),
  at: z.string(),
  agent: text,
  person: text,
  session: text,
  intent: z.enum(INTENTS),
  section: z.string(),
  position: z.number(),
  score: z.number(),
  via: z.array(z.enum(VIAS)),
  proven_at: text,
});

export const storySchema = z.object({
  card: briefSchema.extend(
    cardSchema.pick({
      version: true,
      scope: true,
      visibility: true,
      trust: true,
      confidence: true,
    }).shape,
  ),
  why: z.object({
    event: event.nullable(),
    operation: operation.nullable(),
    recorded_at: z.string(),
    written_by: somebody,
    distilled_by: cardSchema.shape.provenance.shape.distilled_by,
    model: text,
    prompt_version: text,
    workflow_id: text,
    run_id: text,
    sources: z.array(relativeSchema),
  }),
  became: z.object({
    superseded_by: briefSchema.nullable(),
    versions: z.array(version),
    edges: z.array(edgeSchema.extend({ other: briefSchema })),
    derived: z.array(relativeSchema),
    proposals: z.array(proposal),
  }),
  seen: z.object({ reads: z.number(), ...span, by: z.array(reader) }),
  injected: z.object({
    recalls: z.number(),
    sessions: z.number(),
    ...span,
    latest: z.array(injection),
  }),
  truncated: z.array(z.enum(['versions', 'edges', 'lineage', 'proposals', 'seen', 'injected'])),
}) satisfies z.ZodType<CardStory>;
