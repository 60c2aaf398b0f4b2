import type { ImportCounts } from '../contracts/transfer';
import { writeAudit } from './audit';
import { queueLateVectors } from './card-edits';
import { settleByCards } from './card-writes-settled';
import type { Tx } from './database';
import { endImport, holdImport, NOTHING_APPLIED } from './imports';

/** Ends the run, with the first of what was skipped by name. Ended again it is the same. */
export async function finishImport(
  tx: Tx,
  {
    importId,
    operationId,
    cancelled,
  }: { importId: string; operationId: string; cancelled: boolean },
  now: Date,
): Promise<ImportCounts> {
  const row = await holdImport(tx, importId);
  if (row === null || row.operation_id !== operationId) return NOTHING_APPLIED;
  const counts: ImportCounts = { ...NOTHING_APPLIED, ...row.counts };
  if (row.state === 'ended') return counts;
  const status = counts.skipped > 0 ? 'partial' : 'completed';
  const result = { status: cancelled ? 'cancelled' : status, ...counts, problems: row.problems };
  await tx.query(
    `UPDATE runs SET state = $3, result = $4, counts = $5, finished_at = $6
      WHERE workspace_id = $1 AND id = $2 AND state IN ('pending', 'running')`,
    [
      tx.workspace,
      operationId,
      cancelled ? 'cancelled' : 'completed',
      JSON.stringify(result),
      JSON.stringify(counts),
      now,
    ],
  );
  await endImport(tx, importId, now);
  if (counts.imported > 0) {
    await settleByCards(tx, null, now);
    await queueLateVectors(tx, now);
  }
  await writeAudit(tx, {
    at: now,
    actor: { kind: 'system', id: 'import' },
    action: cancelled ? 'import.cancelled' : 'import.ended',
    target: { type: 'import', id: importId },
    hashes: { imported: counts.imported, known: counts.known, skipped: counts.skipped },
    channel: 'workflow',
  });
  return counts;
}
