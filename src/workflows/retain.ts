/**
 * Retain: what a workspace keeps no longer, once a day.
 *
 * Id: `retain/<workspace>/<day>`, and a further number where it was asked for again. A unit of the pass `retention`:
 * `pause`, `resume` and cancelling may arrive at any time and take effect between two batches.
 * States: cards whose time is over are archived; what nobody may restore any more, or a rule of the policy forgets, is
 * purged; what else was superseded
 * or archived for the restore window leaves the index; closed proposals lose the words of what was purged, events their
 * payload at their horizon, and old drafts of runs go. Each batch is one transaction with its audit and its lines of the diff, so that a kill
 * leaves nothing half done, and a batch that was done and not heard of is counted once.
 * Ends: completed with its counts; `partial` where its budget of cards was spent.
 *
 * Events and runs as in `upkeep-parts`.
 */
import { continueAsNew, setWorkflowOptions } from '@temporalio/workflow';
import type { UnitResult } from '../contracts/passes';
import { RETENTION_PARTS, type RetentionPart } from '../contracts/upkeep';
import { retention } from './retention-activities';
import { asUnit } from './unit';
import { eachPart, type UpkeepRun } from './upkeep-parts';
import { movesOn } from './versioning';

setWorkflowOptions(movesOn, retain);

export async function retain(input: UpkeepRun<RetentionPart>): Promise<UnitResult> {
  return await asUnit(input, (unit) =>
    eachPart(unit, input, {
      parts: RETENTION_PARTS,
      batch: (batch) => retention.retainBatch(batch),
      touched: ({ archived = 0, evicted = 0, purged = 0, forgotten = 0 }) =>
        archived + evicted + purged + forgotten,
      onwards: (at) => continueAsNew<typeof retain>({ ...input, ...at }),
    }),
  );
}
