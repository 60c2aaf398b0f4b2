import { proxyActivities } from '@temporalio/workflow';
import type { ReembedActivities } from '../activities/reembed';
import { TASK_QUEUES } from '../contracts/task-queues';

/**
 * A batch takes about a second, the cut some seconds where there are a million cards; each heartbeats, so a
 * dead worker is noticed after 30 s. Retried without end, a minute apart: an embedder that is away, or a
 * worker with another one, pauses it and adds nothing to the history, and both sets stay searched.
 */
export const reembedding = proxyActivities<ReembedActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '60s' },
});

/** One small statement. */
export const closing = proxyActivities<Pick<ReembedActivities, 'endReembed'>>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});
