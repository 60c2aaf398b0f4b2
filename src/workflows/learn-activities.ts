import { proxyActivities } from '@temporalio/workflow';
import type { LearnActivities } from '../activities/learn';
import type { LearnModelActivities } from '../activities/learn-model';
import { TASK_QUEUES } from '../contracts/task-queues';

/**
 * A task of two hundred steps is read in a second or two, and compared with a hundred skills in five; retried without
 * end: an outage of the database delays what is learned and loses none of it.
 */
export const learning = proxyActivities<LearnActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '60s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});

/**
 * Two model calls at the most, of two minutes each. Four tries within half an hour; then the rules have the word: a
 * task of today is of use today, and what a provider without quota misses is marked as the rules'.
 */
export const asking = proxyActivities<LearnModelActivities>({
  taskQueue: TASK_QUEUES.model,
  startToCloseTimeout: '5m',
  scheduleToCloseTimeout: '30m',
  heartbeatTimeout: '30s',
  retry: {
    initialInterval: '5s',
    backoffCoefficient: 4,
    maximumInterval: '5m',
    maximumAttempts: 4,
  },
});
