import type { Duration } from '@temporalio/common';
import { proxyActivities } from '@temporalio/workflow';
import type { RuntimeMemoryActivities } from '../../../contracts/runtime-memory';

/** A step of Postgres or of HTTP; both take a tenth of a second, and 8 s is the client's own deadline. */
const RECORD_TIMEOUT = '10s';
/** An agent that waits for its memory longer than this is better off told. */
const RECALL_WITHIN = '60s';
/** One look lasts 15 s and heartbeats every 5; a worker that died is noticed after the third was missed. */
const LOOK_TIMEOUT = '30s';
const HEARTBEAT_TIMEOUT = '16s';
const RETRY = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' } as const;

/** By how long each may take and be tried. */
export interface ScheduledActivities {
  recording: Pick<RuntimeMemoryActivities, 'cairnRecordEvent' | 'cairnRecordEventFrom'>;
  recalling: Pick<RuntimeMemoryActivities, 'cairnRecall'>;
  looking: Pick<RuntimeMemoryActivities, 'cairnAwaitCapture'>;
}

export function scheduledActivities({
  taskQueue,
  recordWithin,
}: {
  taskQueue?: string;
  recordWithin?: Duration;
}): ScheduledActivities {
  const queue = taskQueue === undefined ? {} : { taskQueue };
  return {
    recording: proxyActivities<RuntimeMemoryActivities>({
      ...queue,
      startToCloseTimeout: RECORD_TIMEOUT,
      ...(recordWithin === undefined ? {} : { scheduleToCloseTimeout: recordWithin }),
      retry: RETRY,
    }),
    recalling: proxyActivities<RuntimeMemoryActivities>({
      ...queue,
      startToCloseTimeout: RECORD_TIMEOUT,
      scheduleToCloseTimeout: RECALL_WITHIN,
      retry: RETRY,
    }),
    looking: proxyActivities<RuntimeMemoryActivities>({
      ...queue,
      startToCloseTimeout: LOOK_TIMEOUT,
      heartbeatTimeout: HEARTBEAT_TIMEOUT,
      retry: RETRY,
    }),
  };
}
