/**
 * Recalibrate: once a month a workspace's memory is looked over, and people are asked what should go.
 *
 * Id: `recalibrate/<workspace>/<month>`, and a further number where it was asked for again. A unit of the pass
 * `recalibration`: `pause`, `resume` and cancelling may arrive at any time and take effect between two batches.
 * States: drift is reported; scope by scope, what nobody uses is proposed for the archive, and near-duplicates for
 * merging; contradictions that nobody decided are asked about again; words and scopes are counted anew. No card is
 * changed: what a person approves is applied by its proposal.
 * Ends: completed with its counts, and with the work whose success changed, by its labels; `partial` where its
 * budget of cards was spent.
 *
 * Events and runs as in `upkeep-parts`.
 */
import { continueAsNew, setWorkflowOptions } from '@temporalio/workflow';
import type { UnitResult } from '../contracts/passes';
import { type Drift, RECALIBRATION_PARTS, type RecalibrationPart } from '../contracts/upkeep';
import { recalibration } from './recalibration-activities';
import { asUnit } from './unit';
import { eachPart, type UpkeepRun } from './upkeep-parts';
import { movesOn } from './versioning';

export interface RecalibrateRun extends UpkeepRun<RecalibrationPart> {
  drift?: Drift[];
}

setWorkflowOptions(movesOn, recalibrate);

export async function recalibrate(input: RecalibrateRun): Promise<UnitResult> {
  return await asUnit(input, async (unit) => {
    let drift = input.drift ?? [];
    const ended = await eachPart(unit, input, {
      parts: RECALIBRATION_PARTS,
      batch: async (batch) => {
        const done = await recalibration.recalibrateBatch(batch);
        drift = done.drift ?? drift;
        return done;
      },
      touched: ({ cards_proposed = 0 }) => cards_proposed,
      onwards: (at) => continueAsNew<typeof recalibrate>({ ...input, ...at, drift }),
    });
    return { ...ended, drift };
  });
}
