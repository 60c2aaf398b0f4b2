import { z } from 'zod';
import { CARD_KINDS, OUTCOMES } from '../contracts/names';
import { grantSchema, summarySchema, validationSchema } from './card';
import { cardSchema, grantAnswerSchema, heldForSchema } from './card-answers';
import { idSchema, labelSchema } from './event';
import { noteAnswerSchema, writtenNoteSchema } from './notes';
import { recallFiltersSchema, recallSchema } from './recall';
import { skillNameSchema } from './skill';
import { listedSkillSchema, skillSchema } from './skill-answers';

/** Arguments and answers of the MCP tools. What a field may hold is what the route behind it takes. */

const { query, intent, limit } = recallSchema.shape;
const asked = query.describe('What you are about to do, or want to know, in plain words');
const cardId = labelSchema.describe('Id of a card, as the searching tools show it');
const noteKey = idSchema.describe('Name of the note, such as deploy-window');

export const memorySearchInput = z.strictObject({
  query: asked,
  intent: intent.describe(
    'act: about to do it; plan: deciding how or by whom; look_up: wants to know. By the words when left out',
  ),
  limit: limit.describe('Cards at most; 5 unless the policy says otherwise'),
  filters: recallFiltersSchema.optional().describe('Only cards that have all of these'),
});

export const searchMemoriesInput = z.strictObject({
  query: asked,
  limit: limit.describe('Memories at most; 5 unless the policy says otherwise'),
});

export const addMemoryInput = z.strictObject({
  text: summarySchema.describe(
    'What is worth keeping: one fact or lesson in about three sentences, at most 2,000 characters',
  ),
});

const MANAGED = ['save', 'update', 'delete'] as const;
type Managed = Record<'id' | 'text' | 'kind' | 'key', unknown>;

/** What an action has to come with, what may come with it, and what to say where it does not. */
const MANAGING: Readonly<
  Record<
    (typeof MANAGED)[number],
    { needs: (keyof Managed)[]; may: (keyof Managed)[]; wrong: string }
  >
> = {
  save: {
    needs: ['text'],
    may: ['kind', 'key'],
    wrong: 'save takes text, and kind and key if you like; the id is given by Cairn',
  },
  update: {
    needs: ['id'],
    may: ['text', 'kind'],
    wrong: 'update takes the id, and text or kind or both; a key stays as it was saved',
  },
  delete: { needs: ['id'], may: [], wrong: 'delete takes the id and nothing else' },
};

export const memoryManageInput = z
  .strictObject({
    action: z
      .enum(MANAGED)
      .describe(
        'save: a new memory; update: other words for one of your own; delete: gone for all',
      ),
    id: cardId
      .optional()
      .describe('Which memory, as the searching tools show it: for update and delete'),
    text: summarySchema
      .optional()
      .describe('One fact or lesson in about three sentences, at most 2,000 characters'),
    kind: z
      .enum(CARD_KINDS)
      .optional()
      .describe(
        'What it is: knowledge when left out, constraint for a warning, experience for what worked',
      ),
    key: idSchema
      .optional()
      .describe(
        'A name under which only the newest counts: saving again supersedes what stands there',
      ),
  })
  .superRefine(({ action, ...given }, context) => {
    const { needs, may, wrong } = MANAGING[action];
    const named = Object.keys(given).filter((name) => given[name as keyof Managed] !== undefined);
    const isWhole = needs.every((name) => named.includes(name));
    const known: readonly string[] = [...needs, ...may];
    const isChange = action !== 'update' || named.length > 1;
    if (isWhole && isChange && named.every((name) => known.includes(name))) return;
    context.addIssue({ code: 'custom', message: wrong });
  });

export const validateInput = z.strictObject({
  id: cardId,
  verdict: validationSchema.shape.verdict.describe(
    'success: it held when you went by it; wrong: it did not, and is taken out of use',
  ),
});

export const readNoteInput = z.strictObject({ key: noteKey });

export const noteInput = readNoteInput
  .extend({
    value: summarySchema
      .optional()
      .describe('The text to keep; it takes the place of the one before. Left out: reads'),
    delete: z.boolean().optional().describe('true deletes your own note'),
  })
  .refine(
    (args) => args.value === undefined || args.delete !== true,
    'give a value to write or delete: true, not both',
  );

export const readNotesInput = z.strictObject({
  cursor: z
    .string()
    .max(1_000)
    .optional()
    .describe('next_cursor of the answer before, where there are more notes'),
});

export const unshareInput = z.strictObject({
  id: cardId,
  agent: labelSchema.describe('The agent that shall no longer see it'),
});

