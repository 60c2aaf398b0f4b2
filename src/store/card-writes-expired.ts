import type { CardKind } from '../contracts/names';
import { expiryOnceRestored } from '../domain/retention';
import { auditCards, type ChangedCard } from './audit-cards';
import type { Batch } from './card-writes-evicted';
import type { Tx } from './database';
import { policyOf } from './settings';

/** A pass that retires or purges, as its writes need it. */
export interface RetentionPass {
  now: Date;
  workflowId: string;
  /** Looks, and changes nothing. */
  dryRun: boolean;
}

/** A card as it is to come back: one whose time was over has the time of its kind once more. */
export async function withTimeAnew<Card extends { kind: CardKind; expires_at: string | null }>(
  tx: Tx,
  card: Card,
  now: Date,
): Promise<Card> {
  const expiresAt = card.expires_at === null ? null : new Date(card.expires_at);
  const anew = expiryOnceRestored({ kind: card.kind, expiresAt }, await policyOf(tx), now);
  return anew === expiresAt ? card : { ...card, expires_at: anew?.toISOString() ?? null };
}

/** In the history and the audit, for all that retention does. */
export const BY_RETENTION = 'retention';

/**
 * Whether the time of card `c` is one that somebody gave it: of a kind that the policy names ($5), or set on
 * this very card: by its writer, by what it was made from, or by an edit after it was filed.
 */
export const EXPIRES_BY_INTENT = `(c.kind = ANY ($5) OR c.writer_kind <> 'runtime'
    OR c.expires_at IS DISTINCT FROM (SELECT (v.snapshot ->> 'expires_at')::timestamptz FROM card_versions v
                                       WHERE v.workspace_id = $1 AND v.card_id = c.id AND v.version = 1))`;

/**
 * Archives the next cards whose time is over. They keep the status that they had, for whoever brings one back.
 * @param kinds that leave by age
 * @returns with the versions that they have now; in a dry run, that they had
 */
export async function expireCards(
  tx: Tx,
  { after, limit }: Batch,
  kinds: readonly CardKind[],
  { now, workflowId, dryRun }: RetentionPass,
): Promise<ChangedCard[]> {
  const due = `
    SELECT c.id, c.version
      FROM cards c
     WHERE c.workspace_id = $1 AND c.status NOT IN ('archived', 'deleted') AND c.expires_at <= $2 AND c.id > $3
       AND ${EXPIRES_BY_INTENT}
       AND NOT is_held($1, 'card', c.id)
     ORDER BY c.id
     LIMIT $4`;
  const values = [tx.workspace, now, after, limit, kinds];
  if (dryRun) return await tx.query<ChangedCard>(due, values);
  const archived = await tx.query<ChangedCard>(
    `WITH due AS (${due} FOR NO KEY UPDATE),
     archived AS (
       UPDATE cards c
          SET status_before = CASE WHEN c.status = 'quarantined' THEN c.status_before ELSE c.status END,
              status = 'archived', version = c.version + 1, edited_at = $2
         FROM due
        WHERE c.workspace_id = $1 AND c.id = due.id AND c.version = due.version
       RETURNING c.*
     )
     INSERT INTO card_versions (workspace_id, card_id, version, at, actor_kind, actor_id, action, snapshot)
     SELECT a.workspace_id, a.id, a.version, $2, 'system', $6, 'archived', card_snapshot(to_jsonb(a))
       FROM archived a
     RETURNING card_id AS id, version`,
    [...values, BY_RETENTION],
  );
  const audited = { at: now, by: BY_RETENTION, action: 'card.archived', workflowId };
  await auditCards(tx, { ...audited, changed: ['status'] }, archived);
  return archived.sort((a, b) => (a.id < b.id ? -1 : 1));
}
