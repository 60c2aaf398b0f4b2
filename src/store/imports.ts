import type { JsonObject } from '../contracts/event';
import type { ImportCounts, ImportedNot, ImportProblem } from '../contracts/transfer';
import type { Tx } from './database';
import { NO_CHAIN } from './export-chain';

/** What every import begins with. */
export const NOTHING_APPLIED: ImportCounts = {
  ...{ lines: 0, imported: 0, known: 0, skipped: 0, redactions: 0 },
};

/** An import as its row has it. */
export interface ImportRow {
  id: string;
  state: 'receiving' | 'accepted' | 'ended';
  export_id: string;
  from_workspace: string;
  key_id: string;
  lines: number;
  chain: string;
  applied: number;
  counts: Partial<ImportCounts>;
  problems: ImportedNot[];
  by_owner: boolean;
  operation_id: string | null;
}

const COLUMNS = `id, state, export_id, from_workspace, key_id, lines, chain, applied, counts, problems, by_owner,
                 operation_id`;

export interface ImportBeginning {
  id: string;
  exportId: string;
  fromWorkspace: string;
  keyId: string;
  byOwner: boolean;
}

/** Opens an import, or finds it as far as it came; one that has ended begins anew, and finds what it brought. */
export async function beginImport(tx: Tx, begun: ImportBeginning, now: Date): Promise<ImportRow> {
  return await tx.one<ImportRow>(
    `INSERT INTO imports AS i (workspace_id, id, state, export_id, from_workspace, key_id, lines, chain, by_owner,
                               created_at, changed_at)
     VALUES ($1, $2, 'receiving', $3, $4, $5, 0, $6, $7, $8, $8)
     ON CONFLICT (workspace_id, id) DO UPDATE
        SET state        = CASE i.state WHEN 'ended' THEN 'receiving' ELSE i.state END,
            operation_id = CASE i.state WHEN 'ended' THEN NULL ELSE i.operation_id END,
            lines        = CASE i.state WHEN 'ended' THEN 0 ELSE i.lines END,
            chain        = CASE i.state WHEN 'ended' THEN EXCLUDED.chain ELSE i.chain END,
            applied      = CASE i.state WHEN 'ended' THEN 0 ELSE i.applied END,
            counts       = CASE i.state WHEN 'ended' THEN '{}'::jsonb ELSE i.counts END,
            problems     = CASE i.state WHEN 'ended' THEN '[]'::jsonb ELSE i.problems END,
            by_owner     = CASE i.state WHEN 'accepted' THEN i.by_owner ELSE EXCLUDED.by_owner END,
            changed_at   = EXCLUDED.changed_at
     RETURNING ${COLUMNS}`,
    [
      tx.workspace,
      begun.id,
      begun.exportId,
      begun.fromWorkspace,
      begun.keyId,
      NO_CHAIN,
      begun.byOwner,
      now,
    ],
  );
}

