import { RECALLED_STATUSES } from '../contracts/names';
import type { PastOutcome } from '../domain/insights/boost';
import type { Tx } from './database';
import type { ReaderArguments } from './visible-cards';

/** Of one action: its latest outcomes count. */
const MOST_OUTCOMES = 500;

/** Outcomes of actions by the insight that asks, and by hash. */
export type Evidence = Map<string, Map<string, PastOutcome[]>>;

/**
 * What came of the actions of each insight wherever they were taken before. Those outcomes count whose own insight
 * is in use and lies in the scope of the asking one (and no further where it is only an agent's word), in its agent's team, or in the workspace: in what everybody there
 * sees too. Of these only what this reader sees now: whoever was shown one insight is told nothing of the others.
 */
export async function evidenceFor(
  tx: Tx,
  reader: ReaderArguments,
  insightIds: readonly string[],
): Promise<Evidence> {
  const evidence: Evidence = new Map();
  if (insightIds.length === 0) return evidence;
  const rows = await tx.query<PastOutcome & { insight_id: string; hash: string }>(
    `WITH asked AS MATERIALIZED (
       SELECT i.id AS insight_id, a.hash, c.scope_type, c.scope_id, g.team_id
         FROM insights i
         JOIN insight_actions a ON a.workspace_id = i.workspace_id AND a.insight_id = i.id
         JOIN cards c ON c.workspace_id = i.workspace_id AND c.id = i.card_id
         LEFT JOIN agents g ON g.workspace_id = c.workspace_id AND g.id = c.scope_id AND c.scope_type = 'agent'
        WHERE i.workspace_id = $1 AND i.id = ANY ($7)
     ),
     told AS MATERIALIZED (
       SELECT o.hash, o.insight_id, o.action_id, o.result, o.size, o.metric, o.at, i.card_id, c.scope_type, c.scope_id,
              o.channel = 'reported' AND o.by_kind = 'agent' AS is_agents
         FROM action_outcomes o
         JOIN insights i ON i.workspace_id = o.workspace_id AND i.id = o.insight_id
         JOIN LATERAL (
           SELECT k.status, k.scope_type, k.scope_id FROM cards k
            WHERE k.workspace_id = $1 AND k.id = i.card_id OFFSET 0
         ) c ON c.status = ANY ($8)
        WHERE o.workspace_id = $1 AND o.hash IN (SELECT q.hash FROM asked q)
     ),
     seen AS MATERIALIZED (
       SELECT DISTINCT v.card_id
         FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
        WHERE v.card_id = ANY (ARRAY(SELECT t.card_id FROM told t))
     )
     SELECT n.insight_id, n.hash, n.result, n.size, n.metric, n.at
       FROM (SELECT q.insight_id, t.hash, t.result, t.size, t.metric, t.at,
                    row_number() OVER (PARTITION BY q.insight_id, t.hash
                                       ORDER BY t.at DESC, t.insight_id, t.action_id) AS nth
               FROM asked q
               JOIN told t ON t.hash = q.hash
                AND CASE WHEN t.is_agents
                         THEN t.scope_type = 'agent' AND q.scope_type = 'agent' AND t.scope_id = q.scope_id
                         ELSE t.scope_type = 'workspace'
                              OR (t.scope_type = q.scope_type AND t.scope_id = q.scope_id)
                              OR (t.scope_type = 'team' AND t.scope_id = q.team_id) END
               JOIN seen ON seen.card_id = t.card_id) n
      WHERE n.nth <= ${MOST_OUTCOMES}
      ORDER BY n.insight_id, n.hash, n.nth`,
    [...reader, insightIds, RECALLED_STATUSES],
  );
  for (const { insight_id, hash, ...outcome } of rows) {
    const byHash = evidence.get(insight_id) ?? new Map<string, PastOutcome[]>();
    byHash.set(hash, [...(byHash.get(hash) ?? []), outcome]);
    evidence.set(insight_id, byHash);
  }
  return evidence;
}

/** What came of these actions in all insights in use that the reader sees, by hash. */
export async function evidenceOfActions(
  tx: Tx,
  reader: ReaderArguments,
  hashes: readonly string[],
): Promise<Map<string, PastOutcome[]>> {
  const past = new Map<string, PastOutcome[]>();
  if (hashes.length === 0) return past;
  const rows = await tx.query<PastOutcome & { hash: string }>(
    `WITH told AS MATERIALIZED (
       SELECT o.hash, o.insight_id, o.action_id, o.result, o.size, o.metric, o.at, i.card_id
         FROM action_outcomes o
         JOIN insights i ON i.workspace_id = o.workspace_id AND i.id = o.insight_id
         JOIN LATERAL (
           SELECT k.status FROM cards k WHERE k.workspace_id = $1 AND k.id = i.card_id OFFSET 0
         ) c ON c.status = ANY ($8)
        WHERE o.workspace_id = $1 AND o.hash = ANY ($7)
     ),
     seen AS MATERIALIZED (
       SELECT DISTINCT v.card_id
         FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
        WHERE v.card_id = ANY (ARRAY(SELECT t.card_id FROM told t))
     )
     SELECT n.hash, n.result, n.size, n.metric, n.at
       FROM (SELECT t.*, row_number() OVER (PARTITION BY t.hash
                                            ORDER BY t.at DESC, t.insight_id, t.action_id) AS nth
               FROM told t JOIN seen ON seen.card_id = t.card_id) n
      WHERE n.nth <= ${MOST_OUTCOMES}
      ORDER BY n.hash, n.nth`,
    [...reader, hashes, RECALLED_STATUSES],
  );
  for (const { hash, ...outcome } of rows) past.set(hash, [...(past.get(hash) ?? []), outcome]);
  return past;
}
