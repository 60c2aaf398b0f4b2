import { proxyActivities } from '@temporalio/workflow';
import type { CompactionActivities } from '../activities/compaction';
import type { CompactionModelActivities } from '../activities/compaction-model';
import { TASK_QUEUES } from '../contracts/task-queues';

/**
 * A round of 120 messages is put together in a second or two, so that one of a worker that died is given to another in
 * half a minute; retried without end: an outage of the database delays a summary and loses none.
 */
export const compacting = proxyActivities<CompactionActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});

/**
 * Two calls at the most, of 60 s each. Four tries within ten minutes; then the rules write it: a conversation goes on
 * meanwhile, and what waits for its summary costs tokens with every turn.
 */
export const asking = proxyActivities<CompactionModelActivities>({
  taskQueue: TASK_QUEUES.model,
  startToCloseTimeout: '150s',
  scheduleToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: {
    initialInterval: '5s',
    backoffCoefficient: 4,
    maximumInterval: '2m',
    maximumAttempts: 4,
  },
});
