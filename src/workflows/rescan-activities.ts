import { proxyActivities } from '@temporalio/workflow';
import type { RescanActivities } from '../activities/rescan';
import { TASK_QUEUES } from '../contracts/task-queues';

/**
 * Two dozen of the longest events take the scanner ten seconds, hundreds of short rows a second; a worker that dies
 * meanwhile is noticed by its heartbeats. Retried without end, a minute apart: an outage of the database pauses a pass
 * and does not end it.
 */
export const rescanning = proxyActivities<RescanActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '2m',
  heartbeatTimeout: '20s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});
