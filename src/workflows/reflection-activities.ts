import { proxyActivities } from '@temporalio/workflow';
import type { ReflectionActivities } from '../activities/reflection';
import type { ReflectionModelActivities } from '../activities/reflection-model';
import { TASK_QUEUES } from '../contracts/task-queues';

/**
 * Steps of Postgres; comparing three hundred cards with each other takes seconds, and so does judging the three dozen
 * candidates that come of it at the most. Retried without end, a minute apart: an outage of the database delays a
 * reflection and loses none.
 */
export const reflecting = proxyActivities<ReflectionActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '2m',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});

/**
 * Nobody waits for it, and the stand-in looks where the model is away: four tries over about a quarter of an hour. One
 * makes two calls of two minutes at most; it heartbeats, so a dead worker is noticed after half a minute.
 */
export const asking = proxyActivities<ReflectionModelActivities>({
  taskQueue: TASK_QUEUES.model,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  scheduleToCloseTimeout: '30m',
  retry: {
    initialInterval: '5s',
    backoffCoefficient: 4,
    maximumInterval: '5m',
    maximumAttempts: 4,
  },
});
