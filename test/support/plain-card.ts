import type { NewCard } from '../../src/store/card-writes';
import { newId } from '../../src/store/ids';

/** A card of nothing in particular, with whatever else is given. */
export function plainCard(
  summary: string,
  recordedAt: Date,
  fields: Partial<NewCard> = {},
): NewCard {
  const noHints = { service: null, operation: null, task_type: null, workflow: null, step: null };
  return {
    id: newId('card', recordedAt),
    kind: 'knowledge',
    sign: 'neutral',
    status: 'active',
    statusBefore: null,
    summary,
    hints: { ...noHints, keywords: [], error_signature: null, error_family: null },
    inputFields: {},
    key: null,
    subject: null,
    topic: null,
    project: null,
    session: null,
    task: null,
    parentEvent: null,
    agent: 'scout',
    team: null,
    scope: { type: 'agent', id: 'scout' },
    visibility: 'private',
    importance: null,
    confidence: 0.8,
    trust: 'runtime',
    flags: [],
    metadata: {},
    validFrom: recordedAt.toISOString(),
    recordedAt,
    expiresAt: null,
    eventId: null,
    writer: { kind: 'runtime', id: 'runtime' },
    workflowId: null,
    runId: null,
    model: null,
    promptVersion: null,
    distilledBy: 'fallback',
    validTo: null,
    supersededBy: null,
    ...fields,
  };
}
