import type {
  ErasureCounts,
  ErasureEndStatus,
  ErasureReceipt,
  SearchedPlace,
  Tombstone,
} from '../contracts/erasure';
import { writeAudit } from './audit';
import type { Tx } from './database';
import { countItems } from './erasure-items';
import type { ErasureRun } from './erasure-runs';
import { ERASER } from './erasure-walk';
import { announce } from './webhooks';

/**
 * Why somebody asked names whom it is about, in one way or another: it goes before it is searched for. The legal basis
 * stays.
 */
export async function dropReason(tx: Tx, erasureId: string): Promise<void> {
  await tx.query(
    `DELETE FROM reasons r USING erasures e
      WHERE r.workspace_id = $1 AND e.workspace_id = $1 AND e.id = $2 AND r.id = e.reason_id`,
    [tx.workspace, erasureId],
  );
}

/** What the last search found, kept until the erasure ends by it. */
export async function keepPlaces(
  tx: Tx,
  erasureId: string,
  places: readonly SearchedPlace[],
): Promise<void> {
  await tx.query(
    `UPDATE erasures SET places = $3, status = 'verifying' WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, erasureId, JSON.stringify(places)],
  );
}

export interface ErasureToClose {
  named: Tombstone[];
  places: SearchedPlace[];
  legal_basis: string | null;
  rounds: number;
}

export async function readToClose(tx: Tx, erasureId: string): Promise<ErasureToClose> {
  return await tx.one<ErasureToClose>(
    'SELECT named, places, legal_basis, rounds FROM erasures WHERE workspace_id = $1 AND id = $2',
    [tx.workspace, erasureId],
  );
}

/** Erasures of some of the same that were open at any time while this one was. */
export async function besideErasure(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT o.id
       FROM erasures e
       JOIN erasures o ON o.workspace_id = $1 AND o.id <> e.id AND NOT o.dry_run
                      AND (o.completed_at IS NULL OR o.completed_at >= e.requested_at)
      WHERE e.workspace_id = $1 AND e.id = $2
        AND EXISTS (SELECT 1 FROM jsonb_array_elements(e.named) AS n (one) WHERE o.named @> jsonb_build_array(n.one))
      ORDER BY o.id`,
    [tx.workspace, id],
  );
  return rows.map((row) => row.id);
}

/** With what became of the cards that were judged, and what a dry run would take away. */
export async function finalCounts(tx: Tx, run: ErasureRun): Promise<ErasureCounts> {
  const counts: ErasureCounts = { ...run.counts, rederived: 0, kept: 0, held: 0 };
  const planned: Record<string, number> = {};
  for (const { kind, state, was, count } of await countItems(tx, run.id)) {
    if (state === 'held') counts.held += count;
    else if (kind === 'card' && (state === 'stands' || was === 'stands')) counts.rederived += count;
    else if (kind === 'card' && was === 'open') counts.kept += count;
    else if (run.dry_run && ROWS_OF[kind] !== undefined)
      planned[ROWS_OF[kind]] = (planned[ROWS_OF[kind]] ?? 0) + count;
  }
  return run.dry_run ? { ...counts, purged: planned } : counts;
}

const ROWS_OF: Readonly<Partial<Record<string, string>>> = {
  event: 'events',
  card: 'cards',
  conversation: 'conversations',
  pending_write: 'pending_writes',
  proposal: 'proposals',
  subject: 'subjects',
  person: 'people',
  agent: 'agents',
  project: 'projects',
};

export function statusOf(
  counts: ErasureCounts,
  places: readonly SearchedPlace[],
): ErasureEndStatus {
  if (counts.held > 0) return 'held';
  return places.some(({ found }) => found > 0) ? 'unverified' : 'completed';
}

export interface ErasureEnd {
  status: ErasureEndStatus;
  counts: ErasureCounts;
  receipt: ErasureReceipt | null;
  rounds: number;
  workflowId: string;
  now: Date;
}

/**
 * Ends an erasure: what it had in hand in clear goes, its receipt stays, and who wanted to know is told. The row is
 * held by the caller; ended before, nothing changes.
 */
export async function closeErasure(tx: Tx, run: ErasureRun, end: ErasureEnd): Promise<void> {
  const { status, counts, receipt, rounds, now } = end;
  const values = [tx.workspace, run.id];
  await dropReason(tx, run.id);
  await tx.query('DELETE FROM erasure_items WHERE workspace_id = $1 AND erasure_id = $2', values);
  await tx.query('DELETE FROM erasure_terms WHERE workspace_id = $1 AND erasure_id = $2', values);
  await tx.query(
    `UPDATE erasures
        SET status = $3, counts = $4, receipt = $5, completed_at = $6, position = '{}', places = '[]'
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...values,
      status,
      JSON.stringify(counts),
      receipt === null ? null : JSON.stringify(receipt),
      now,
    ],
  );
  const result = {
    status: status === 'completed' ? 'completed' : 'partial',
    ...{ erasure_id: run.id, erasure_status: status, dry_run: run.dry_run, rounds },
  };
  const purged = Object.values(counts.purged).reduce((sum, rows) => sum + rows, 0);
  const { rederived, kept, held } = counts;
  await tx.query(
    `UPDATE runs SET state = 'completed', result = $3, counts = $4, finished_at = $5
      WHERE workspace_id = $1 AND id = $2`,
    [
      tx.workspace,
      run.operation_id,
      JSON.stringify(result),
      JSON.stringify({ purged, rederived, kept, held }),
      now,
    ],
  );
  await writeAudit(tx, {
    at: now,
    actor: ERASER,
    action: 'erasure.ended',
    target: { type: 'erasure', id: run.id },
    changed: [status, ...(run.dry_run ? ['dry_run'] : [])],
    hashes: { purged, rederived, kept, held },
    channel: 'workflow',
    workflowId: end.workflowId,
  });
  if (run.dry_run) return;
  const data = { erasure_id: run.id, operation_id: run.operation_id, status };
  await announce(tx, { type: 'erasure.completed', at: now, data });
}
