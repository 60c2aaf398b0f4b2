import type { Tx } from './database';
import { noteTerms } from './erasure-terms';

/** What they said why: in the log by whoever acted, in what was decided, and in what they asked for. */
const THEIRS = `
  SELECT a.reason_id AS id
    FROM named n
    JOIN surrogates s ON s.workspace_id = $1 AND s.kind = $3 AND s.name = n.id
    JOIN audit_log a ON a.workspace_id = $1 AND a.actor_kind = $3 AND a.actor_id = s.id AND a.reason_id IS NOT NULL
   WHERE a.at <= n.at AND NOT is_held($1, a.target_type, a.target_id)
   UNION ALL
  SELECT d.reason_id
    FROM named n
    JOIN proposal_decisions d ON d.workspace_id = $1 AND d.by_person = n.id AND d.at <= n.at
   WHERE $3 = 'person' AND d.reason_id IS NOT NULL AND NOT is_held($1, 'proposal', d.proposal_id)
   UNION ALL
  SELECT d.reason_id
    FROM named n
    JOIN decision_intents d ON d.workspace_id = $1 AND d.by_person = n.id AND d.created_at <= n.at
   WHERE $3 = 'person' AND d.reason_id IS NOT NULL AND NOT is_held($1, 'proposal', d.proposal_id)
   UNION ALL
  SELECT p.change ->> 'reason_id'
    FROM named n
    JOIN proposals p ON p.workspace_id = $1 AND p.proposed_by_kind = $3 AND p.proposed_by = n.id AND p.created_at <= n.at
   WHERE p.change ->> 'reason_id' IS NOT NULL AND NOT is_held($1, 'proposal', p.id)`;

/**
 * Erases why these people or agents did what they did, in their words, before the names go by which the log tells whose
 * words they are. Why a legal hold stands stays with it.
 * @returns how many went
 */
export async function eraseReasonsBy(
  tx: Tx,
  erasureId: string,
  kind: 'person' | 'agent',
  ids: readonly string[],
): Promise<number> {
  const gone = await tx.query<{ text: string }>(
    `WITH named AS (
       SELECT i.id, i.at FROM erasure_items i
        WHERE i.workspace_id = $1 AND i.erasure_id = $2 AND i.kind = $3 AND i.id = ANY ($4)
     )
     DELETE FROM reasons r
      WHERE r.workspace_id = $1 AND r.id IN (${THEIRS})
        AND NOT EXISTS (SELECT 1 FROM legal_holds h WHERE h.workspace_id = $1 AND h.reason_id = r.id)
     RETURNING r.text`,
    [tx.workspace, erasureId, kind, ids],
  );
  const purposes = await dropPurposes(tx, erasureId, kind, ids);
  await noteTerms(tx, erasureId, { texts: [...gone, ...purposes].map(({ text }) => text) });
  return gone.length;
}

/**
 * What cards were shared for. The log tells who shared a card, and with whom by a hash alone: of a card that several
 * have shared none keeps a purpose.
 */
async function dropPurposes(
  tx: Tx,
  erasureId: string,
  kind: 'person' | 'agent',
  ids: readonly string[],
): Promise<{ text: string }[]> {
  const gone: { text: string }[] = [];
  for (const table of ['card_grants', 'card_group_grants']) {
    const rows = await tx.query<{ text: string }>(
      `WITH due AS (
         SELECT g.ctid AS at, g.purpose FROM ${table} g
          WHERE g.workspace_id = $1 AND g.purpose IS NOT NULL AND NOT is_held($1, 'card', g.card_id)
            AND g.card_id IN (
                  SELECT a.target_id
                    FROM erasure_items i
                    JOIN surrogates s ON s.workspace_id = $1 AND s.kind = $3 AND s.name = i.id
                    JOIN audit_log a ON a.workspace_id = $1 AND a.actor_kind = $3 AND a.actor_id = s.id AND a.at <= i.at
                   WHERE i.workspace_id = $1 AND i.erasure_id = $2 AND i.kind = $3 AND i.id = ANY ($4)
                     AND a.target_type = 'card' AND 'grants' = ANY (a.changed))
       )
       UPDATE ${table} g SET purpose = NULL FROM due d
        WHERE g.workspace_id = $1 AND g.ctid = d.at
       RETURNING d.purpose AS text`,
      [tx.workspace, erasureId, kind, ids],
    );
    gone.push(...rows);
  }
  return gone;
}
