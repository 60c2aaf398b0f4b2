import { proxyActivities } from '@temporalio/workflow';
import type { ErasureActivities } from '../activities/erasure';
import { TASK_QUEUES } from '../contracts/task-queues';

type Batched = 'eraseBatch';
type Searching = 'searchErased' | 'forgetErasure';

/** One small transaction. Retried without end: an outage of the database delays an erasure and loses none. */
export const deciding = proxyActivities<Omit<ErasureActivities, Batched | Searching>>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '60s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});

/** Transactions of well under a second for five seconds; the last of them may be a walk over a table. */
export const erasing = proxyActivities<Pick<ErasureActivities, Batched>>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '2m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});

/** Every table, history and file is gone through: minutes where there is much. */
export const searching = proxyActivities<Pick<ErasureActivities, Searching>>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '2h',
  heartbeatTimeout: '60s',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '60s' },
});
