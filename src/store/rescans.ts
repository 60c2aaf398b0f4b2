import type {
  RescanFindings,
  RescanInput,
  RescanProgress,
  RescanResult,
} from '../contracts/rescan';
import { rescanWorkflowId } from '../contracts/workflow-ids';
import { beginning } from '../domain/rescan';
import type { Tx } from './database';
import { newId } from './ids';

/** After one that left something: what it could not repair then it hardly can a minute later. */
const AGAIN_AFTER_MS = 60 * 60_000;
/** A start that has not begun by then was lost. */
const BEGINS_WITHIN_MS = 10 * 60_000;

export interface AskedRescan {
  dryRun: boolean;
  /** A person's id; null where the sweep found it due. */
  by: string | null;
  detectors: number;
}

/**
 * Opens the row of a rescan, pending until its workflow begins, together with its start.
 * @returns its operation
 */
export async function askForRescan(tx: Tx, asked: AskedRescan, now: Date): Promise<string> {
  // Whoever opens one holds the workspace: of two at the same moment each has its number.
  const { scans_as } = await tx.one<{ scans_as: string }>(
    `SELECT $2::text || '/' || redaction_changes AS scans_as FROM workspaces
      WHERE workspace_id = $1 FOR NO KEY UPDATE`,
    [tx.workspace, String(asked.detectors)],
  );
  const { n } = await tx.one<{ n: number }>(
    'SELECT COALESCE(max(n), 0)::int + 1 AS n FROM rescans WHERE workspace_id = $1',
    [tx.workspace],
  );
  const operationId = newId('op', now);
  const workflowId = rescanWorkflowId(tx.workspace, n);
  await tx.query(
    `INSERT INTO runs (workspace_id, id, type, scope_type, scope_id, state, workflow_id, created_at, dry_run, versions,
                       asked_by)
     VALUES ($1, $2, 'rescan', 'workspace', $1, 'pending', $3, $4, $5, $6, $7)`,
    [
      tx.workspace,
      operationId,
      workflowId,
      now,
      asked.dryRun,
      JSON.stringify({ detectors: asked.detectors }),
      asked.by,
    ],
  );
  await tx.query(
    `INSERT INTO rescans (workspace_id, n, operation_id, scans_as, progress, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [tx.workspace, n, operationId, scans_as, JSON.stringify(beginning(asked.dryRun)), now],
  );
  await sendStart(tx, { workspace: tx.workspace, operation_id: operationId, n }, now);
  return operationId;
}

async function sendStart(tx: Tx, input: RescanInput, now: Date): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     SELECT $1, 'start_rescan', $2, $3, $4, $4
      WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE workspace_id = $1 AND workflow_id = $2)
     RETURNING id`,
    [
      tx.workspace,
      rescanWorkflowId(tx.workspace, input.n),
      JSON.stringify({ ...input, n: String(input.n) }),
      now,
    ],
  );
  return rows.length > 0;
}

/**
 * Starts a rescan where detectors, directory or policy find more than when the workspace was last scanned, and sends the
 * start of one once more that was lost; a start leaves one alone that still runs.
 * @returns how many were started
 */
export async function startDueRescan(tx: Tx, detectors: number, now: Date): Promise<number> {
  const open = await tx.query<RescanInput>(
    `SELECT r.workspace_id AS workspace, r.operation_id, r.n
       FROM rescans r
       JOIN runs o ON o.workspace_id = r.workspace_id AND o.id = r.operation_id
      WHERE r.workspace_id = $1 AND o.state IN ('pending', 'running') AND r.created_at < $2
      ORDER BY r.n`,
    [tx.workspace, new Date(now.getTime() - BEGINS_WITHIN_MS)],
  );
  let started = 0;
  for (const input of open) started += Number(await sendStart(tx, input, now));
  const [due] = await tx.query(
    `SELECT w.workspace_id FROM workspaces w
      WHERE w.workspace_id = $1 AND w.scanned_as IS DISTINCT FROM $2::text || '/' || w.redaction_changes
        AND NOT EXISTS (
              SELECT 1 FROM rescans r
                JOIN runs o ON o.workspace_id = r.workspace_id AND o.id = r.operation_id
               WHERE r.workspace_id = $1 AND NOT o.dry_run
                 AND r.scans_as = $2::text || '/' || w.redaction_changes
                 AND (o.state IN ('pending', 'running') OR o.finished_at > $3))`,
    [tx.workspace, String(detectors), new Date(now.getTime() - AGAIN_AFTER_MS)],
  );
  if (due === undefined) return started;
  await askForRescan(tx, { dryRun: false, by: null, detectors }, now);
  return started + 1;
}

