import type { MemoryMode } from '../contracts/names';
import type { Workspace } from '../contracts/principal';
import type { Database, Tx } from './database';
import { changedFields, given, type Put } from './directory-change';
import { type Slice, type SliceRequest, sliceById } from './paging';

const SELECT = 'SELECT workspace_id AS id, name, memory_mode, created_at FROM workspaces';

/** The workspace of the transaction. */
export async function readWorkspace(tx: Tx): Promise<Workspace> {
  return await tx.one<Workspace>(`${SELECT} WHERE workspace_id = $1`, [tx.workspace]);
}

export async function changeWorkspace(
  tx: Tx,
  change: { name?: string | undefined; memory_mode?: MemoryMode | undefined },
): Promise<Put<Workspace>> {
  const before = await tx.one<Workspace>(`${SELECT} WHERE workspace_id = $1 FOR NO KEY UPDATE`, [
    tx.workspace,
  ]);
  const changed = changedFields(before, change);
  if (changed.length === 0) return { resource: before, created: false, changed };
  const after: Workspace = { ...before, ...given(change) };
  await tx.query('UPDATE workspaces SET name = $2, memory_mode = $3 WHERE workspace_id = $1', [
    tx.workspace,
    after.name,
    after.memory_mode,
  ]);
  return { resource: after, created: false, changed };
}

/** For the owner of the installation. */
export async function listWorkspaces(
  database: Database,
  page: SliceRequest,
): Promise<Slice<Workspace>> {
  return await database.acrossWorkspaces((tx) => sliceById<Workspace>(tx, SELECT, [], page));
}

export async function findWorkspace(database: Database, id: string): Promise<Workspace | null> {
  return await database.acrossWorkspaces(async (tx) => {
    const [row] = await tx.query<Workspace>(`${SELECT} WHERE workspace_id = $1`, [id]);
    return row ?? null;
  });
}

/**
 * Does a part of a transaction in another workspace, and comes back: a workspace is made by a request
 * that belongs to one that exists.
 */
export async function inOtherWorkspace<T>(
  tx: Tx,
  workspace: string,
  work: (other: Tx) => Promise<T>,
): Promise<T> {
  const move = "SELECT set_config('cairn.workspace', $1, true)";
  await tx.query(move, [workspace]);
  const result = await work({ ...tx, workspace });
  await tx.query(move, [tx.workspace]);
  return result;
}

/** @returns false where the name is taken. */
export async function insertWorkspace(
  tx: Tx,
  workspace: { name: string; now: Date },
): Promise<boolean> {
  const made = await tx.query(
    `INSERT INTO workspaces (workspace_id, name, created_at) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING RETURNING workspace_id`,
    [tx.workspace, workspace.name, workspace.now],
  );
  return made.length > 0;
}
