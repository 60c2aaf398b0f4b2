import { proxyActivities } from '@temporalio/workflow';
import type { ConsolidationActivities } from '../activities/consolidation';
import type { ConsolidationModelActivities } from '../activities/consolidation-model';
import { TASK_QUEUES } from '../contracts/task-queues';

/**
 * Steps of Postgres, an embedding of at most 2 s among them; a scope of two thousand episodes is planned in a few
 * seconds. Retried without end, a minute apart: an outage of the database delays a night and loses none.
 */
export const consolidating = proxyActivities<ConsolidationActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});

/**
 * A quota that is gone for an hour is waited for: fourteen tries over about an hour and a half, at the times that the
 * provider names where it names them. One try makes two calls of two minutes at most; it heartbeats, so a dead worker
 * is noticed after half a minute.
 */
export const wording = proxyActivities<ConsolidationModelActivities>({
  taskQueue: TASK_QUEUES.model,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  scheduleToCloseTimeout: '3h',
  retry: {
    initialInterval: '5s',
    backoffCoefficient: 3,
    maximumInterval: '10m',
    maximumAttempts: 14,
  },
});
