/**
 * Seal: the rows of the audit log and of the access log become blocks of a chain of hashes.
 *
 * Id: `seal/<workspace>/<n>`, n being the block that is next, where the sweep started it because rows wait;
 * `seal/<workspace>/<operation>` where somebody asked for it. Two of one workspace at the same time do no
 * harm: each block has its number once.
 * States: a horizon is taken, the rows that are there; then block after block up to it. While a transaction
 * is open that may still add a row below the horizon nothing is sealed: it waits, for as long as that takes.
 * Nothing may arrive while it runs.
 * Ends: completed with the head of the chain, its number and counts. Temporal keeps them where nobody who
 * can change the database can change them: they are the anchor outside of it.
 *
 * Six events a block (a task's three, an activity's three), and five more for each half a minute that it
 * waits. It continues as new after 100 steps, or when the server suggests it.
 */
import {
  continueAsNew,
  setWorkflowOptions,
  sleep,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { SealHorizon, SealInput, SealResult } from '../contracts/messages';
import { passOperationId } from '../contracts/workflow-ids';
import { sealing } from './seal-activities';
import { movesOn } from './versioning';

/** What a run is started with; the rest is what it hands on to its next run. */
export interface SealRun extends SealInput {
  horizon?: SealHorizon;
  /** Steps until it continues as new; lowered by tests. */
  steps_a_run?: number;
}

/** 50,000 rows of each log; a history of 1,100 events at most still replays in a blink. */
const STEPS_A_RUN = 100;
/** Whoever holds a transaction open for longer than two seconds may hold it for an hour. */
const WHILE_OPEN = '30s';

setWorkflowOptions(movesOn, seal);

export async function seal(input: SealRun): Promise<SealResult> {
  const { workspace, n, steps_a_run: limit = STEPS_A_RUN } = input;
  const operation_id = input.operation_id ?? passOperationId(workflowInfo().firstExecutionRunId);
  let horizon = input.horizon ?? null;

  for (let step = 1; ; step += 1) {
    const batch = await sealing.sealBlock({ workspace, operation_id, n, horizon });
    if (!batch.more) {
      upsertMemo({ run_id: workflowInfo().runId, ...batch.totals });
      return { status: 'completed', ...batch.totals };
    }
    horizon = batch.horizon;
    if (batch.state === 'waiting') await sleep(WHILE_OPEN);
    if (step >= limit || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof seal>({ ...input, horizon });
    }
  }
}
