import type { PersonRole } from '../contracts/names';
import type { Person } from '../contracts/principal';
import type { Tx } from './database';
import { changedFields, given, type Put } from './directory-change';
import { type Slice, type SliceRequest, sliceById } from './paging';

const COLUMNS = 'id, name, email_token AS email, role, subject_id AS subject, created_at';
const SELECT = `SELECT ${COLUMNS} FROM people WHERE workspace_id = $1`;

export interface PersonChange {
  name: string;
  role: PersonRole;
  /** The token of the address, never the address. */
  email?: string | null | undefined;
  /** One that exists. */
  subject?: string | null | undefined;
}

export async function readPerson(tx: Tx, id: string): Promise<Person | null> {
  const [row] = await tx.query<Person>(`${SELECT} AND id = $2`, [tx.workspace, id]);
  return row ?? null;
}

export async function listPeople(tx: Tx, page: SliceRequest): Promise<Slice<Person>> {
  return await sliceById<Person>(tx, SELECT, [tx.workspace], page);
}

export async function putPerson(
  tx: Tx,
  id: string,
  change: PersonChange,
  now: Date,
): Promise<Put<Person>> {
  const [made] = await tx.query<Person>(
    `INSERT INTO people (workspace_id, id, name, email_token, role, subject_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT DO NOTHING
     RETURNING ${COLUMNS}`,
    [tx.workspace, id, change.name, change.email ?? null, change.role, change.subject ?? null, now],
  );
  if (made !== undefined) {
    return { resource: made, created: true, changed: Object.keys(given(change)) };
  }
  const before = await tx.one<Person>(`${SELECT} AND id = $2 FOR NO KEY UPDATE`, [
    tx.workspace,
    id,
  ]);
  const changed = changedFields(before, change);
  if (changed.length === 0) return { resource: before, created: false, changed };
  const after: Person = { ...before, ...given(change) };
  await tx.query(
    `UPDATE people SET name = $3, email_token = $4, role = $5, subject_id = $6
      WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, id, after.name, after.email, after.role, after.subject],
  );
  return { resource: after, created: false, changed };
}

/** Owners besides this one; their rows are held, so that two do not leave at the same moment. */
export async function otherOwners(tx: Tx, id: string): Promise<number> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM people WHERE workspace_id = $1 AND role = 'owner' ORDER BY id FOR NO KEY UPDATE`,
    [tx.workspace],
  );
  return rows.filter((row) => row.id !== id).length;
}
