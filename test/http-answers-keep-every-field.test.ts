import { serializerCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { eventsAnswerSchema } from '../src/schemas/event';
import { operationSchema } from '../src/schemas/listing-records';
import { recallAnswerSchema } from '../src/schemas/recall';

/** As the API writes an answer. */
function written(schema: z.ZodType, answer: unknown): unknown {
  const serialize = serializerCompiler({ schema, method: 'POST', url: '/' } as never);
  return JSON.parse(serialize(answer));
}

const card = {
  id: 'card-1',
  kind: 'experience',
  tier: 'episodic',
  sign: 'worked',
  status: 'active',
  summary: 'A card.',
  hints: {
    service: null,
    operation: null,
    task_type: null,
    workflow: null,
    step: null,
    keywords: [],
    error_signature: null,
    error_family: null,
    added: 1,
  },
  key: null,
  subject: null,
  topic: null,
  project: null,
  session: null,
  scope: { type: 'agent', id: 'a' },
  visibility: 'private',
  importance: null,
  confidence: 1,
  trust: 'runtime',
  valid_from: '2026-03-02T08:24:15Z',
  valid_to: null,
  recorded_at: '2026-03-02T08:24:15Z',
  expires_at: null,
  use_count: 0,
  last_used_at: null,
  version: 1,
  metadata: JSON.parse('{"deep":{"__proto__":{"kept":true}}}'),
  flags: [],
  provenance: {
    event_id: null,
    writer: { kind: 'agent', id: 'a' },
    workflow_id: null,
    run_id: null,
    model: null,
    prompt_version: null,
    embedder: null,
    distilled_by: 'fallback',
    added: 1,
  },
  score: 1,
  via: 'own',
  vias: ['own'],
  added: { deep: [1] },
};

test.each([
  [
    'recall',
    recallAnswerSchema,
    {
      recall_id: 'r',
      context_version: 'v',
      intent: 'act',
      context: '',
      tokens: 0,
      sections: [{ name: 'known', title: 'Known', cards: ['card-1'], added: 1 }],
      cards: [card],
      dropped: [{ id: 'x', reason: 'budget', added: 1 }],
      pools: { own: 1 },
      took_ms: 1.5,
      added: 1,
    },
  ],
  [
    'an operation',
    operationSchema,
    {
      id: 'o',
      type: 'capture',
      state: 'completed',
      result: { edges: [{ to: 'x' }] },
      error: null,
      workflow_id: 'w',
      run_id: null,
      started_at: null,
      finished_at: null,
      added: 1,
    },
  ],
  [
    'events',
    eventsAnswerSchema,
    {
      items: [
        { event_id: 'e', status: 'accepted', added: 1 },
        { index: 1, status: 'refused', reason: { code: 'invalid', detail: 'd', added: 1 } },
      ],
      added: 1,
    },
  ],
])('%s', (_name, schema, answer) => {
  expect(JSON.stringify(written(schema as z.ZodType, answer)).length).toBe(
    JSON.stringify(answer).length,
  );
  expect(written(schema as z.ZodType, answer)).toEqual(answer);
});
