/**
 * Import: the lines of an export, which are held and whose signature was verified, become rows of a workspace.
 *
 * Id: `import/<workspace>/<operation>`. Started by the outbox once the last line was taken. Nothing may arrive; it may
 * be cancelled, and then what was applied stays.
 * States: lines are applied in the order of the file, some hundred a transaction, which also lets go of them and counts
 * them: a step that broke off finds what it has not done. What stands here under the same id stays and is named.
 * Ends: completed with its counts, `partial` where lines were skipped, `cancelled`. Lost, it is started again by the
 * sweep.
 *
 * Six events a step of about a second (a task's three, an activity's three). It continues as new after 100 steps, or
 * when the server suggests it.
 */
import {
  CancellationScope,
  continueAsNew,
  isCancellation,
  setWorkflowOptions,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { ImportInput, ImportResult } from '../contracts/transfer';
import { importing } from './import-activities';
import { movesOn } from './versioning';

/** What a run is started with. */
export interface ImportRun extends ImportInput {
  /** Steps until it continues as new; lowered by tests. */
  steps_a_run?: number;
}

/** Some 100,000 lines; a history of 600 events still replays in a blink. */
const STEPS_A_RUN = 100;

setWorkflowOptions(movesOn, importFile);

export async function importFile(input: ImportRun): Promise<ImportResult> {
  const { workspace, import_id, operation_id, steps_a_run: limit = STEPS_A_RUN } = input;
  const key: ImportInput = { workspace, import_id, operation_id };
  try {
    for (let step = 1; ; step += 1) {
      const { done } = await importing.applyImport(key);
      if (done) return await ended(key, false);
      if (step >= limit || workflowInfo().continueAsNewSuggested) {
        await continueAsNew<typeof importFile>(input);
      }
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => ended(key, true));
    throw error;
  }
}

async function ended(key: ImportInput, cancelled: boolean): Promise<ImportResult> {
  const result = await importing.endImport({ ...key, cancelled });
  upsertMemo({ run_id: workflowInfo().runId, ...result });
  return result;
}
