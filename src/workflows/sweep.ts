/**
 * Sweep: what was left behind goes on without new traffic. Captures whose workflow was terminated, or
 * lost with Temporal's data, are started once more, and so are proposals that never began or should be over;
 * `embed` and `redistill` are started where cards wait, `reembed` where vectors are another model's, `seal`
 * where rows of the logs wait for it, a reflection where a scope has been quiet; compactions of conversations, imports and follow-ups of insights that were lost are started once more; a rescan is started where
 * more is redacted now than when the workspace was last scanned; old idempotency keys, old
 * deliveries of webhooks and sessions of the console that are over go.
 *
 * Id: `sweep/all` and the time of its start. Started by the Schedule `sweep/all` every five minutes, not
 * while one still runs, and at once where the Schedule had to be made. It starts nothing itself: it writes
 * to the outbox, whose sender does. Nothing may arrive while it runs.
 * States: a hundred workspaces after a hundred, by id.
 * Ends: completed with its counts; a database that is away makes it wait, at most half an hour.
 *
 * Eleven events where there are fewer than a hundred workspaces, six more for each further hundred. It
 * continues as new when the server suggests it.
 */
import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { SweepActivities } from '../activities/sweep';
import type { SweepCounts } from '../contracts/messages';
import { TASK_QUEUES } from '../contracts/task-queues';

/**
 * A hundred workspaces take a second or two, a good deal more after an outage. Retried without end: the
 * time of the whole sweep is bounded where it is scheduled.
 */
const { sweepWorkspaces } = proxyActivities<SweepActivities>({
  taskQueue: TASK_QUEUES.db,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});

/** What it hands on to its next run. */
export interface SweepRun {
  after?: string;
  done?: SweepCounts;
  /** Batches until it continues as new; lowered by tests. */
  batches_a_run?: number;
}

/** 20,000 workspaces, 1,200 events. */
const BATCHES_A_RUN = 200;

export async function sweep(input: SweepRun): Promise<SweepCounts> {
  const { batches_a_run: limit = BATCHES_A_RUN } = input;
  let { after = '', done } = input;
  for (let batch = 1; ; batch += 1) {
    const { next, ...counts } = await sweepWorkspaces({ after });
    done = done === undefined ? counts : sum(done, counts);
    if (next === null) return done;
    after = next;
    if (batch >= limit || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof sweep>({ ...input, after, done });
    }
  }
}

function sum(one: SweepCounts, other: SweepCounts): SweepCounts {
  return {
    workspaces: one.workspaces + other.workspaces,
    restarted: one.restarted + other.restarted,
    embeds: one.embeds + other.embeds,
    redistills: one.redistills + other.redistills,
    reembeds: (one.reembeds ?? 0) + (other.reembeds ?? 0),
    seals: (one.seals ?? 0) + (other.seals ?? 0),
    proposals: (one.proposals ?? 0) + (other.proposals ?? 0),
    reflections: (one.reflections ?? 0) + (other.reflections ?? 0),
    compactions: (one.compactions ?? 0) + (other.compactions ?? 0),
    erasures: (one.erasures ?? 0) + (other.erasures ?? 0),
    rescans: (one.rescans ?? 0) + (other.rescans ?? 0),
    imports: (one.imports ?? 0) + (other.imports ?? 0),
    follow_ups: (one.follow_ups ?? 0) + (other.follow_ups ?? 0),
    forgotten: one.forgotten + other.forgotten,
    failed: one.failed + other.failed,
  };
}
