import type { AgentGroup } from '../contracts/principal';
import type { Tx } from './database';
import type { Put } from './directory-change';
import { type Slice, type SliceRequest, sliceById } from './paging';

const SELECT = `SELECT g.id, g.created_at,
                       ARRAY(SELECT m.agent_id FROM group_members m
                              WHERE m.workspace_id = g.workspace_id AND m.group_id = g.id
                              ORDER BY m.agent_id COLLATE "C") AS members
                  FROM agent_groups g
                 WHERE g.workspace_id = $1`;

export async function readAgentGroup(tx: Tx, id: string): Promise<AgentGroup | null> {
  const [row] = await tx.query<AgentGroup>(`${SELECT} AND g.id = $2`, [tx.workspace, id]);
  return row ?? null;
}

export async function listAgentGroups(tx: Tx, page: SliceRequest): Promise<Slice<AgentGroup>> {
  return await sliceById<AgentGroup>(tx, SELECT, [tx.workspace], page);
}

/**
 * Sets who is in a group; every member is a known agent. What was granted to the group follows: who
 * leaves sees none of it by the very next read, who joins sees what the group has been granted.
 */
export async function putAgentGroup(
  tx: Tx,
  id: string,
  members: readonly string[],
  now: Date,
): Promise<Put<AgentGroup>> {
  const made = await tx.query(
    `INSERT INTO agent_groups (workspace_id, id, created_at) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING RETURNING id`,
    [tx.workspace, id, now],
  );
  await tx.query(
    'SELECT 1 FROM agent_groups WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE',
    [tx.workspace, id],
  );
  const joined = await tx.query(
    `INSERT INTO group_members (workspace_id, group_id, agent_id)
     SELECT DISTINCT $1, $2, unnest($3::text[])
     ON CONFLICT DO NOTHING RETURNING agent_id`,
    [tx.workspace, id, members],
  );
  await grantToJoined(tx, id, now);
  const left = await tx.query(
    `DELETE FROM group_members
      WHERE workspace_id = $1 AND group_id = $2 AND agent_id <> ALL ($3::text[])
      RETURNING agent_id`,
    [tx.workspace, id, members],
  );
  await revokeFromLeft(tx, id, now);
  const resource = await readAgentGroup(tx, id);
  if (resource === null) throw new Error('a group vanished while it was changed');
  const moved = joined.length + left.length > 0;
  return { resource, created: made.length > 0, changed: moved ? ['members'] : [] };
}

async function grantToJoined(tx: Tx, group: string, now: Date): Promise<void> {
  await tx.query(
    `INSERT INTO card_grants (workspace_id, card_id, agent_id, grant_type, group_id, purpose, expires_at, created_at)
     SELECT DISTINCT ON (g.card_id, m.agent_id)
            $1, g.card_id, m.agent_id, 'agent_group', $2, g.purpose, g.expires_at, $3::timestamptz
       FROM card_grants g
       JOIN group_members m ON m.workspace_id = $1 AND m.group_id = $2
      WHERE g.workspace_id = $1 AND g.group_id = $2 AND g.grant_type = 'agent_group'
      ORDER BY g.card_id, m.agent_id, g.created_at
     ON CONFLICT DO NOTHING`,
    [tx.workspace, group, now],
  );
}

/** An agent in another group with the same grant keeps it by way of that one. */
async function revokeFromLeft(tx: Tx, group: string, now: Date): Promise<void> {
  const gone = await tx.query<{ card_id: string; agent_id: string }>(
    `DELETE FROM card_grants g
      WHERE g.workspace_id = $1 AND g.group_id = $2 AND g.grant_type = 'agent_group'
        AND NOT EXISTS (SELECT 1 FROM group_members m
                         WHERE m.workspace_id = $1 AND m.group_id = $2 AND m.agent_id = g.agent_id)
      RETURNING g.card_id, g.agent_id`,
    [tx.workspace, group],
  );
  if (gone.length === 0) return;
  await tx.query(
    `INSERT INTO card_grants (workspace_id, card_id, agent_id, grant_type, group_id, purpose, expires_at, created_at)
     SELECT DISTINCT ON (l.card_id, l.agent_id)
            $1, l.card_id, l.agent_id, 'agent_group', g.group_id, g.purpose, g.expires_at, $3::timestamptz
       FROM jsonb_to_recordset($2::jsonb) AS l (card_id text, agent_id text)
       JOIN card_grants g ON g.workspace_id = $1 AND g.card_id = l.card_id AND g.grant_type = 'agent_group'
       JOIN group_members m ON m.workspace_id = $1 AND m.group_id = g.group_id AND m.agent_id = l.agent_id
      ORDER BY l.card_id, l.agent_id, g.created_at
     ON CONFLICT DO NOTHING`,
    [tx.workspace, JSON.stringify(gone), now],
  );
}