/** Held until the transaction ends. */
export async function holdImport(tx: Tx, id: string): Promise<ImportRow | null> {
  const [row] = await tx.query<ImportRow>(
    `SELECT ${COLUMNS} FROM imports WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [tx.workspace, id],
  );
  return row ?? null;
}

export interface HeldLine {
  n: number;
  type: string;
  line: JsonObject;
  refused: ImportProblem | null;
}

/** With the head of the chain behind it, hex. */
export interface LineToHold extends HeldLine {
  chain: string;
}

/**
 * Keeps the next lines of an import.
 * @param part `from` is how many there were before it; `chain` and `lines` how it stands after it
 * @returns false where somebody else has brought lines of it meanwhile
 */
export async function holdLines(
  tx: Tx,
  id: string,
  part: {
    from: number;
    lines: number;
    chain: string;
    held: readonly LineToHold[];
    redactions: number;
  },
  now: Date,
): Promise<boolean> {
  const moved = await tx.query(
    `UPDATE imports
        SET lines = $4, chain = $5, changed_at = $6,
            counts = counts || jsonb_build_object('redactions', COALESCE((counts ->> 'redactions')::int, 0) + $7::int)
      WHERE workspace_id = $1 AND id = $2 AND state = 'receiving' AND lines = $3
     RETURNING id`,
    [tx.workspace, id, part.from, part.lines, part.chain, now, part.redactions],
  );
  if (moved.length === 0) return false;
  await tx.query(
    `INSERT INTO import_lines (workspace_id, import_id, n, type, line, refused, chain)
     SELECT $1, $2, l.n, l.type, l.line, l.refused, decode(l.chain, 'hex')
       FROM jsonb_to_recordset($3::jsonb) AS l (n int, type text, line jsonb, refused text, chain text)`,
    [tx.workspace, id, JSON.stringify(part.held)],
  );
  return true;
}

/**
 * The file is whole: a run applies it from here on.
 * @returns false where it is no longer being received
 */
export async function acceptImport(
  tx: Tx,
  id: string,
  run: { operationId: string; workflowId: string; askedBy: string },
  now: Date,
): Promise<boolean> {
  const accepted = await tx.query(
    `UPDATE imports SET state = 'accepted', operation_id = $3, changed_at = $4
      WHERE workspace_id = $1 AND id = $2 AND state = 'receiving'
     RETURNING id`,
    [tx.workspace, id, run.operationId, now],
  );
  if (accepted.length === 0) return false;
  await tx.query(
    `WITH run AS (
       INSERT INTO runs (workspace_id, id, type, scope_type, scope_id, state, workflow_id, created_at, asked_by)
       VALUES ($1, $2, 'import', 'workspace', $1, 'pending', $3, $4, $5)
     )
     INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     VALUES ($1, 'start_import', $3, $6, $4, $4)`,
    [
      tx.workspace,
      run.operationId,
      run.workflowId,
      now,
      run.askedBy,
      JSON.stringify({ workspace: tx.workspace, import_id: id, operation_id: run.operationId }),
    ],
  );
  return true;
}

/** Nothing of it is kept. */
export async function dropImport(tx: Tx, id: string): Promise<void> {
  await tx.query('DELETE FROM import_lines WHERE workspace_id = $1 AND import_id = $2', [
    tx.workspace,
    id,
  ]);
  await tx.query(
    `DELETE FROM imports WHERE workspace_id = $1 AND id = $2 AND state = 'receiving'`,
    [tx.workspace, id],
  );
}

/** The next lines to apply, in the order of the file. */
export async function nextLines(tx: Tx, id: string, limit: number): Promise<HeldLine[]> {
  return await tx.query<HeldLine>(
    `SELECT n, type, line, refused FROM import_lines
      WHERE workspace_id = $1 AND import_id = $2
      ORDER BY n
      LIMIT $3`,
    [tx.workspace, id, limit],
  );
}

/** Named in the operation's result; the rest is counted. */
const MOST_NAMED = 200;

/** Lets go of lines that were applied, and counts what came of them. */
export async function applied(
  tx: Tx,
  row: ImportRow,
  upTo: number,
  came: { counts: Partial<ImportCounts>; problems: readonly ImportedNot[] },
  now: Date,
): Promise<void> {
  await tx.query(
    'DELETE FROM import_lines WHERE workspace_id = $1 AND import_id = $2 AND n <= $3',
    [tx.workspace, row.id, upTo],
  );
  const problems = [...row.problems, ...came.problems].slice(0, MOST_NAMED);
  await tx.query(
    `UPDATE imports SET applied = $3, counts = $4, problems = $5, changed_at = $6
      WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, row.id, upTo, JSON.stringify(came.counts), JSON.stringify(problems), now],
  );
}

export async function endImport(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.query('DELETE FROM import_lines WHERE workspace_id = $1 AND import_id = $2', [
    tx.workspace,
    id,
  ]);
  await tx.query(
    `UPDATE imports SET state = 'ended', changed_at = $3 WHERE workspace_id = $1 AND id = $2 AND state = 'accepted'`,
    [tx.workspace, id, now],
  );
}
