import type { NotUndone, RunChangeLine, RunUndone } from '../contracts/run';
import { writeAudit } from './audit';
import { type Undoing, undoCard } from './card-writes-undone';
import type { Tx } from './database';
import { withdrawProposals } from './proposal-withdrawing';
import { reflectAnew } from './reflection-undoing';

/** Of what could not be taken back so much is named. */
const NAMED = 1_000;

/** Who asks for it, and by which door. */
export interface UndoStep extends Undoing {
  channel: string;
}

/** Why a line is as it is from now on: taken back, or not. */
type Outcome = NotUndone | null;

/**
 * Takes back the next changes of a run and of its units, the newest first, in the caller's transaction. What was
 * looked at before is not looked at again.
 * @returns how many were looked at; fewer than the limit means that all are
 */
export async function undoBatch(
  tx: Tx,
  run: string,
  limit: number,
  step: UndoStep,
): Promise<number> {
  const lines = await tx.query<RunChangeLine>(
    `SELECT c.run_id, c.n, c.change, c.card_id, c.version_before, c.version_after, c.related, c.reason, c.at
       FROM run_changes c
      WHERE c.workspace_id = $1
        AND c.run_id IN (SELECT r.id FROM runs r WHERE r.workspace_id = $1 AND (r.id = $2 OR r.parent_id = $2))
        AND c.undone_at IS NULL AND c.not_undone IS NULL AND c.change NOT IN ('rejected', 'skipped')
      ORDER BY c.run_id DESC, c.n DESC
      LIMIT $3`,
    [tx.workspace, run, limit],
  );
  for (const line of lines) {
    const outcome = await undoLine(tx, line, step);
    await tx.query(
      `UPDATE run_changes
          SET undone_at = CASE WHEN $4::text IS NULL THEN $5::timestamptz END, not_undone = $4
        WHERE workspace_id = $1 AND run_id = $2 AND n = $3`,
      [tx.workspace, line.run_id, line.n, outcome, step.at],
    );
  }
  return lines.length;
}

async function undoLine(tx: Tx, line: RunChangeLine, step: UndoStep): Promise<Outcome> {
  const { change } = line;
  switch (change) {
    case 'created':
    case 'retired':
    case 'edited':
      return await undoCardLine(tx, line, step);
    case 'linked':
      return (await unlink(tx, line)) > 0 ? null : 'gone';
    case 'proposed':
      return await withdrawProposals(tx, line.related, step);
    case 'purged':
      return 'gone';
    case 'rejected':
    case 'skipped':
      return null;
    default:
      return change satisfies never;
  }
}

async function undoCardLine(tx: Tx, line: RunChangeLine, step: UndoStep): Promise<Outcome> {
  if (line.card_id === null) return 'gone';
  const done = await undoCard(tx, line, step);
  if (typeof done === 'string') return done;
  // A note that is taken away stays what was made of its sources: who stops one of them later finds it.
  const isTold = line.change === 'retired' && line.reason !== 'merged';
  if (line.change !== 'created' && !isTold) await unlink(tx, line);
  await writeAudit(tx, {
    at: step.at,
    actor: step.actor,
    action: 'card.undone',
    target: { type: 'card', id: line.card_id },
    changed: ['status'],
    versions: [done.from, done.to],
    hashes: { run: line.run_id },
    channel: step.channel,
  });
  return null;
}

/**
 * The edges that the line names by their ids, and those that came with it, between its card and what it names.
 * @returns how many there were
 */
async function unlink(tx: Tx, line: RunChangeLine): Promise<number> {
  const gone = await tx.query(
    `DELETE FROM edges e
      WHERE e.workspace_id = $1
        AND (e.id = ANY ($2)
             OR (e.from_card = $3 AND e.to_card = ANY ($2) AND e.created_at = $4)
             OR (e.to_card = $3 AND e.from_card = ANY ($2) AND e.created_at = $4))
     RETURNING e.id`,
    [tx.workspace, line.related, line.card_id, line.at],
  );
  return gone.length;
}

/** A run, held until the transaction ends: one undoes it at a time. */
export interface UndoableRun {
  id: string;
  type: string;
  state: string;
  dry_run: boolean;
  undone_at: string | null;
  workflow_id: string;
  /** Whether a unit of it still runs. */
  busy: boolean;
}

export async function holdRun(tx: Tx, id: string): Promise<UndoableRun | null> {
  const [run] = await tx.query<UndoableRun>(
    `SELECT r.id, r.type, r.state, r.dry_run, r.undone_at, r.workflow_id,
            EXISTS (SELECT 1 FROM runs u
                     WHERE u.workspace_id = $1 AND u.parent_id = r.id AND u.state IN ('pending', 'running')) AS busy
       FROM runs r
      WHERE r.workspace_id = $1 AND r.id = $2
        FOR NO KEY UPDATE OF r`,
    [tx.workspace, id],
  );
  return run ?? null;
}

/**
 * Says of a run and of its units that they were undone; again, it changes nothing. What a reflection looked at is
 * looked at again by the next one.
 */
export async function markUndone(tx: Tx, run: string, step: UndoStep): Promise<void> {
  const marked = await tx.query<{ id: string }>(
    `UPDATE runs r SET undone_at = $3
      WHERE r.workspace_id = $1 AND (r.id = $2 OR r.parent_id = $2) AND r.undone_at IS NULL
     RETURNING r.id`,
    [tx.workspace, run, step.at],
  );
  await reflectAnew(
    tx,
    marked.map(({ id }) => id),
    step.at,
  );
  if (!marked.some(({ id }) => id === run)) return;
  await writeAudit(tx, {
    at: step.at,
    actor: step.actor,
    action: 'run.undone',
    target: { type: 'run', id: run },
    channel: step.channel,
  });
}

/** What came of it: the same, however often it is asked. */
export async function readUndone(tx: Tx, run: string): Promise<Omit<RunUndone, 'done'>> {
  const lines = `FROM run_changes c
      WHERE c.workspace_id = $1
        AND c.run_id IN (SELECT r.id FROM runs r WHERE r.workspace_id = $1 AND (r.id = $2 OR r.parent_id = $2))`;
  const { undone } = await tx.one<{ undone: number }>(
    `SELECT count(*) AS undone ${lines} AND c.undone_at IS NOT NULL`,
    [tx.workspace, run],
  );
  const not_undone = await tx.query<RunUndone['not_undone'][number]>(
    `SELECT c.card_id, c.related, c.not_undone AS reason ${lines} AND c.not_undone IS NOT NULL
      ORDER BY c.run_id, c.n LIMIT ${NAMED}`,
    [tx.workspace, run],
  );
  return { undone, not_undone };
}
