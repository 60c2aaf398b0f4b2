/**
 * Embed: cards that were filed without a vector get one, and the edges that only similarity shows.
 *
 * Id: `embed/<workspace>/late`, one a workspace. Started by the outbox whenever a card was filed without
 * its vector; a start while it runs is this same workflow, which finds the new card in its next batch.
 * States: batch after batch of what waits, newest first, until nothing does. What waits is read from
 * Postgres each time, so nothing but the counts is carried. Nothing may arrive while it runs.
 * Ends: completed with its counts. While the embedder is down the one batch in hand is tried again and
 * again, which adds no events; cards that were edited while they were embedded come in a later batch.
 *
 * Six events a batch (a task's three, an activity's three), three more where it pauses. It continues as
 * new after 100 batches, about 600 events, or when the server suggests it.
 */
import { continueAsNew, sleep, upsertMemo, workflowInfo } from '@temporalio/workflow';
import type { EmbedInput, EmbedResult } from '../contracts/messages';
import { lateVectors } from './embed-activities';

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

export async function embed(input: EmbedRun): Promise<EmbedResult> {
  const { workspace } = input;
  const limit = input.batches_a_run ?? BATCHES_A_RUN;
  let done = input.done ?? { embedded: 0, linked: 0, batches: 0 };

  for (let batch = 1; ; batch += 1) {
    const { embedded, linked, remaining } = await lateVectors.embedBatch({ workspace });
    done = {
      embedded: done.embedded + embedded,
      linked: done.linked + linked,
      batches: done.batches + 1,
    };
    if (remaining === 0) break;
    if (embedded === 0) await sleep(AFTER_NOTHING);
    if (batch >= limit || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof embed>({ ...input, done });
    }
  }
  upsertMemo({ run_id: workflowInfo().runId, ...done });
  return done;
}
