import { proxyActivities } from '@temporalio/workflow';
import type { RedistillActivities } from '../activities/redistill';
import { TASK_QUEUES } from '../contracts/task-queues';

/**
 * Short Postgres steps, an embedding of at most 2 s among them; 30 s is far above the slowest. Retried
 * without end, a minute apart: an outage of the database pauses a pass and does not end it.
 */
export const rewriting = proxyActivities<RedistillActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});
