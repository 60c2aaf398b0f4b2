import { takeFromMade } from './card-grants-made';
import type { Tx } from './database';

/** A card shared with one more agent, or with all of a group. */
export interface CardGrant {
  type: 'explicit' | 'agent_group';
  /** Of an explicit grant. */
  agent: string | null;
  /** Of a grant to a group. */
  group: string | null;
  purpose: string | null;
  expires_at: string | null;
  created_at: string;
}

export interface GrantTerms {
  purpose: string | null;
  expiresAt: Date | null;
  now: Date;
}

/** Gives or renews; the terms given now replace those of before. */
export async function grantToAgent(
  tx: Tx,
  cardId: string,
  agent: string,
  terms: GrantTerms,
): Promise<CardGrant> {
  return await tx.one<CardGrant>(
    `INSERT INTO card_grants (workspace_id, card_id, agent_id, grant_type, purpose, expires_at, created_at)
     VALUES ($1, $2, $3, 'explicit', $4, $5, $6)
     ON CONFLICT (workspace_id, card_id, agent_id, grant_type) DO UPDATE
        SET purpose = EXCLUDED.purpose, expires_at = EXCLUDED.expires_at
     RETURNING 'explicit' AS type, agent_id AS agent, NULL AS "group", purpose, expires_at, created_at`,
    [tx.workspace, cardId, agent, terms.purpose, terms.expiresAt, terms.now],
  );
}

/**
 * Takes it back, and with it that of what passes made of the card.
 * @returns ids of the cards that it was taken from, the card itself first; none where there was no grant.
 */
export async function revokeFromAgent(tx: Tx, cardId: string, agent: string): Promise<string[]> {
  const rows = await tx.query(
    `DELETE FROM card_grants
      WHERE workspace_id = $1 AND card_id = $2 AND agent_id = $3 AND grant_type = 'explicit'
     RETURNING agent_id`,
    [tx.workspace, cardId, agent],
  );
  return rows.length === 0 ? [] : [cardId, ...(await takeFromMade(tx, cardId, { agent }))];
}

/** Every member of the group gets its row now; who joins later gets one on joining. */
export async function grantToGroup(
  tx: Tx,
  cardId: string,
  group: string,
  terms: GrantTerms,
): Promise<CardGrant> {
  const grant = await tx.one<CardGrant>(
    `INSERT INTO card_group_grants (workspace_id, card_id, group_id, purpose, expires_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (workspace_id, card_id, group_id) DO UPDATE
        SET purpose = EXCLUDED.purpose, expires_at = EXCLUDED.expires_at
     RETURNING 'agent_group' AS type, NULL AS agent, group_id AS "group", purpose, expires_at, created_at`,
    [tx.workspace, cardId, group, terms.purpose, terms.expiresAt, terms.now],
  );
  await materialize(tx, cardId);
  return grant;
}

/** The same for a group. An agent of another group that the card is shared with keeps its row. */
export async function revokeFromGroup(tx: Tx, cardId: string, group: string): Promise<string[]> {
  const rows = await tx.query(
    `DELETE FROM card_group_grants
      WHERE workspace_id = $1 AND card_id = $2 AND group_id = $3
     RETURNING group_id`,
    [tx.workspace, cardId, group],
  );
  if (rows.length === 0) return [];
  await materialize(tx, cardId);
  return [cardId, ...(await takeFromMade(tx, cardId, { group }))];
}

async function materialize(tx: Tx, cardId: string): Promise<void> {
  await tx.query('SELECT materialize_group_grants($1, $2, NULL)', [tx.workspace, cardId]);
}

/** What stands, those that ran out included; the first one given first. */
export async function listGrants(tx: Tx, cardId: string): Promise<CardGrant[]> {
  return await tx.query<CardGrant>(
    `SELECT 'explicit' AS type, g.agent_id AS agent, NULL AS "group", g.purpose, g.expires_at, g.created_at
       FROM card_grants g
      WHERE g.workspace_id = $1 AND g.card_id = $2 AND g.grant_type = 'explicit'
     UNION ALL
     SELECT 'agent_group', NULL, s.group_id, s.purpose, s.expires_at, s.created_at
       FROM card_group_grants s
      WHERE s.workspace_id = $1 AND s.card_id = $2
      ORDER BY created_at, type, agent, "group"`,
    [tx.workspace, cardId],
  );
}

/** Whether all of these agents are in the owner's team or of its spawn tree. */
export async function isKin(tx: Tx, owner: string, agents: readonly string[]): Promise<boolean> {
  const { outside } = await tx.one<{ outside: number }>(
    `WITH RECURSIVE line AS (
       SELECT a.id AS agent, a.id AS ancestor, a.parent_agent, 0 AS hops
         FROM agents a
        WHERE a.workspace_id = $1 AND (a.id = $2 OR a.id = ANY ($3))
       UNION ALL
       SELECT l.agent, p.id, p.parent_agent, l.hops + 1
         FROM line l
         JOIN agents p ON p.workspace_id = $1 AND p.id = l.parent_agent
        WHERE l.hops < ${MOST_HOPS}
     ),
     root AS (
       SELECT agent, ancestor AS id FROM line WHERE parent_agent IS NULL
     )
     SELECT count(*) AS outside
       FROM unnest($3::text[]) AS wanted (id)
      WHERE NOT EXISTS (
              SELECT 1
                FROM agents a
                JOIN agents o ON o.workspace_id = $1 AND o.id = $2
               WHERE a.workspace_id = $1 AND a.id = wanted.id AND a.team_id = o.team_id)
        AND NOT EXISTS (
              SELECT 1
                FROM root r
                JOIN root o ON o.agent = $2 AND o.id = r.id
               WHERE r.agent = wanted.id)`,
    [tx.workspace, owner, agents],
  );
  return outside === 0;
}

/** Above the deepest spawn tree anybody runs; a circle in it ends here. */
const MOST_HOPS = 32;

/** @returns null where there is no such group. */
export async function membersOf(tx: Tx, group: string): Promise<string[] | null> {
  const [row] = await tx.query<{ members: string[] }>(
    `SELECT ARRAY(SELECT m.agent_id FROM group_members m
                   WHERE m.workspace_id = $1 AND m.group_id = g.id
                   ORDER BY m.agent_id) AS members
       FROM agent_groups g
      WHERE g.workspace_id = $1 AND g.id = $2`,
    [tx.workspace, group],
  );
  return row?.members ?? null;
}
