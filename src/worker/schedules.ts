import {
  ScheduleAlreadyRunning,
  type ScheduleClient,
  type ScheduleDescription,
  ScheduleNotFoundError,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { msToNumber } from '@temporalio/common/lib/time';
import { TASK_QUEUES } from '../contracts/task-queues';
import { sweepScheduleId, sweepWorkflowId } from '../contracts/workflow-ids';
import type { sweep } from '../workflows/sweep';

type SweepSchedule = ScheduleOptions<ScheduleOptionsStartWorkflowAction<typeof sweep>>;

/**
 * Five minutes: what it mends is rare and waits for minutes already, and each sweep stays in Temporal for
 * its retention, 26,000 of them in 90 days.
 */
const EVERY = '5m';
/** Of a start that fell into an outage of Temporal; an older one would find nothing that the next does not. */
const CATCH_UP = '5m';
/** So that installations which share a server do not sweep in step. */
const JITTER = '10s';
/** A sweep that hangs, on a database that is away for instance, makes room for a new one. */
const SWEEP_TIMEOUT = '30m';

function sweepSchedule(): SweepSchedule {
  return {
    scheduleId: sweepScheduleId(),
    spec: { intervals: [{ every: EVERY }], jitter: JITTER },
    action: {
      type: 'startWorkflow',
      workflowType: 'sweep',
      workflowId: sweepWorkflowId(),
      taskQueue: TASK_QUEUES.workflows,
      args: [{}],
      workflowExecutionTimeout: SWEEP_TIMEOUT,
      staticSummary: 'What was left behind goes on',
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCH_UP },
  };
}

/**
 * Makes the Schedules of this installation, or brings them to what they are in this version; a pause by an
 * operator stays. New ones start their work at once: what made them missing may have lost more.
 * The time-skipping test server has no Schedules: whoever starts workers on it does not call this.
 */
export async function ensureSchedules(client: ScheduleClient): Promise<void> {
  const wanted = sweepSchedule();
  try {
    await client.create({ ...wanted, state: { triggerImmediately: true } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { scheduleId, ...definition } = wanted;
    const handle = client.getHandle(scheduleId);
    // An update takes the state it read along, and might undo a pause of this very moment: so only where due.
    if (isAsWanted(await handle.describe())) return;
    await handle.update(({ state: { paused, note } }) => ({
      ...definition,
      state: { paused, ...(note === undefined ? {} : { note }) },
    }));
  }
}

function isAsWanted({ spec, policies, action }: ScheduleDescription): boolean {
  const [interval, ...more] = spec.intervals ?? [];
  return (
    interval?.every === msToNumber(EVERY) &&
    more.length === 0 &&
    spec.jitter === msToNumber(JITTER) &&
    policies.overlap === ScheduleOverlapPolicy.SKIP &&
    policies.catchupWindow === msToNumber(CATCH_UP) &&
    action.type === 'startWorkflow' &&
    action.workflowType === 'sweep' &&
    action.workflowId === sweepWorkflowId() &&
    action.taskQueue === TASK_QUEUES.workflows &&
    action.workflowExecutionTimeout === msToNumber(SWEEP_TIMEOUT)
  );
}

/** Whether Temporal still has them; it may have been given an empty database under a running worker. */
export async function hasSchedules(client: ScheduleClient): Promise<boolean> {
  try {
    await client.getHandle(sweepScheduleId()).describe();
    return true;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}
