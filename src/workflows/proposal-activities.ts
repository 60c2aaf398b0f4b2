import { proxyActivities } from '@temporalio/workflow';
import type { ProposalActivities } from '../activities/proposal';
import type { ProposalDraftActivities } from '../activities/proposal-draft';
import { TASK_QUEUES } from '../contracts/task-queues';

/** Short Postgres steps; retried without end, so that an outage delays a decision and loses none. */
export const deciding = proxyActivities<ProposalActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});

/** One model call, tried three times; then the template stands. */
export const drafting = proxyActivities<ProposalDraftActivities>({
  taskQueue: TASK_QUEUES.model,
  startToCloseTimeout: '60s',
  scheduleToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: {
    initialInterval: '1s',
    backoffCoefficient: 2,
    maximumInterval: '60s',
    maximumAttempts: 3,
  },
});