export const shareInput = z.strictObject({
  id: cardId,
  agent: labelSchema.describe('The one more agent that may see it'),
  purpose: grantSchema.unwrap().unwrap().shape.purpose.describe('What for, for whoever reviews it'),
  expires_at: grantSchema
    .unwrap()
    .unwrap()
    .shape.expires_at.describe('When it ends by itself: RFC 3339 with a zone'),
});

/** As much of a card as an agent works with; the whole card is `GET /v1/cards/{id}`. */
const foundCard = cardSchema
  .pick({
    id: true,
    kind: true,
    sign: true,
    status: true,
    summary: true,
    key: true,
    subject: true,
    trust: true,
    confidence: true,
    flags: true,
    valid_from: true,
    recorded_at: true,
    version: true,
    metadata: true,
  })
  .extend({
    service: z.string().nullable(),
    operation: z.string().nullable(),
    score: z.number(),
    via: z.string(),
    resolved_by: z.array(z.string()).optional(),
    folded: z.object({ count: z.int(), last_at: z.string() }).optional(),
    outdated: z
      .object({ field: z.string(), value: z.string(), since: z.string(), by: z.string() })
      .optional(),
  });

export const memorySearchOutput = z.object({
  recall_id: z.string(),
  context_version: z.string(),
  degraded: z.array(z.string()).optional(),
  intent: z.string(),
  context: z.string().describe('Ready for a prompt; empty when nothing was found'),
  sections: z.array(z.object({ name: z.string(), title: z.string(), cards: z.array(z.string()) })),
  cards: z.array(foundCard),
});

/** In the shape of mem0: `user_id` is the subject, `run_id` the session. */
const memory = z.object({
  id: z.string(),
  memory: z.string(),
  score: z.number(),
  created_at: z.string(),
  user_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  run_id: z.string().nullable(),
  metadata: cardSchema.shape.metadata,
});

export const searchMemoriesOutput = z.object({ results: z.array(memory) });

export const addMemoryOutput = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      memory: z.string().nullable(),
      event: z.literal('ADD'),
      status: cardSchema.shape.status.optional(),
      reason: heldForSchema,
    }),
  ),
});

/** A repetition under an `Idempotency-Key`, whose card is out of sight by then, has nulls. */
const managed = {
  memory: z.string().nullable(),
  kind: cardSchema.shape.kind.nullable(),
  key: z.string().nullable(),
  status: cardSchema.shape.status.nullable(),
  version: z.number().nullable(),
};

export const memoryManageOutput = z.object({
  action: z.enum(['saved', 'updated', 'deleted']),
  id: z.string(),
  ...managed,
  reason: heldForSchema,
});

export const validateOutput = z.object({
  id: z.string(),
  verdict: validationSchema.shape.verdict,
  status: managed.status,
  version: managed.version,
});

export const noteOutput = z.object({
  key: z.string(),
  action: z.enum(['read', 'written', 'deleted']),
  note: writtenNoteSchema.nullable(),
});

export const readNotesOutput = z.object({
  notes: z.array(noteAnswerSchema),
  next_cursor: z.string().nullable(),
  total: z.int(),
});

export const shareOutput = z.object({
  id: z.string(),
  agent: z.string(),
  purpose: grantAnswerSchema.shape.purpose,
  expires_at: grantAnswerSchema.shape.expires_at,
});

export const unshareOutput = z.object({ id: z.string(), agent: z.string() });

export const discoverSkillsInput = z.strictObject({
  query: asked,
  limit: limit.describe('Skills at most; 8 when left out'),
});

export const discoverSkillsOutput = z.object({
  skills: z.array(
    listedSkillSchema.pick({
      name: true,
      version: true,
      description: true,
      scope: true,
      card_id: true,
      score: true,
    }),
  ),
});

export const loadSkillInput = z.strictObject({
  name: skillNameSchema.describe('Name of the skill, as discover_skills shows it'),
  version: z
    .int()
    .min(1)
    .optional()
    .describe('Left out: the version in use. Older ones are there for the agent whose skill it is'),
});

export const loadSkillOutput = skillSchema.pick({
  name: true,
  card_id: true,
  version: true,
  status: true,
  description: true,
  scope: true,
  document: true,
  body: true,
  replaced_by: true,
});

const task = query
  .refine((text) => text.trim() !== '', 'must not be empty')
  .describe('What the task is, in plain words');

export const startTaskInput = z.strictObject({ task, intent });

export const endTaskInput = z.strictObject({ task, outcome: z.enum(OUTCOMES).optional() });
