import type { CardScope } from '../contracts/card';
import type { AlikePair, DuplicateCard } from '../domain/near-duplicates';
import type { Tx } from './database';
import { PROPOSABLE } from './filing-fading';

/** Of a scope with more, the newest are compared: two million pairs, about a second. */
const MOST_COMPARED = 2_000;

/** Whom card `c` is shared with now, as one text. */
const SHARE = `
  (SELECT COALESCE(string_agg(s.who, ',' ORDER BY s.who), '')
     FROM (SELECT 'agent:' || g.agent_id || COALESCE(g.expires_at::text, '') AS who
             FROM card_grants g
            WHERE g.workspace_id = c.workspace_id AND g.card_id = c.id AND g.grant_type <> 'agent_group'
              AND (g.expires_at IS NULL OR g.expires_at > $2)
           UNION ALL
           SELECT 'group:' || g.group_id || COALESCE(g.expires_at::text, '')
             FROM card_group_grants g
            WHERE g.workspace_id = c.workspace_id AND g.card_id = c.id
              AND (g.expires_at IS NULL OR g.expires_at > $2)) s)`;

interface PairRow extends AlikePair {
  one_card: DuplicateCard;
  other_card: DuplicateCard;
}

/**
 * Pairs of a scope's semantic cards that say nearly the same, by vectors of one model: of one kind, sign, member and
 * project, that the same readers see for the same time. What a person kept apart stays apart, and so does what
 * contradicts each other.
 */
export async function alikePairs(
  tx: Tx,
  scope: CardScope,
  similarity: number,
  now: Date,
): Promise<{ cards: DuplicateCard[]; pairs: AlikePair[] }> {
  const rows = await tx.query<PairRow>(
    `WITH pool AS MATERIALIZED (
       SELECT c.id, c.kind, c.sign, c.subject, c.project, c.visibility, c.expires_at, ${SHARE} AS share, e.model,
              e.embedding,
              jsonb_build_object('id', c.id, 'version', c.version, 'use_count', COALESCE(u.use_count, 0),
                                 'confidence', c.confidence, 'valid_from', c.valid_from) AS card
         FROM cards c
         JOIN card_embeddings e ON e.workspace_id = c.workspace_id AND e.card_id = c.id AND e.field = 'summary'
                               AND e.model = c.embedder
         LEFT JOIN card_usage u ON u.workspace_id = c.workspace_id AND u.card_id = c.id
        WHERE c.workspace_id = $1 AND c.scope_type = $3 AND c.scope_id = $4
          AND c.kind IN ('knowledge', 'insight', 'convention') AND ${PROPOSABLE}
          AND (c.expires_at IS NULL OR c.expires_at > $2)
        ORDER BY c.recorded_at DESC, c.id
        LIMIT ${MOST_COMPARED}
     )
     SELECT a.id AS one, b.id AS other, a.card AS one_card, b.card AS other_card
       FROM pool a
       JOIN pool b ON b.kind = a.kind AND b.sign = a.sign AND b.visibility = a.visibility AND b.share = a.share
                  AND b.model = a.model AND b.subject IS NOT DISTINCT FROM a.subject
                  AND b.project IS NOT DISTINCT FROM a.project
                  AND b.expires_at IS NOT DISTINCT FROM a.expires_at AND b.id > a.id
      WHERE 1 - (a.embedding <=> b.embedding) >= $5
        AND NOT EXISTS (SELECT 1 FROM edges x
                         WHERE x.workspace_id = $1 AND x.type = 'conflicts'
                           AND (x.from_card = a.id AND x.to_card = b.id OR x.from_card = b.id AND x.to_card = a.id))
        AND NOT EXISTS (SELECT 1 FROM proposals p
                         WHERE p.workspace_id = $1 AND p.type = 'merge' AND p.status = 'rejected'
                           AND p.evidence @> ARRAY[a.id, b.id])
      ORDER BY a.id, b.id`,
    [tx.workspace, now, scope.type, scope.id, similarity],
  );
  const cards = new Map(
    rows.flatMap((row) => [row.one_card, row.other_card]).map((c) => [c.id, c]),
  );
  return { cards: [...cards.values()], pairs: rows.map(({ one, other }) => ({ one, other })) };
}
