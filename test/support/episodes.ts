import { TIER_OF_KIND } from '../../src/contracts/names';
import type { Episode } from '../../src/domain/consolidation/episode';

export type EpisodeFields = Partial<Omit<Episode, 'hints'>> & { hints?: Partial<Episode['hints']> };

/** A call that worked, recorded in the morning of 2 March 2026. */
export function episode({ hints, ...over }: EpisodeFields = {}): Episode {
  const kind = over.kind ?? 'experience';
  return {
    id: 'card-1',
    version: 1,
    kind,
    tier: TIER_OF_KIND[kind],
    sign: 'worked',
    status: 'active',
    summary: 'Called mailer.send_batch with batch_size 80. It worked: 80 sent.',
    hints: {
      service: 'mailer',
      operation: 'send_batch',
      task_type: null,
      workflow: null,
      step: null,
      keywords: ['mailer'],
      error_signature: null,
      error_family: null,
      ...hints,
    },
    key: null,
    subject: null,
    topic: null,
    project: null,
    scope: { type: 'agent', id: 'ada' },
    visibility: 'private',
    importance: null,
    confidence: 0.8,
    trust: 'runtime',
    flags: [],
    valid_from: '2026-03-02T08:00:00.000Z',
    recorded_at: '2026-03-02T08:00:00.000Z',
    expires_at: null,
    use_count: 0,
    input_fields: { template: 'welcome', batch_size: '80' },
    writer: 'runtime',
    agent: 'ada',
    resolved: null,
    share: '',
    vector: null,
    conflicts: [],
    spoken: false,
    held: false,
    ...over,
  };
}

/** A call that failed; a warning that nothing resolved unless it is said otherwise. */
export function failure({ hints, ...over }: EpisodeFields = {}): Episode {
  return episode({
    kind: 'constraint',
    sign: 'failed',
    summary:
      'Called mailer.send_batch with batch_size 180. It failed: the limit is 100 per batch. Ask for less at once.',
    input_fields: { template: 'welcome', batch_size: '180' },
    hints: {
      error_signature: 'the limit is … per batch',
      error_family: 'validation',
      ...hints,
    },
    ...over,
  });
}
