import type { Batch } from './card-writes-evicted';
import type { Tx } from './database';
import { PURGED } from './purged-beside';

/** Closed: nobody decides it any more, and no runtime is to apply it. */
const CLOSED = `(p.status IN ('rejected', 'expired', 'proven', 'lapsed')
    OR p.status = 'applied' AND p.type <> 'config_fix')`;

/**
 * Takes the words out of closed proposals that rest on cards which were purged: title, summary, what the change says
 * in words, and why people asked and decided. Ids, decisions and times stay.
 * @returns the ids of the proposals, in their order
 */
export async function purgeQuotes(
  tx: Tx,
  { after, limit }: Batch,
  dryRun: boolean,
): Promise<string[]> {
  const due = `
    SELECT p.id FROM proposals p
     WHERE p.workspace_id = $1 AND p.id > $4 AND ${CLOSED} AND p.summary <> $2
       AND EXISTS (SELECT 1 FROM cards c
                    WHERE c.workspace_id = $1 AND c.id = ANY (p.evidence) AND c.purged_at IS NOT NULL)
       AND NOT is_held($1, 'proposal', p.id)
     ORDER BY p.id
     LIMIT $3`;
  const values = [tx.workspace, PURGED, limit, after];
  const rows = await tx.query<{ id: string }>(`${due}${dryRun ? '' : ' FOR UPDATE'}`, values);
  const ids = rows.map(({ id }) => id);
  if (!dryRun) await emptyProposals(tx, ids);
  return ids;
}

/** Takes the words out of these proposals, with why people asked and decided. They are held. */
export async function emptyProposals(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE proposals p
        SET title = $3, summary = $3,
            change = (SELECT COALESCE(jsonb_object_agg(c.key, CASE WHEN c.key = ANY ($4) THEN to_jsonb($3::text)
                                                                   ELSE c.value END), '{}')
                        FROM jsonb_each(p.change) c)
      WHERE p.workspace_id = $1 AND p.id = ANY ($2)`,
    [tx.workspace, ids, PURGED, WORDED],
  );
  await dropReasons(tx, ids);
}

/** Fields of a change that hold words. */
const WORDED = ['fix', 'reason', 'text', 'summary', 'document', 'description', 'body', 'draft'];

async function dropReasons(tx: Tx, proposals: readonly string[]): Promise<void> {
  await tx.query(
    `DELETE FROM reasons
      WHERE workspace_id = $1
        AND id IN (SELECT p.change ->> 'reason_id' FROM proposals p WHERE p.workspace_id = $1 AND p.id = ANY ($2)
                    UNION ALL
                   SELECT d.reason_id FROM proposal_decisions d
                    WHERE d.workspace_id = $1 AND d.proposal_id = ANY ($2)
                    UNION ALL
                   SELECT i.reason_id FROM decision_intents i
                    WHERE i.workspace_id = $1 AND i.proposal_id = ANY ($2))`,
    [tx.workspace, proposals],
  );
}