const PROGRESS =
  'SELECT progress FROM rescans WHERE workspace_id = $1 AND n = $2 AND operation_id = $3';

/** Where a rescan has come to; null where there is none. */
export async function readRescan(
  tx: Tx,
  { n, operation_id }: RescanInput,
): Promise<RescanProgress | null> {
  const [row] = await tx.query<{ progress: RescanProgress }>(PROGRESS, [
    tx.workspace,
    n,
    operation_id,
  ]);
  return row?.progress ?? null;
}

/** The same, held until the transaction ends. */
export async function holdRescan(
  tx: Tx,
  { n, operation_id }: RescanInput,
): Promise<RescanProgress | null> {
  const values = [tx.workspace, n, operation_id];
  const [row] = await tx.query<{ progress: RescanProgress }>(`${PROGRESS} FOR UPDATE`, values);
  return row?.progress ?? null;
}

/** Says in its run that it has begun. @returns false where it has ended by now, or was cancelled before it began */
export async function beginRescanRun(
  tx: Tx,
  { operation_id }: RescanInput,
  runId: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE runs SET state = 'running', run_id = $3, started_at = COALESCE(started_at, $4)
      WHERE workspace_id = $1 AND id = $2 AND state IN ('pending', 'running')
     RETURNING id`,
    [tx.workspace, operation_id, runId, now],
  );
  return rows.length > 0;
}

/** Keeps where it has come to, with its numbers. */
export async function noteRescan(
  tx: Tx,
  { n, operation_id }: RescanInput,
  progress: RescanProgress,
  counts: Readonly<Record<string, number>>,
): Promise<void> {
  await tx.query('UPDATE rescans SET progress = $3 WHERE workspace_id = $1 AND n = $2', [
    tx.workspace,
    n,
    JSON.stringify(progress),
  ]);
  await tx.query('UPDATE runs SET counts = $3 WHERE workspace_id = $1 AND id = $2', [
    tx.workspace,
    operation_id,
    JSON.stringify(counts),
  ]);
}

export interface RescanEnd {
  result: RescanResult;
  /** What the first look found, by place and type. */
  places: RescanFindings;
  /** Nothing is left, and it was no dry run. */
  isClean: boolean;
}

/** Ends its run; a workspace in which nothing is left is scanned from now on. */
export async function endRescanRun(
  tx: Tx,
  { n, operation_id }: RescanInput,
  { result, places, isClean }: RescanEnd,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE runs SET state = 'completed', result = $3, finished_at = $4
      WHERE workspace_id = $1 AND id = $2 AND state IN ('pending', 'running')`,
    [tx.workspace, operation_id, JSON.stringify({ ...result, places }), now],
  );
  if (!isClean) return;
  await tx.query(
    `UPDATE workspaces w SET scanned_as = r.scans_as
       FROM rescans r
      WHERE w.workspace_id = $1 AND r.workspace_id = $1 AND r.n = $2`,
    [tx.workspace, n],
  );
}

export async function cancelRescanRun(
  tx: Tx,
  { operation_id }: RescanInput,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE runs SET state = 'cancelled', finished_at = $3
      WHERE workspace_id = $1 AND id = $2 AND state IN ('pending', 'running')`,
    [tx.workspace, operation_id, now],
  );
}
