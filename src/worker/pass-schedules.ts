import {
  ScheduleAlreadyRunning,
  type ScheduleClient,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { SCHEDULED_PASSES, type ScheduledPass } from '../contracts/passes';
import type { Policy } from '../contracts/policy';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes';
import { PRIORITIES, TASK_QUEUES } from '../contracts/task-queues';
import { passScheduleId } from '../contracts/workflow-ids';
import type { Database } from '../store/database';
import { markSchedules, policyToFollow, schedulesToSet } from '../store/schedule-marks';
import type { fanOut } from '../workflows/fan-out';

type PassSchedule = ScheduleOptions<ScheduleOptionsStartWorkflowAction<typeof fanOut>>;

const WORKSPACE = defineSearchAttributeKey(
  SEARCH_ATTRIBUTES.workspace.name,
  SearchAttributeType.KEYWORD,
);

/** Of a night that fell into an outage; what is older is the next night's. */
const CATCH_UP = '6h';
/** So that the workspaces of one zone do not all begin in the same second. */
const JITTER = '5m';

/**
 * The Schedules of one workspace's passes, by its policy: by the clocks of its zone, which Temporal keeps through
 * changes to and from summer time; not while the last one still runs; with the workspace's pauses.
 */
export function passSchedules(workspace: string, policy: Policy): PassSchedule[] {
  return SCHEDULED_PASSES.map((type) => ({
    scheduleId: passScheduleId(workspace, type),
    spec: {
      calendars: [{ ...clockOf(policy[type].at), ...dayOf(type, policy) }],
      timezone: policy.consolidation.timezone,
      jitter: JITTER,
    },
    action: {
      type: 'startWorkflow',
      workflowType: 'fanOut',
      workflowId: passScheduleId(workspace, type),
      taskQueue: TASK_QUEUES.workflows,
      args: [{ workspace, type }],
      priority: { priorityKey: PRIORITIES.passes },
      staticSummary: `${type} of ${workspace}, by its Schedule`,
      typedSearchAttributes: [{ key: WORKSPACE, value: workspace }],
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCH_UP },
    state: { paused: policy[type].paused, note: NOTE },
  }));
}

function clockOf(at: string): { hour: number; minute: number } {
  const [hour, minute] = at.split(':').map(Number);
  return { hour: hour ?? 0, minute: minute ?? 0 };
}

function dayOf(type: ScheduledPass, policy: Policy): { dayOfMonth?: number } {
  return type === 'recalibration' ? { dayOfMonth: policy.recalibration.day } : {};
}

/** Of so many workspaces at once; each has four Schedules. */
const BATCH = 50;

/** What an operator did by hand is told from what the policy says by its note. */
const NOTE = 'by the policy';

/**
 * Makes the Schedules of every workspace what its policy says, where they are not yet; with `anew` also where they
 * were, for a Temporal that has forgotten them. Whoever does it first has done it: a second one changes nothing. One
 * statement where nothing is to be done, however many workspaces there are; three more for each that is set.
 * @returns how many workspaces were set, and how many could not be: those are tried again with the next look
 */
export async function ensurePassSchedules(
  client: ScheduleClient,
  database: Database,
  anew: boolean,
): Promise<{ set: number; failed: number }> {
  const done = { set: 0, failed: 0 };
  let after = '';
  for (;;) {
    const batch = await database.acrossWorkspaces((tx) =>
      schedulesToSet(tx, { after, limit: BATCH, anew }),
    );
    for (const workspace of batch) {
      try {
        await setSchedules(client, database, workspace);
        done.set += 1;
      } catch (error) {
        // A zone that Temporal's clocks do not know, for instance: no reason for the others to wait.
        if (!isRefused(error)) throw error;
        done.failed += 1;
      }
    }
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH) return done;
    after = last;
  }
}

async function setSchedules(
  client: ScheduleClient,
  database: Database,
  workspace: string,
): Promise<void> {
  const { policy, version } = await database.inWorkspace(workspace, policyToFollow);
  const wanted = passSchedules(workspace, policy);
  await Promise.all(wanted.map((schedule) => setSchedule(client, schedule)));
  await database.inWorkspace(workspace, (tx) => markSchedules(tx, version));
}

async function setSchedule(client: ScheduleClient, wanted: PassSchedule): Promise<void> {
  try {
    await client.create(wanted);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { scheduleId, ...definition } = wanted;
    await client.getHandle(scheduleId).update(({ state: { paused, note } }) => ({
      ...definition,
      // A pause by an operator, who wrote another note than ours, stays.
      state:
        paused && note !== NOTE
          ? { paused, ...(note === undefined ? {} : { note }) }
          : (definition.state ?? {}),
    }));
  }
}

/** `INVALID_ARGUMENT` of gRPC, which the client makes a `TypeError` of: asked again, it is refused again. */
const REFUSED = 3;

function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return error instanceof TypeError || code === REFUSED || isRefused(error.cause);
}
