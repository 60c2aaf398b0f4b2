import type { Tx } from './database';

/** What is left of a text that was purged, where a column must not be empty. */
export const PURGED = 'purged';

/**
 * Deletes what stands beside these cards and tells of their text: who they were shown to and why, what a person
 * said when they changed them, drafts made from them, tests of skills that replay them. Rows that hold ids, numbers
 * and codes stay. Of edges those stay that say where a living card came from, or that a warning was resolved,
 * without their reason.
 * @param events that the cards were made from
 */
export async function purgeBeside(
  tx: Tx,
  cards: readonly string[],
  events: readonly string[],
): Promise<void> {
  for (const statement of BESIDE) await tx.query(statement, [tx.workspace, cards]);
  await tx.query('DELETE FROM capture_drafts WHERE workspace_id = $1 AND event_id = ANY ($2)', [
    tx.workspace,
    events,
  ]);
}

const INSIGHTS = `insight_id IN (
  SELECT i.id FROM insights i WHERE i.workspace_id = $1 AND i.card_id = ANY ($2))`;

/** Of an action that no insight recommends any more the hash stays, by which it may be blocked; its text goes. */
const OF_INSIGHTS = [
  `DELETE FROM action_outcomes WHERE workspace_id = $1 AND ${INSIGHTS}`,
  `DELETE FROM metric_snapshots WHERE workspace_id = $1 AND ${INSIGHTS}`,
  `WITH gone AS (DELETE FROM insight_actions WHERE workspace_id = $1 AND ${INSIGHTS} RETURNING insight_id, id, hash),
   last AS (
     SELECT g.hash FROM gone g
      WHERE NOT EXISTS (
              SELECT 1 FROM insight_actions a
               WHERE a.workspace_id = $1 AND a.hash = g.hash
                 AND NOT EXISTS (SELECT 1 FROM gone h WHERE h.insight_id = a.insight_id AND h.id = a.id))
   )
   UPDATE actions SET text = '${PURGED}' WHERE workspace_id = $1 AND hash IN (SELECT l.hash FROM last l)`,
  `DELETE FROM insights WHERE workspace_id = $1 AND card_id = ANY ($2)`,
];

const OF_CARDS = 'WHERE workspace_id = $1 AND card_id = ANY ($2)';

/** In this order: a row goes before the one that it refers to. */
const BESIDE = [
  `DELETE FROM card_grants ${OF_CARDS}`,
  `DELETE FROM card_group_grants ${OF_CARDS}`,
  `DELETE FROM card_usage ${OF_CARDS}`,
  `DELETE FROM confidence_marks ${OF_CARDS}`,
  `DELETE FROM edges
    WHERE workspace_id = $1 AND (from_card = ANY ($2) OR to_card = ANY ($2))
      AND type NOT IN ('derived_from', 'supersedes', 'satisfies')`,
  `UPDATE edges SET reason = '${PURGED}'
    WHERE workspace_id = $1 AND (from_card = ANY ($2) OR to_card = ANY ($2)) AND reason <> '${PURGED}'`,
  `UPDATE reflections SET draft = NULL
    WHERE workspace_id = $1 AND draft IS NOT NULL AND (sources && $2::text[] OR card_id = ANY ($2))`,
  `DELETE FROM watches ${OF_CARDS}`,
  'DELETE FROM run_drafts WHERE workspace_id = $1 AND sources && $2::text[]',
  'UPDATE reflections SET draft = NULL WHERE workspace_id = $1 AND sources && $2::text[] AND draft IS NOT NULL',
  `DELETE FROM watches ${OF_CARDS}`,
  `DELETE FROM reasons
    WHERE workspace_id = $1
      AND id IN (SELECT a.reason_id FROM audit_log a
                  WHERE a.workspace_id = $1 AND a.target_type = 'card' AND a.target_id = ANY ($2)
                    AND a.reason_id IS NOT NULL)`,
  'DELETE FROM skill_tests WHERE workspace_id = $1 AND (card_id = ANY ($2) OR source_card = ANY ($2))',
  `DELETE FROM skill_versions ${OF_CARDS}`,
  `DELETE FROM skills ${OF_CARDS}`,
  ...OF_INSIGHTS,
];
