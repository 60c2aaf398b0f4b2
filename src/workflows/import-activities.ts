import { proxyActivities } from '@temporalio/workflow';
import type { ImportActivities } from '../activities/import';
import { TASK_QUEUES } from '../contracts/task-queues';

/**
 * A step applies lines for about a second, in transactions of a few hundred; a minute is far above that. Retried
 * without end: an outage of the database delays an import, and what is applied is not applied again.
 */
export const importing = proxyActivities<ImportActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '60s',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});
