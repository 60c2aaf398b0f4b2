import type { MemoryMode, PrincipalKind } from '../contracts/names';
import type { Agent } from '../contracts/principal';
import type { Tx } from './database';
import { type Change, changedFields, given, type Put } from './directory-change';
import { type Slice, type SliceRequest, sliceById } from './paging';

const COLUMNS = `id, team_id AS team, parent_agent, depth, agent_type, memory_mode, restricted, succeeds,
                 writes_stopped, created_at`;
const SELECT = `SELECT ${COLUMNS} FROM agents WHERE workspace_id = $1`;

export type AgentChange = Change<Omit<Agent, 'id' | 'depth' | 'created_at'>>;

export async function readAgent(tx: Tx, id: string): Promise<Agent | null> {
  const [row] = await tx.query<Agent>(`${SELECT} AND id = $2`, [tx.workspace, id]);
  return row ?? null;
}

/** The agent as it stands, held until the transaction ends. */
export async function holdAgent(tx: Tx, id: string): Promise<Agent | null> {
  const [row] = await tx.query<Agent>(`${SELECT} AND id = $2 FOR NO KEY UPDATE`, [
    tx.workspace,
    id,
  ]);
  return row ?? null;
}

export interface AgentFilter {
  team: string | null;
  parent: string | null;
  /** Just this one: an agent reads itself. */
  only: string | null;
}

export async function listAgents(
  tx: Tx,
  filter: AgentFilter,
  page: SliceRequest,
): Promise<Slice<Agent>> {
  const select = `${SELECT} AND ($2::text IS NULL OR team_id = $2)
                    AND ($3::text IS NULL OR parent_agent = $3)
                    AND ($4::text IS NULL OR id = $4)`;
  const values = [tx.workspace, filter.team, filter.parent, filter.only];
  return await sliceById<Agent>(tx, select, values, page);
}

/** Which of these agents are not known. */
export async function unknownAgents(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT n.id FROM unnest($2::text[]) AS n (id)
      WHERE NOT EXISTS (SELECT 1 FROM agents a WHERE a.workspace_id = $1 AND a.id = n.id)
      ORDER BY n.id`,
    [tx.workspace, ids],
  );
  return rows.map((row) => row.id);
}

/**
 * Whether `agent` stands above `start` in the spawn tree, or is it. Every agent on the way is held, so
 * that two changes at the same moment cannot close a circle together: one waits, or is run again.
 */
export async function isAtOrAbove(tx: Tx, agent: string, start: string): Promise<boolean> {
  const seen = new Set<string>();
  let here: string | null = start;
  while (here !== null && !seen.has(here)) {
    if (here === agent) return true;
    seen.add(here);
    const [row]: { parent_agent: string | null }[] = await tx.query(
      'SELECT parent_agent FROM agents WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [tx.workspace, here],
    );
    here = row?.parent_agent ?? null;
  }
  return false;
}

/** @returns false where the agent was there already. */
export async function insertAgent(
  tx: Tx,
  id: string,
  registeredBy: PrincipalKind,
  now: Date,
): Promise<boolean> {
  const made = await tx.query(
    `INSERT INTO agents (workspace_id, id, registered_by, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING id`,
    [tx.workspace, id, registeredBy, now],
  );
  return made.length > 0;
}

/**
 * Changes an agent that is held; its team and its parent exist, and the parent closes no circle. With
 * another parent the depths of the agent and of all below it follow.
 */
export async function changeAgent(
  tx: Tx,
  before: Agent,
  change: AgentChange,
): Promise<Omit<Put<Agent>, 'created'>> {
  const changed = changedFields(before, change);
  if (changed.length === 0) return { resource: before, changed };
  const after: Agent = { ...before, ...given(change) };
  await tx.query(
    `UPDATE agents
        SET team_id = $3, parent_agent = $4, agent_type = $5, memory_mode = $6, restricted = $7,
            succeeds = $8, writes_stopped = $9
      WHERE workspace_id = $1 AND id = $2`,
    [
      tx.workspace,
      before.id,
      after.team,
      after.parent_agent,
      after.agent_type,
      after.memory_mode,
      after.restricted,
      after.succeeds,
      after.writes_stopped,
    ],
  );
  if (changed.includes('parent_agent')) await recountDepths(tx, before.id);
  const resource = await readAgent(tx, before.id);
  if (resource === null) throw new Error('an agent vanished while it was changed');
  return { resource, changed };
}

async function recountDepths(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `WITH RECURSIVE below AS (
       SELECT a.id, COALESCE(p.depth + 1, 0) AS depth
         FROM agents a
         LEFT JOIN agents p ON p.workspace_id = $1 AND p.id = a.parent_agent
        WHERE a.workspace_id = $1 AND a.id = $2
       UNION ALL
       SELECT a.id, b.depth + 1
         FROM below b
         JOIN agents a ON a.workspace_id = $1 AND a.parent_agent = b.id
     ) CYCLE id SET is_cycle USING path
     UPDATE agents a SET depth = b.depth
       FROM below b
      WHERE a.workspace_id = $1 AND a.id = b.id AND NOT b.is_cycle AND a.depth <> b.depth`,
    [tx.workspace, id],
  );
}

const STRICTNESS: Readonly<Record<MemoryMode, number>> = { automatic: 0, manual: 1, off: 2 };

/** The fields of a change that widen what the agent may do, or move it: a person's to decide. */
export function fieldsForPeople(before: Agent, change: AgentChange): string[] {
  const wide: Record<string, boolean> = {
    team: change.team !== undefined && change.team !== before.team,
    parent_agent: change.parent_agent !== undefined && change.parent_agent !== before.parent_agent,
    succeeds: change.succeeds !== undefined && change.succeeds !== before.succeeds,
    restricted: change.restricted === false && before.restricted,
    writes_stopped: change.writes_stopped === false && before.writes_stopped,
    memory_mode:
      change.memory_mode !== undefined &&
      STRICTNESS[change.memory_mode] < STRICTNESS[before.memory_mode],
  };
  return Object.keys(wide).filter((field) => wide[field]);
}
