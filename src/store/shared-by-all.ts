import type { Tx } from './database';

/**
 * Shares a card that was made of others with those alone who see each of them: of every agent and group that all
 * sources are shared with, the grant that ends first. Their rows are held by the caller. A purpose is kept where all
 * name the same one.
 */
export async function shareAsSources(
  tx: Tx,
  card: string,
  sources: readonly string[],
  now: Date,
): Promise<void> {
  const among = [tx.workspace, card, sources, sources.length, now];
  await tx.query(
    `INSERT INTO card_grants (workspace_id, card_id, agent_id, grant_type, purpose, expires_at, created_at)
     SELECT g.workspace_id, $2, g.agent_id, g.grant_type,
            CASE WHEN count(DISTINCT COALESCE(g.purpose, '')) = 1 THEN max(g.purpose) END, min(g.expires_at), $5
       FROM card_grants g
      WHERE g.workspace_id = $1 AND g.card_id = ANY ($3) AND g.grant_type <> 'agent_group'
        AND (g.expires_at IS NULL OR g.expires_at > $5)
      GROUP BY g.workspace_id, g.agent_id, g.grant_type
     HAVING count(*) = $4`,
    among,
  );
  const groups = await tx.query(
    `INSERT INTO card_group_grants (workspace_id, card_id, group_id, purpose, expires_at, created_at)
     SELECT g.workspace_id, $2, g.group_id,
            CASE WHEN count(DISTINCT COALESCE(g.purpose, '')) = 1 THEN max(g.purpose) END, min(g.expires_at), $5
       FROM card_group_grants g
      WHERE g.workspace_id = $1 AND g.card_id = ANY ($3) AND (g.expires_at IS NULL OR g.expires_at > $5)
      GROUP BY g.workspace_id, g.group_id
     HAVING count(*) = $4
     RETURNING group_id`,
    among,
  );
  if (groups.length === 0) return;
  await tx.query('SELECT materialize_group_grants($1, $2, NULL)', [tx.workspace, card]);
}
