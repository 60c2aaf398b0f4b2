import { proxyActivities } from '@temporalio/workflow';
import type { InsightActivities } from '../activities/insight';
import { TASK_QUEUES } from '../contracts/task-queues';

/** Short Postgres steps; retried without end, so that an outage delays an outcome and loses none. */
export const following = proxyActivities<InsightActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});
