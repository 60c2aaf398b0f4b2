/**
 * Fan-out: one pass over a workspace, for the night or because somebody asked: consolidation and reflection scope
 * by scope, recalibration and retention as one unit.
 *
 * Id: `night/<workspace>/<type>` and the time of its start, by the Schedule of that name; `pass/<workspace>/<type>/
 * <operation>` where somebody asked. `pause` and `resume` may arrive at any time and are handed on to the units.
 * States: it begins, which fixes its day by the moment it was planned for; then batches of units, ten at a time, each
 * a workflow of its own with the id of design §6. One that fails, is cancelled by itself or ends early is counted, and
 * named in the record.
 * Ends: completed with its counts, `partial` where a unit did not do all; cancelled with what was done, once the units
 * in hand have ended too; failed where a step of its own does so.
 *
 * Six events to begin and to end, six for each batch of fifty units, six a unit. It continues as new after 200 units,
 * about 1,250 events, or when the server suggests it, once the units in hand have ended.
 */
import {
  CancellationScope,
  type ChildWorkflowHandle,
  continueAsNew,
  isCancellation,
  log,
  setWorkflowOptions,
  startChild,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { CardScope } from '../contracts/card';
import {
  type PassBegun,
  type PassRequest,
  type PassResult,
  type PassUnit,
  UNIT_WORKFLOW,
  type UnitInput,
  type UnitResult,
} from '../contracts/passes';
import { passOperationId } from '../contracts/workflow-ids';
import { failureTypeOf } from './failure-type';
import { passes } from './pass-activities';
import { type PassControl, passControl, pause, resume } from './pass-control';
import { movesOn } from './versioning';

/** What it hands on to its next run. */
export interface FanOutRun extends PassRequest {
  begun?: PassBegun;
  after?: CardScope;
  done?: PassResult;
  paused?: boolean;
  /** Units until it continues as new; lowered by tests. */
  units_a_run?: number;
}

const UNITS_A_RUN = 200;
/** Units at once: each waits for the database or a model most of its time, and four model calls run at once. */
const WINDOW = 10;
/** Of units that did not do all, so many are named; the list of runs has the rest. */
const NAMED = 20;

setWorkflowOptions(movesOn, fanOut);

type Unit = (input: UnitInput & { paused?: boolean }) => Promise<UnitResult>;
type UnitEnd = UnitResult | { status: 'failed'; stopped_by: string };

export async function fanOut(input: FanOutRun): Promise<PassResult> {
  const { workspace, units_a_run: limit = UNITS_A_RUN } = input;
  const operation_id = input.operation_id ?? passOperationId(workflowInfo().firstExecutionRunId);
  const row = { workspace, operation_id };
  const running = new Set<ChildWorkflowHandle<Unit>>();
  const control = passControl(input.paused ?? false, (paused, at) => {
    for (const unit of running) hand(unit, paused, at);
  });
  let result = input.done ?? emptyResult('');

  try {
    const begun = input.begun ?? (await passes.beginPass(request(input)));
    result = { ...result, day: begun.day };
    let after = input.after ?? null;
    let units = 0;
    while (begun.skip === null) {
      await control.whileRunning();
      const batch = await passes.nextUnits({ ...row, after, most: limit - units });
      await runUnits(batch.units, control, async (unit) => {
        tally(result, unit, await runUnit(input, begun, unit, { control, running }));
      });
      units += batch.units.length;
      after = batch.next;
      if (after === null) break;
      if (units >= limit || workflowInfo().continueAsNewSuggested) {
        const paused = control.isPaused();
        await continueAsNew<typeof fanOut>({ ...input, begun, after, done: result, paused });
      }
    }
    if (begun.skip !== null) result.counts.skipped = 1;
    if (result.partial + result.failed > 0) result.status = 'partial';
    const { counts } = await passes.endPass({ ...row, end: { state: 'completed', result } });
    result = { ...result, counts };
    upsertMemo({ run_id: workflowInfo().runId, status: result.status, ...counts });
    return result;
  } catch (error) {
    if (error instanceof Error && error.name === 'ContinueAsNew') throw error;
    const { counts } = result;
    await CancellationScope.nonCancellable(() =>
      passes.endPass({
        ...row,
        end: isCancellation(error)
          ? { state: 'cancelled', counts }
          : { state: 'failed', error: failureTypeOf(error) ?? 'internal_error', counts },
      }),
    );
    throw error;
  }
}

/** What was planned for is what counts, not when a worker came by. */
function request(input: FanOutRun): PassRequest & { first_run_id: string } {
  const { workspace, type, operation_id, scope, dry_run, budget } = input;
  const { searchAttributes, firstExecutionRunId } = workflowInfo();
  const planned = searchAttributes.TemporalScheduledStartTime?.[0];
  const at = planned instanceof Date ? planned.toISOString() : input.at;
  return {
    workspace,
    type,
    first_run_id: firstExecutionRunId,
    ...(operation_id === undefined ? {} : { operation_id }),
    ...(scope === undefined ? {} : { scope }),
    ...(dry_run === undefined ? {} : { dry_run }),
    ...(budget === undefined ? {} : { budget }),
    ...(at === undefined ? {} : { at }),
  };
}

/**
 * Ten at a time. Where the pass is cancelled, so are its units, and each gets the time to write how it ended: a
 * pass that closed before them would have them terminated.
 */
async function runUnits(
  units: readonly PassUnit[],
  control: PassControl,
  run: (unit: PassUnit) => Promise<void>,
): Promise<void> {
  const queue = [...units];
  const lane = async (): Promise<void> => {
    while (queue.length > 0) {
      await control.whileRunning();
      const unit = queue.shift();
      if (unit !== undefined) await run(unit);
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: WINDOW }, lane));
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
}

