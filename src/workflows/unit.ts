/**
 * What every unit of a pass has in common, whatever it does: its row begins and ends, its scope is its own for as
 * long as it works, and it hears of pauses. A scope that another pass has is waited for, half a minute after half a
 * minute, for an hour; then the unit ends `partial`, stopped by `scope_busy`.
 *
 * Nine events around the unit's own: begin, hold, end, three each; two more for each half minute of waiting, three
 * more for each step that holds the scope anew.
 */
import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  sleep,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { PassCounts, UnitInput, UnitResult } from '../contracts/passes';
import { failureTypeOf } from './failure-type';
import { passes } from './pass-activities';
import { type PassControl, passControl } from './pass-control';

/** Looks at a scope that another pass has: an hour of them. */
const LOOKS = 120;
const BETWEEN_LOOKS = '30s';

export interface Unit {
  control: PassControl;
  /** What was done so far; what the record says where the unit is cut short. */
  counts: PassCounts;
  /** Before each step that changes anything: waits while paused, and holds the scope anew. */
  step(): Promise<void>;
}

/** Carried on where a unit continues as new. */
export interface UnitRun {
  done?: PassCounts;
  paused?: boolean;
}

/** Adds to a count by name. */
export function count(counts: PassCounts, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}

/**
 * Runs the work of a unit within its frame. The work may continue as new: its row and its scope stay as they are.
 * @throws what the work threw, once the row says so
 */
export async function asUnit(
  input: UnitInput & UnitRun,
  work: (unit: Unit) => Promise<Omit<UnitResult, 'counts'>>,
): Promise<UnitResult> {
  const { workspace, operation_id, parent_id, scope, day, dry_run, budget } = input;
  const told: UnitInput = { workspace, operation_id, parent_id, scope, day, dry_run, budget };
  const control = passControl(input.paused ?? false);
  const counts: PassCounts = { ...input.done };
  const row = { workspace, operation_id, unit: told };
  try {
    const { begun } = await passes.beginUnit(told);
    if (!begun) return { status: 'partial', stopped_by: 'run_ended', counts };
    const ended = (await holdScope(told))
      ? await work({ control, counts, step: () => step(told, control) })
      : ({ status: 'partial', stopped_by: 'scope_busy' } as const);
    const result: UnitResult = { ...ended, counts };
    await passes.endUnit({ ...row, end: { state: 'completed', result } });
    upsertMemo({ run_id: workflowInfo().runId, ...result });
    return result;
  } catch (error) {
    if (error instanceof Error && error.name === 'ContinueAsNew') throw error;
    await CancellationScope.nonCancellable(() =>
      passes.endUnit({
        ...row,
        end: isCancellation(error)
          ? { state: 'cancelled', counts }
          : { state: 'failed', error: failureTypeOf(error) ?? 'internal_error', counts },
      }),
    );
    throw error;
  }
}

async function step(unit: UnitInput, control: PassControl): Promise<void> {
  await control.whileRunning();
  if (!(await holdScope(unit)))
    throw ApplicationFailure.create({ type: 'scope_busy', message: 'scope_busy' });
}

async function holdScope(unit: UnitInput): Promise<boolean> {
  for (let look = 1; look <= LOOKS; look += 1) {
    const { taken } = await passes.holdScope(unit);
    if (taken) return true;
    await sleep(BETWEEN_LOOKS);
  }
  return false;
}
