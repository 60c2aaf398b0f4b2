/**
 * The frame that retention and recalibration share: one part after the other, batch after batch by cursor, each
 * batch one activity. Six events a batch (it holds its scope, and works), and fewer than twenty around all of them.
 * It continues as new after 200 batches, about 1,250 events, or when the server suggests it.
 */
import { workflowInfo } from '@temporalio/workflow';
import type { UnitInput, UnitResult } from '../contracts/passes';
import type { UpkeepBatch, UpkeepBatchInput } from '../contracts/upkeep';
import type { Unit, UnitRun } from './unit';

/** What a run is started with; all but the unit is what it hands on to its next run. */
export interface UpkeepRun<Part extends string> extends UnitInput, UnitRun {
  part?: Part;
  /** The last id that was looked at within that part. */
  after?: string;
  /** Batches until it continues as new; lowered by tests. */
  batches_a_run?: number;
}

const BATCHES_A_RUN = 200;

/** Where the next run begins. */
type Onwards<Part extends string> = (
  at: Pick<UpkeepRun<Part>, 'part' | 'after' | 'done' | 'paused'>,
) => Promise<never>;

/** @param touched how many cards the budget counts so far */
export async function eachPart<Part extends string, Batch extends UpkeepBatch>(
  unit: Unit,
  input: UpkeepRun<Part>,
  work: {
    parts: readonly Part[];
    batch(input: UpkeepBatchInput<Part>): Promise<Batch>;
    touched(counts: UnitResult['counts']): number;
    onwards: Onwards<Part>;
  },
): Promise<Omit<UnitResult, 'counts'>> {
  const limit = input.batches_a_run ?? BATCHES_A_RUN;
  const begin = input.part === undefined ? 0 : work.parts.indexOf(input.part);
  const budget = input.budget?.cards ?? null;
  let batches = 0;
  let after = input.after ?? '';
  for (const [at, part] of work.parts.entries()) {
    if (at < begin) continue;
    for (let next: string | null = after; next !== null; ) {
      const most = budget === null ? null : budget - work.touched(unit.counts);
      if (most !== null && most <= 0) return { status: 'partial', stopped_by: 'budget' };
      if (batches >= limit || workflowInfo().continueAsNewSuggested) {
        const paused = unit.control.isPaused();
        await work.onwards({ part, after: next, done: unit.counts, paused });
      }
      await unit.step();
      const batch: Batch = await work.batch({ unit: unitOf(input), part, after: next, most });
      Object.assign(unit.counts, batch.counts);
      next = batch.next;
      batches += 1;
    }
    after = '';
  }
  return { status: 'completed', stopped_by: null };
}

/** What a unit is started with, without what its runs hand on. */
function unitOf(input: UnitInput): UnitInput {
  const { workspace, operation_id, parent_id, scope, day, dry_run, budget } = input;
  return { workspace, operation_id, parent_id, scope, day, dry_run, budget };
}
