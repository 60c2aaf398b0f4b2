import { proxyActivities } from '@temporalio/workflow';
import type { RecalibrationActivities } from '../activities/recalibration';
import { TASK_QUEUES } from '../contracts/task-queues';

/**
 * A batch takes seconds at most, but for the counting, which goes word by word through all cards and says that it is
 * alive. Retried without end: an outage of the database delays a recalibration and loses none.
 */
export const recalibration = proxyActivities<RecalibrationActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '30m',
  heartbeatTimeout: '60s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});
