import type { Project } from '../contracts/principal';
import type { Tx } from './database';
import { changedFields, given, type Put } from './directory-change';
import { type Slice, type SliceRequest, sliceById } from './paging';

const COLUMNS = 'id, name, status, closed_at, created_at';
const SELECT = `SELECT ${COLUMNS} FROM projects WHERE workspace_id = $1`;

export async function readProject(tx: Tx, id: string): Promise<Project | null> {
  const [row] = await tx.query<Project>(`${SELECT} AND id = $2`, [tx.workspace, id]);
  return row ?? null;
}

export async function listProjects(
  tx: Tx,
  page: SliceRequest & { status: Project['status'] | null },
): Promise<Slice<Project>> {
  const select = `${SELECT} AND ($2::text IS NULL OR status = $2)`;
  return await sliceById<Project>(tx, select, [tx.workspace, page.status], page);
}

export async function putProject(
  tx: Tx,
  id: string,
  change: { name?: string | null | undefined },
  now: Date,
): Promise<Put<Project>> {
  const [made] = await tx.query<Project>(
    `INSERT INTO projects (workspace_id, id, name, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING
     RETURNING ${COLUMNS}`,
    [tx.workspace, id, change.name ?? null, now],
  );
  if (made !== undefined) {
    return { resource: made, created: true, changed: Object.keys(given(change)) };
  }
  const before = await tx.one<Project>(`${SELECT} AND id = $2 FOR NO KEY UPDATE`, [
    tx.workspace,
    id,
  ]);
  const changed = changedFields(before, change);
  if (changed.length === 0) return { resource: before, created: false, changed };
  const after: Project = { ...before, ...given(change) };
  await tx.query('UPDATE projects SET name = $3 WHERE workspace_id = $1 AND id = $2', [
    tx.workspace,
    id,
    after.name,
  ]);
  return { resource: after, created: false, changed };
}

/**
 * Closes a project for good; one that was only ever named by events is remembered as closed too.
 * @returns whether it was open.
 */
export async function closeProject(tx: Tx, id: string, now: Date): Promise<boolean> {
  const closed = await tx.query(
    `UPDATE projects SET status = 'closed', closed_at = $3
      WHERE workspace_id = $1 AND id = $2 AND status = 'open'
      RETURNING id`,
    [tx.workspace, id, now],
  );
  return closed.length > 0;
}

/** Whether any card that is in use names the project; said to people and runtimes, so of all cards. */
export async function isNamed(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { named } = await tx.one<{ named: boolean }>(
    `SELECT EXISTS (
       SELECT 1
         FROM visible_cards($1, NULL, NULL, true, NULL, $3::timestamptz) v
         JOIN cards c ON c.workspace_id = $1 AND c.id = v.card_id
        WHERE c.project = $2
     ) AS named`,
    [tx.workspace, id, now],
  );
  return named;
}

/** Whether the project is closed; held until the transaction ends, so that it is not closed meanwhile. */
export async function projectIsClosed(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx.query<{ status: Project['status'] }>(
    'SELECT status FROM projects WHERE workspace_id = $1 AND id = $2 FOR SHARE',
    [tx.workspace, id],
  );
  return row?.status === 'closed';
}
