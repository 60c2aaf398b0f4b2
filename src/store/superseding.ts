import { writeAudit } from './audit';
import type { NewCard } from './card-writes';
import type { Tx } from './database';
import type { NewEdge } from './edge-writes';

/**
 * Makes room for a keyed card: the current one of the same key retires in the transaction that writes
 * its replacement. An event that arrives late does not push out a newer value: then the new card is
 * the superseded one, and held until the newer began.
 * @param startOf when each candidate began to hold
 * @returns how the new card has to be written.
 */
export async function supersede(
  tx: Tx,
  card: NewCard,
  planned: readonly Pick<NewEdge, 'type' | 'from' | 'to'>[],
  startOf: ReadonlyMap<string, string>,
  now: Date,
): Promise<Pick<NewCard, 'status' | 'supersededBy' | 'validTo'>> {
  const newer = planned.find((edge) => edge.type === 'supersedes' && edge.to === card.id);
  if (newer !== undefined) {
    const validTo = startOf.get(newer.from) ?? card.validFrom;
    return { status: 'superseded', supersededBy: newer.from, validTo };
  }
  const older = planned
    .filter((edge) => edge.type === 'supersedes' && edge.from === card.id)
    .map((edge) => edge.to);
  if (older.length > 0) {
    const retired = await tx.query<{ card_id: string; version: number }>(
      `WITH retired AS (
         UPDATE cards
            SET status_before = status, status = 'superseded', superseded_by = $3,
                valid_to = COALESCE(valid_to, GREATEST($4::timestamptz, valid_from)),
                version = version + 1, edited_at = $5
          WHERE workspace_id = $1 AND id = ANY ($2) AND status IN ('pending', 'active', 'validated')
         RETURNING *
       )
       INSERT INTO card_versions (workspace_id, card_id, version, at, actor_kind, actor_id, action, snapshot)
       SELECT r.workspace_id, r.id, r.version, $5, $6, $7, 'superseded', card_snapshot(to_jsonb(r))
         FROM retired r
       RETURNING card_id, version`,
      [tx.workspace, older, card.id, card.validFrom, now, card.writer.kind, card.writer.id],
    );
    for (const { card_id: id, version } of retired) {
      await writeAudit(tx, {
        at: now,
        actor: card.writer,
        action: 'card.superseded',
        target: { type: 'card', id },
        changed: ['status', 'valid_to'],
        versions: [version - 1, version],
        channel: card.workflowId === null ? 'api' : 'workflow',
        workflowId: card.workflowId,
      });
    }
  }
  return { status: card.status, supersededBy: null, validTo: card.validTo };
}
