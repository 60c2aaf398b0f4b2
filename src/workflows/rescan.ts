/**
 * Rescan: redaction after the fact. What the detectors, the directory or the policy would take out today is taken out
 * of everything durable, older versions and drafts included.
 *
 * Id: `rescan/<workspace>/<n>`, n counting the workspace's rescans. Started by the sweep where the workspace was last
 * scanned with less, or asked for, as a dry run too. Cancelling may arrive at any time, and takes effect between two
 * batches; nothing else may. More than one at a time does no harm, since every change is compare-and-set.
 * States: it looks at every place, batch by batch by cursor, and counts; then it repairs the places where it found
 * something; then it looks again, until a look finds nothing, three at the most. Where it has come to stands in
 * Postgres with its numbers, in the transaction of each batch: a kill costs the batch in hand, and one that was
 * terminated is started again by the sweep and goes on where it was.
 * Ends: completed; a dry run after its look, with what it found by place and type; `partial` where a third look still
 * found rows that it could not repair; cancelled, what was repaired by then stays. It carries places and numbers, and no key of any row.
 *
 * Six events a batch (a task's three, an activity's three). It continues as new after 200 batches, about 1,200 events,
 * or when the server suggests it.
 */
import {
  CancellationScope,
  continueAsNew,
  isCancellation,
  setWorkflowOptions,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { RescanAt, RescanInput, RescanResult } from '../contracts/rescan';
import { rescanning } from './rescan-activities';
import { movesOn } from './versioning';

/** What a run is started with; all but the ids is what it hands on to its next run. */
export interface RescanRun extends RescanInput {
  at?: RescanAt;
  /** Batches until it continues as new; lowered by tests. */
  batches_a_run?: number;
}

const BATCHES_A_RUN = 200;

setWorkflowOptions(movesOn, rescan);

export async function rescan(input: RescanRun): Promise<RescanResult> {
  const { workspace, operation_id, n, batches_a_run: limit = BATCHES_A_RUN } = input;
  const pass: RescanInput = { workspace, operation_id, n };
  try {
    let at = input.at ?? (await rescanning.beginRescan(pass)).at;
    for (let batch = 1; at !== null; batch += 1) {
      ({ at } = await rescanning.rescanBatch({ ...pass, at }));
      if (at !== null && (batch >= limit || workflowInfo().continueAsNewSuggested)) {
        await continueAsNew<typeof rescan>({ ...input, at });
      }
    }
    const result = await rescanning.endRescan(pass);
    upsertMemo({ run_id: workflowInfo().runId, ...result });
    return result;
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() => rescanning.cancelRescan(pass));
    }
    throw error;
  }
}
