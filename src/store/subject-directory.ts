import type { Subject } from '../contracts/principal';
import type { Tx } from './database';
import { type Change, changedFields, given, type Put } from './directory-change';
import { type Slice, type SliceRequest, sliceById } from './paging';

export interface SubjectRecord extends Subject {
  /** Its name is redacted from everything that is captured. */
  redact_name: boolean;
}

export type SubjectChange = Change<Omit<SubjectRecord, 'id' | 'created_at'>>;

const COLUMNS = 'id, name, kind, household, memory, redact_name, created_at';
const SELECT = `SELECT ${COLUMNS} FROM subjects WHERE workspace_id = $1`;

export async function readSubject(tx: Tx, id: string): Promise<SubjectRecord | null> {
  const [row] = await tx.query<SubjectRecord>(`${SELECT} AND id = $2`, [tx.workspace, id]);
  return row ?? null;
}

export async function listSubjects(tx: Tx, page: SliceRequest): Promise<Slice<SubjectRecord>> {
  return await sliceById<SubjectRecord>(tx, SELECT, [tx.workspace], page);
}

export async function putSubject(
  tx: Tx,
  id: string,
  change: SubjectChange,
  now: Date,
): Promise<Put<SubjectRecord>> {
  const created = await ensureSubject(tx, id, now);
  const before = await tx.one<SubjectRecord>(`${SELECT} AND id = $2 FOR NO KEY UPDATE`, [
    tx.workspace,
    id,
  ]);
  const changed = changedFields(before, change);
  if (changed.length === 0) return { resource: before, created, changed };
  const after: SubjectRecord = { ...before, ...given(change) };
  await tx.query(
    `UPDATE subjects SET name = $3, kind = $4, household = $5, memory = $6, redact_name = $7
      WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, id, after.name, after.kind, after.household, after.memory, after.redact_name],
  );
  return { resource: after, created, changed };
}

/** @returns whether the subject was missing. */
export async function ensureSubject(tx: Tx, id: string, now: Date): Promise<boolean> {
  const made = await tx.query(
    `INSERT INTO subjects (workspace_id, id, created_at) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING RETURNING id`,
    [tx.workspace, id, now],
  );
  return made.length > 0;
}