async function runUnit(
  input: FanOutRun,
  begun: PassBegun,
  unit: PassUnit,
  { control, running }: { control: PassControl; running: Set<ChildWorkflowHandle<Unit>> },
): Promise<UnitEnd> {
  const args: UnitInput = {
    workspace: input.workspace,
    operation_id: unit.operation_id,
    parent_id: begun.operation_id,
    scope: unit.scope,
    day: begun.day,
    dry_run: input.dry_run ?? false,
    budget: input.budget ?? null,
  };
  try {
    const child = await startChild<Unit>(UNIT_WORKFLOW[input.type], {
      workflowId: unit.workflow_id,
      args: [args],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: `${input.type} of ${unit.scope.type} ${unit.scope.id}, ${begun.day}`,
    });
    running.add(child);
    // What was said while it was being started did not reach it.
    if (control.isPaused()) hand(child, true);
    return await child.result().finally(() => running.delete(child));
  } catch (error) {
    const cancelled = isCancellation(error);
    if (cancelled && CancellationScope.current().consideredCancelled) throw error;
    const type = cancelled ? 'cancelled' : (failureTypeOf(error) ?? 'internal_error');
    log.warn('a unit of a pass failed', { step: type });
    return { status: 'failed', stopped_by: type };
  }
}

/** One that has just ended has nothing to hear. */
function hand(unit: ChildWorkflowHandle<Unit>, paused: boolean, at?: number): void {
  const said: [] | [number] = at === undefined ? [] : [at];
  unit.signal(paused ? pause : resume, ...said).catch(() => {});
}

function emptyResult(day: string): PassResult {
  return { status: 'completed', day, units: 0, partial: 0, failed: 0, counts: {}, named: [] };
}

function tally(result: PassResult, unit: PassUnit, end: UnitEnd): void {
  result.units += 1;
  if (end.status !== 'failed') {
    for (const [name, by] of Object.entries(end.counts)) {
      result.counts[name] = (result.counts[name] ?? 0) + by;
    }
  }
  if (end.status === 'completed') return;
  result[end.status] += 1;
  if (result.named.length < NAMED) {
    const { scope, operation_id } = unit;
    result.named.push({ scope, operation_id, reason: end.stopped_by ?? 'unknown' });
  }
}
