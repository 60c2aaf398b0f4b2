import { proxyActivities } from '@temporalio/workflow';
import type { PassActivities } from '../activities/pass';
import { TASK_QUEUES } from '../contracts/task-queues';

/**
 * Small statements, and fifty rows at the most; retried without end: an outage of the database delays a pass and
 * loses none.
 */
export const passes = proxyActivities<PassActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '60s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});
