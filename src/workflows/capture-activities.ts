import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { CaptureActivities } from '../activities/capture';
import type { ModelActivities } from '../activities/model';
import { TASK_QUEUES } from '../contracts/task-queues';

/**
 * Short Postgres steps inside the workflow task. 3 s a try and 6 s in all (design §6): the server takes
 * a task back after 10 s, and a task that outlives 8 s has to be kept alive with further events.
 * Two tries, so that a dropped connection does not cost the fast path.
 */
export const captureLocally = proxyLocalActivities<CaptureActivities>({
  startToCloseTimeout: '3s',
  scheduleToCloseTimeout: '6s',
  retry: { initialInterval: '100ms', maximumAttempts: 2 },
});

/**
 * The same steps where the fast path failed, Postgres being away for instance. Retried without end,
 * since what was acknowledged is never given up; 30 s is far above the slowest transaction, and a
 * minute between tries keeps an outage cheap and its end soon noticed.
 */
export const captureDurably = proxyActivities<CaptureActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});

/** In all, the first one included. */
export const MODEL_TRIES = 5;

/**
 * A model call costs money, so tries are bounded: five, over at most 15 minutes. One call may take
 * 60 s, twice what a small model needs for three sentences; it heartbeats, so a dead worker is
 * noticed after 20 s.
 */
export const distillByModel = proxyActivities<ModelActivities>({
  taskQueue: TASK_QUEUES.model,
  startToCloseTimeout: '60s',
  heartbeatTimeout: '20s',
  scheduleToCloseTimeout: '15m',
  retry: {
    initialInterval: '2s',
    backoffCoefficient: 3,
    maximumInterval: '2m',
    maximumAttempts: MODEL_TRIES,
  },
});
