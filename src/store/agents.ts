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

/** An agent known only as somebody's parent takes its team from its own first event. */
export async function adoptTeam(tx: Tx, id: string, team: string, now: Date): Promise<void> {
  await tx.query(
    `WITH made AS (
       INSERT INTO teams (workspace_id, id, name, created_at) VALUES ($1, $3, $3, $4) ON CONFLICT DO NOTHING
     )
     UPDATE agents SET team_id = $3 WHERE workspace_id = $1 AND id = $2 AND team_id IS NULL`,
    [tx.workspace, id, team, now],
  );
}
