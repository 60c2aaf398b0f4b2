/**
 * Embed: cards that were filed without a vector get one, and the edges that only similarity shows.
 *
 * Id: `embed/<workspace>/late`, one a workspace. Started by the outbox whenever a card was filed without
 * its vector, and by the sweep where cards still wait. A start while it runs is this same workflow and
 * the signal `more`.
 * States: batch after batch of what waits, newest first, until nothing does. What waits is read from
 * Postgres each time, so nothing but the counts is carried.
 * May arrive at any time: `more`. One that came since the last batch began keeps it from ending, so that
 * a card filed just then is not left behind.
 * Ends: completed with its counts. While the embedder is down the one batch in hand is tried again and
 * again, which adds no events; cards that were edited while they were embedded come in a later batch.
 *
 * Six events a batch (a task's three, an activity's three), three more where it pauses and one for each
 * signal. It continues as new after 100 batches, about 600 events, or when the server suggests it.
 */
import {
  continueAsNew,
  defineSignal,
  setHandler,
  setWorkflowOptions,
  sleep,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import { type EmbedInput, type EmbedResult, MORE_SIGNAL } from '../contracts/messages';
import { passOperationId } from '../contracts/workflow-ids';
import { lateVectors } from './embed-activities';
import { movesOn } from './versioning';

/** What a run is started with; all but the workspace is what it hands on to its next run. */
export interface EmbedRun extends EmbedInput {
  done?: EmbedResult;
  /** Batches until it continues as new; lowered by tests. */
  batches_a_run?: number;
}

/** 3,200 cards; a history of 600 events still replays in a blink. */
const BATCHES_A_RUN = 100;
/** A batch that moved nothing lost each card to an edit; editors are given time to finish. */
const AFTER_NOTHING = '5s';

const more = defineSignal(MORE_SIGNAL);

setWorkflowOptions(movesOn, embed);

export async function embed(input: EmbedRun): Promise<EmbedResult> {
  const { workspace } = input;
  const operation_id = passOperationId(workflowInfo().firstExecutionRunId);
  const limit = input.batches_a_run ?? BATCHES_A_RUN;
  let done = input.done ?? { embedded: 0, linked: 0, batches: 0 };
  let asked = 0;
  setHandler(more, () => {
    asked += 1;
  });

  for (let batch = 1; ; batch += 1) {
    const askedBefore = asked;
    const pass = { workspace, operation_id, done };
    const { embedded, linked, remaining } = await lateVectors.embedBatch(pass);
    done = {
      embedded: done.embedded + embedded,
      linked: done.linked + linked,
      batches: done.batches + 1,
    };
    if (remaining === 0 && asked === askedBefore) break;
    if (remaining > 0 && embedded === 0) await sleep(AFTER_NOTHING);
    if (batch >= limit || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof embed>({ ...input, done });
    }
  }
  upsertMemo({ run_id: workflowInfo().runId, ...done });
  return done;
}
