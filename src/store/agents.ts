import type { MemoryMode, PrincipalKind } from '../contracts/names';
import type { Tx } from './database';

export interface AgentRow {
  id: string;
  team_id: string | null;
  parent_agent: string | null;
  depth: number;
  agent_type: string | null;
  memory_mode: MemoryMode;
  restricted: boolean;
  succeeds: string | null;
  writes_stopped: boolean;
  registered_by: PrincipalKind;
  created_at: string;
}

const COLUMNS = `id, team_id, parent_agent, depth, agent_type, memory_mode, restricted, succeeds,
                 writes_stopped, registered_by, created_at`;

export async function findAgents(tx: Tx, ids: readonly string[]): Promise<Map<string, AgentRow>> {
  const rows = await tx.query<AgentRow>(
    `SELECT ${COLUMNS} FROM agents WHERE workspace_id = $1 AND id = ANY ($2)`,
    [tx.workspace, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export interface NewAgent {
  id: string;
  team: string | null;
  parent: string | null;
  registeredBy: PrincipalKind;
  now: Date;
}

/**
 * Registers an agent at first sight, with its team and its parent where those are new too.
 * @returns null where somebody else registered it meanwhile: read it again.
 */
export async function registerAgent(tx: Tx, agent: NewAgent): Promise<AgentRow | null> {
  if (agent.team !== null) {
    await tx.query(
      `INSERT INTO teams (workspace_id, id, name, created_at) VALUES ($1, $2, $2, $3)
       ON CONFLICT DO NOTHING`,
      [tx.workspace, agent.team, agent.now],
    );
  }
  if (agent.parent !== null) {
    await tx.query(
      `INSERT INTO agents (workspace_id, id, registered_by, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING`,
      [tx.workspace, agent.parent, agent.registeredBy, agent.now],
    );
  }
  const [row] = await tx.query<AgentRow>(
    `INSERT INTO agents (workspace_id, id, team_id, parent_agent, depth, registered_by, created_at)
     SELECT $1, $2, $3, $4,
            COALESCE((SELECT p.depth + 1 FROM agents p WHERE p.workspace_id = $1 AND p.id = $4), 0), $5, $6
     ON CONFLICT DO NOTHING
     RETURNING ${COLUMNS}`,
    [tx.workspace, agent.id, agent.team, agent.parent, agent.registeredBy, agent.now],
  );
  return row ?? null;
}

/**
 * An agent that was met only as somebody's parent, or that only asked, is first seen with its own first
 * event: then the team and the parent that a runtime names count. Of one that a person registered, or
 * that settled work before, they do not.
 * @returns the agent as it stands now, or null where it was seen before.
 */
export async function adopt(
  tx: Tx,
  id: string,
  named: { team: string | null; parent: string | null },
  now: Date,
): Promise<AgentRow | null> {
  const [row] = await tx.query<AgentRow>(
    `WITH new_team AS (
       INSERT INTO teams (workspace_id, id, name, created_at)
       SELECT $1, $3, $3, $5 WHERE $3::text IS NOT NULL ON CONFLICT DO NOTHING
     ),
     new_parent AS (
       INSERT INTO agents (workspace_id, id, registered_by, created_at)
       SELECT $1, $4, 'runtime', $5 WHERE $4::text IS NOT NULL ON CONFLICT DO NOTHING
     )
     UPDATE agents a
        SET team_id = COALESCE(a.team_id, $3), parent_agent = COALESCE(a.parent_agent, $4),
            depth = CASE WHEN a.parent_agent IS NULL AND $4::text IS NOT NULL
                         THEN 1 + COALESCE((SELECT p.depth FROM agents p
                                             WHERE p.workspace_id = $1 AND p.id = $4), 0)
                         ELSE a.depth END
      WHERE a.workspace_id = $1 AND a.id = $2 AND a.registered_by <> 'person' AND a.id <> COALESCE($4, '')
        AND NOT EXISTS (SELECT 1 FROM events e WHERE e.workspace_id = $1 AND e.agent_id = $2)
        AND NOT EXISTS (SELECT 1 FROM agents child
                         WHERE child.workspace_id = $1 AND child.parent_agent = $2 AND child.id = $4)
      RETURNING ${COLUMNS}`,
    [tx.workspace, id, named.team, named.parent, now],
  );
  return row ?? null;
}
