import { proxyActivities } from '@temporalio/workflow';
import type { EmbedActivities } from '../activities/embed';
import { TASK_QUEUES } from '../contracts/task-queues';

/**
 * One batch takes about a second, or minutes where the model is loaded first; it heartbeats, so a dead
 * worker is noticed after 30 s. Retried without end, since a card without a vector is half remembered.
 * Tries that fail add nothing to the history; a minute between them makes an outage cheap, and vectors
 * that are a minute late harm nobody.
 */
export const lateVectors = proxyActivities<EmbedActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '60s' },
});
