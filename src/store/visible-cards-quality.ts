import { RECALLED_STATUSES } from '../contracts/names';
import type { CardShare, MemoryQuality } from '../contracts/overview';
import { BROWSED } from './card-filter';
import type { Tx } from './database';

interface QualityRow {
  cards: number;
  junk: number;
  duplicates: number;
  stale: number;
  never_recalled: number;
}

/**
 * Numbers of the cards that a person sees who sees all of them, as `visible_cards` has it for everything: here in one
 * reading of the table, since nothing of any card leaves, and a look at each by its key takes ten times as long. It is
 * not for every call.
 */
const COUNT = `
WITH looked_at AS MATERIALIZED (
  SELECT c.id, c.scope_type, c.scope_id, c.kind, c.sign, c.subject, hashtextextended(lower(c.summary), 0) AS words,
         c.status = ANY ($4) AS in_use,
         c.status <> ALL ($4) OR 'instruction_like' = ANY (c.flags) AS junk,
         c.valid_to <= $2 OR GREATEST(c.recorded_at, c.edited_at, c.validated_at, u.last_used_at) <= $5 AS old
    FROM cards c
    LEFT JOIN card_usage u ON u.workspace_id = c.workspace_id AND u.card_id = c.id
   WHERE c.workspace_id = $1 AND c.status = ANY ($3) AND (c.expires_at IS NULL OR c.expires_at > $2)
),
said_again AS (
  SELECT count(*) - 1 AS n
    FROM looked_at l
   WHERE l.in_use
   GROUP BY l.words, l.scope_type, l.scope_id, l.kind, l.sign, l.subject
  HAVING count(*) > 1
),
recalled AS (
  SELECT count(*) AS n
    FROM cards c
   WHERE c.workspace_id = $1 AND c.status = ANY ($4) AND (c.expires_at IS NULL OR c.expires_at > $2)
     AND EXISTS (SELECT 1 FROM recall_cards r WHERE r.workspace_id = $1 AND r.card_id = c.id)
)
SELECT count(*) AS cards,
       count(*) FILTER (WHERE l.junk) AS junk,
       (SELECT COALESCE(sum(n), 0)::bigint FROM said_again) AS duplicates,
       count(*) FILTER (WHERE l.in_use AND l.old) AS stale,
       count(*) FILTER (WHERE l.in_use) - (SELECT n FROM recalled) AS never_recalled
  FROM looked_at l`;

/** @param touchedSince what nothing happened to since then is stale */
export async function countQuality(
  tx: Tx,
  { touchedSince, now }: { touchedSince: Date; now: Date },
): Promise<MemoryQuality> {
  const { cards, ...counts } = await tx.one<QualityRow>(COUNT, [
    tx.workspace,
    now,
    BROWSED,
    RECALLED_STATUSES,
    touchedSince,
  ]);
  const share = (count: number): CardShare => ({ count, share: cards === 0 ? 0 : count / cards });
  return {
    cards,
    junk: share(counts.junk),
    duplicates: share(counts.duplicates),
    stale: share(counts.stale),
    never_recalled: share(counts.never_recalled),
  };
}
