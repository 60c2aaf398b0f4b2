import { PASS_TYPES } from '../contracts/passes';
import type { Run, RunUndone } from '../contracts/run';
import { writeAudit } from '../store/audit';
import type { Tx } from '../store/database';
import { orderRun, type RunOrder } from '../store/run-asking';
import { readRun } from '../store/runs';
import {
  holdRun,
  markUndone,
  readUndone,
  type UndoableRun,
  type UndoStep,
  undoBatch,
} from '../store/undoing';
import type { ApiDependencies } from './app';
import { type Asked, requireSameRequest, writeOnce } from './idempotency';
import { notFound, Problem } from './problem';

/** What can be ended before it has done all; passes can be told more. */
const ENDABLE: readonly string[] = [...PASS_TYPES, 'rescan'];
/** What notes its changes, and can be taken back by them. */
const UNDOABLE: readonly string[] = [...PASS_TYPES, 'redistill'];

const PAST: Readonly<Record<RunOrder, string>> = {
  pause: 'run.paused',
  resume: 'run.resumed',
  cancel: 'run.cancelled',
};

/**
 * Tells a pass that has not ended to wait, to go on or to end. Told again what it was told before, it is told again.
 * @returns the run, as it is now
 * @throws Problem 404, 409 where it is no pass or has ended
 */
export async function orderedRun(
  deps: ApiDependencies,
  request: Asked,
  id: string,
  order: RunOrder,
): Promise<Run> {
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      const now = deps.clock();
      const run = await requireRun(tx, id, order === 'cancel' ? ENDABLE : PASS_TYPES);
      if (run.state !== 'pending' && run.state !== 'running') {
        throw new Problem(409, 'run_ended', 'this run has ended: there is nothing to tell it');
      }
      await orderRun(tx, run, order, now);
      await writeAudit(tx, {
        at: now,
        actor: request.caller.context.principal,
        action: PAST[order],
        target: { type: 'run', id },
        channel: request.caller.channel,
        workflowId: run.workflow_id,
      });
      return { status: 202, reference: { id }, body: await shown(tx, id) };
    },
    rebuild: (tx) => shown(tx, id),
  });
  deps.pokeOutbox();
  return answer.body as Run;
}

/** Changes taken back in one transaction: a second of a core at the most. */
const BATCH = 100;
/** A request is answered within this; what is left waits for the next one. */
const LONGEST_MS = 20_000;

/**
 * Takes back what a pass did, the newest change first, a hundred in a transaction. Done again it answers the same.
 * @throws Problem 404, 409 where it is no pass, still runs, or was a dry run
 */
export async function undoneRun(
  deps: ApiDependencies,
  request: Asked,
  id: string,
): Promise<RunUndone> {
  const { caller } = request;
  const { workspace, principal } = caller.context;
  await requireSameRequest(request, deps, 200);
  const until = Date.now() + LONGEST_MS;
  for (;;) {
    const done = await deps.database.inWorkspace(workspace, async (tx) => {
      requireUndoable(await requireRun(tx, id, UNDOABLE));
      const step: UndoStep = { actor: principal, at: deps.clock(), channel: caller.channel };
      if ((await undoBatch(tx, id, BATCH, step)) === BATCH) return false;
      await markUndone(tx, id, step);
      return true;
    });
    if (done || Date.now() > until) {
      const undone = await deps.database.inWorkspace(workspace, (tx) => readUndone(tx, id));
      return { ...undone, done };
    }
  }
}

function requireUndoable(run: UndoableRun): void {
  if (run.dry_run) {
    throw new Problem(409, 'dry_run', 'a dry run changed nothing: there is nothing to take back');
  }
  if (run.state === 'pending' || run.state === 'running' || run.busy) {
    throw new Problem(
      409,
      'run_running',
      'this run has not ended: cancel it, or wait, and undo it then',
    );
  }
}

/** Its row is held: nobody tells it or undoes it meanwhile. */
async function requireRun(tx: Tx, id: string, types: readonly string[]): Promise<UndoableRun> {
  const run = await holdRun(tx, id);
  if (run === null) throw notFound('run');
  if (!types.includes(run.type)) {
    throw new Problem(409, 'not_a_pass', `a run of the type ${run.type} is no pass`);
  }
  return run;
}

async function shown(tx: Tx, id: string): Promise<Run> {
  const run = await readRun(tx, id, null);
  if (run === null) throw notFound('run');
  return run;
}
