import type { Team } from '../contracts/principal';
import type { Tx } from './database';
import { changedFields, type Put } from './directory-change';
import { type Slice, type SliceRequest, sliceById } from './paging';

const SELECT = 'SELECT id, name, created_at FROM teams WHERE workspace_id = $1';

export async function readTeam(tx: Tx, id: string): Promise<Team | null> {
  const [row] = await tx.query<Team>(`${SELECT} AND id = $2`, [tx.workspace, id]);
  return row ?? null;
}

export async function listTeams(tx: Tx, page: SliceRequest): Promise<Slice<Team>> {
  return await sliceById<Team>(tx, SELECT, [tx.workspace], page);
}

export async function putTeam(
  tx: Tx,
  id: string,
  change: { name: string },
  now: Date,
): Promise<Put<Team>> {
  const [made] = await tx.query<Team>(
    `INSERT INTO teams (workspace_id, id, name, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING
     RETURNING id, name, created_at`,
    [tx.workspace, id, change.name, now],
  );
  if (made !== undefined) return { resource: made, created: true, changed: ['name'] };
  const before = await tx.one<Team>(`${SELECT} AND id = $2 FOR NO KEY UPDATE`, [tx.workspace, id]);
  const changed = changedFields(before, change);
  if (changed.length === 0) return { resource: before, created: false, changed };
  await tx.query('UPDATE teams SET name = $3 WHERE workspace_id = $1 AND id = $2', [
    tx.workspace,
    id,
    change.name,
  ]);
  return { resource: { ...before, ...change }, created: false, changed };
}

/** @returns whether the team was missing. */
export async function ensureTeam(tx: Tx, id: string, now: Date): Promise<boolean> {
  const made = await tx.query(
    `INSERT INTO teams (workspace_id, id, name, created_at) VALUES ($1, $2, $2, $3)
     ON CONFLICT DO NOTHING RETURNING id`,
    [tx.workspace, id, now],
  );
  return made.length > 0;
}
