import type { CardStatus, PrincipalKind } from '../contracts/names';
import { initialStatus } from '../domain/initial-status';
import type { CardVector } from './card-writes';
import { reopenContradictions } from './card-writes-contradicted';
import type { Tx } from './database';
import { readCandidates } from './filing-candidates';
import { linkAnew } from './filing-late-vectors';

/**
 * What a quarantined card is once it is released. Of one that was held back before `status_before` was
 * written, by its history; of one that was never anything else, by who wrote it.
 */
export async function statusOnRelease(tx: Tx, id: string): Promise<CardStatus> {
  const { before, earlier, writer_kind } = await tx.one<{
    before: CardStatus | null;
    earlier: CardStatus | null;
    writer_kind: PrincipalKind;
  }>(
    `SELECT CASE WHEN c.status_before NOT IN (${OUT_OF_USE}) THEN c.status_before END AS before,
            (SELECT v.snapshot ->> 'status'
               FROM card_versions v
              WHERE v.workspace_id = $1 AND v.card_id = $2
                AND v.snapshot ->> 'status' NOT IN (${OUT_OF_USE})
              ORDER BY v.version DESC LIMIT 1) AS earlier,
            c.writer_kind
       FROM cards c
      WHERE c.workspace_id = $1 AND c.id = $2`,
    [tx.workspace, id],
  );
  return before ?? earlier ?? initialStatus(writer_kind);
}

/** None of them is what a release gives back. */
const OUT_OF_USE = `'quarantined', 'deleted', 'archived'`;

/**
 * Compares a card that is in use again with the others, in the caller's transaction: while it was held
 * back it was compared with none. What was linked before stays as it is, and what it contradicts is a
 * person's again.
 * @returns the number of new edges
 */
export async function linkReleased(tx: Tx, id: string, now: Date): Promise<number> {
  const [row] = await readCandidates(tx, [id], null, '');
  if (row === undefined) return 0;
  await reopenContradictions(tx, id, now);
  return await linkAnew(tx, row, await vectorOf(tx, id), now);
}

/** That of the served model where it has one, since the other cards have theirs; else its newest. */
async function vectorOf(tx: Tx, id: string): Promise<CardVector | null> {
  const [row] = await tx.query<{ model: string; dims: number; embedding: string }>(
    `SELECT e.model, e.dims, e.embedding::text AS embedding
       FROM card_embeddings e
       JOIN workspaces w ON w.workspace_id = e.workspace_id
      WHERE e.workspace_id = $1 AND e.card_id = $2 AND e.field = 'summary'
      ORDER BY e.model IS NOT DISTINCT FROM w.embedding_model DESC, e.created_at DESC, e.model
      LIMIT 1`,
    [tx.workspace, id],
  );
  if (row === undefined) return null;
  return { model: row.model, dims: row.dims, values: JSON.parse(row.embedding) as number[] };
}
