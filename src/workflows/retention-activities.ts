import { proxyActivities } from '@temporalio/workflow';
import type { RetentionActivities } from '../activities/retention';
import { TASK_QUEUES } from '../contracts/task-queues';

/**
 * Two hundred rows and what stands beside them, well under a second. Retried without end: an outage of the database
 * delays a retention and loses none.
 */
export const retention = proxyActivities<RetentionActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});
