import { proxyActivities } from '@temporalio/workflow';
import type { SealActivities } from '../activities/seal';
import { TASK_QUEUES } from '../contracts/task-queues';

/**
 * A block takes a few hundredths of a second, and two seconds where a transaction is open; a minute is far
 * above both. Retried without end: an outage of the database delays a seal and loses none.
 */
export const sealing = proxyActivities<SealActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '60s',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});
