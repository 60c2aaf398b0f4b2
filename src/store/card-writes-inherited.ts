import { type EdgeType, RECALLED_STATUSES } from '../contracts/names';
import type { Tx } from './database';
import { insertEdges, type NewEdge } from './edge-writes';

interface Edge {
  type: EdgeType;
  from_card: string;
  to_card: string;
  confidence: number;
  reason: string;
}

/**
 * A note answers the warnings that its sources answered and that it does not tell of, such as those of another agent:
 * they would seem open again once the successes have retired.
 */
export async function answerAsSources(
  tx: Tx,
  note: string,
  sources: readonly string[],
  now: Date,
): Promise<void> {
  const answered = await tx.query<Pick<Edge, 'to_card' | 'confidence' | 'reason'>>(
    `SELECT DISTINCT ON (e.to_card) e.to_card, e.confidence, e.reason
       FROM edges e
       JOIN cards w ON w.workspace_id = e.workspace_id AND w.id = e.to_card AND w.status = ANY ($3)
      WHERE e.workspace_id = $1 AND e.from_card = ANY ($2) AND e.type = 'satisfies' AND e.to_card <> ALL ($2)
      ORDER BY e.to_card, e.confidence DESC, e.id`,
    [tx.workspace, sources, RECALLED_STATUSES],
  );
  await insertEdges(
    tx,
    answered.map(({ to_card: to, confidence, reason }) => ({
      type: 'satisfies',
      from: note,
      to,
      confidence,
      reason,
    })),
    now,
  );
}

/** Of the lineage of a card that another was merged into: its own words are as they were. */
export const MERGED = 'the same, merged into this card';

/**
 * Gives the card that stays what those had that were merged into it: it comes of them, has their proven uses, and
 * answers, supports and warns of what they did.
 * @returns the ids of the edges that it was given
 */
export async function inheritFrom(
  tx: Tx,
  keep: string,
  merged: readonly string[],
  now: Date,
): Promise<string[]> {
  const edges = await tx.query<Edge>(
    `SELECT e.type, e.from_card, e.to_card, e.confidence, e.reason
       FROM edges e
      WHERE e.workspace_id = $1 AND e.from_card = ANY ($2) AND e.type IN ('satisfies', 'supports', 'constrains')
     UNION ALL
     SELECT e.type, e.from_card, e.to_card, e.confidence, e.reason
       FROM edges e
      WHERE e.workspace_id = $1 AND e.to_card = ANY ($2) AND e.type IN ('satisfies', 'supports', 'constrains')
      ORDER BY type, from_card, to_card`,
    [tx.workspace, merged],
  );
  const own = new Set([keep, ...merged]);
  const inherited = edges.flatMap(({ type, from_card, to_card, confidence, reason }): NewEdge[] => {
    const leads = merged.includes(from_card);
    const other = leads ? to_card : from_card;
    if (own.has(other)) return [];
    const [from, to] = leads ? [keep, other] : [other, keep];
    return [{ type, from, to, confidence, reason }];
  });
  const lineage = merged.map(
    (to): NewEdge => ({
      type: 'derived_from',
      from: keep,
      to,
      confidence: 1,
      reason: MERGED,
    }),
  );
  const written = await insertEdges(tx, [...lineage, ...inherited], now);
  await tx.query(
    `INSERT INTO card_usage AS u (workspace_id, card_id, use_count, last_used_at)
     SELECT $1, $2, sum(m.use_count), max(m.last_used_at)
       FROM card_usage m
      WHERE m.workspace_id = $1 AND m.card_id = ANY ($3)
     HAVING count(*) > 0
     ON CONFLICT (workspace_id, card_id) DO UPDATE
        SET use_count = u.use_count + EXCLUDED.use_count,
            last_used_at = GREATEST(u.last_used_at, EXCLUDED.last_used_at)`,
    [tx.workspace, keep, merged],
  );
  return written.map(({ id }) => id);
}
