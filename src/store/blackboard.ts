import type { Json } from '../contracts/event';
import type { ReadContext } from '../contracts/principal';
import type { BlackboardEntry } from '../contracts/session';
import { personOf } from './access-log';
import type { Tx } from './database';
import { countCapped, type Slice, type SliceRequest } from './paging';

/** A session in which nothing was written or reported for this long has been left (P1D). */
const IDLE_MS = 86_400_000;
/** Sessions cleared in one go; the next sweep goes on. */
const MOST_CLEARED = 1_000;

const COLUMNS = `key, value, version, jsonb_build_object('kind', writer_kind, 'id', writer_id) AS writer,
                 created_at, updated_at`;
const OF_SESSION = 'FROM blackboard WHERE workspace_id = $1 AND session_id = $2';

export async function readEntry(
  tx: Tx,
  session: string,
  key: string,
): Promise<BlackboardEntry | null> {
  const [row] = await tx.query<BlackboardEntry>(`SELECT ${COLUMNS} ${OF_SESSION} AND key = $3`, [
    tx.workspace,
    session,
    key,
  ]);
  return row ?? null;
}

/** A page by key. */
export async function listEntries(
  tx: Tx,
  session: string,
  { after, limit }: SliceRequest,
): Promise<Slice<BlackboardEntry>> {
  const rows = await tx.query<BlackboardEntry>(
    `SELECT ${COLUMNS} ${OF_SESSION} AND ($3::text IS NULL OR key > $3) ORDER BY key LIMIT $4`,
    [tx.workspace, session, after, limit + 1],
  );
  const total = await countCapped(tx, `SELECT key ${OF_SESSION}`, [tx.workspace, session]);
  return { rows, total };
}

/** What the other keys of a session take. */
export async function spaceBeside(
  tx: Tx,
  session: string,
  key: string,
): Promise<{ keys: number; bytes: number }> {
  return await tx.one(
    `SELECT count(*) AS keys, COALESCE(sum(bytes), 0) AS bytes ${OF_SESSION} AND key <> $3`,
    [tx.workspace, session, key],
  );
}

export interface EntryToWrite {
  session: string;
  key: string;
  value: Json;
  /** Of the value as JSON. */
  bytes: number;
  writer: { kind: 'person' | 'agent'; id: string };
  now: Date;
}

/** Writes over whatever stands there; the session is held. @returns the entry as it stands now */
export async function writeEntry(tx: Tx, entry: EntryToWrite): Promise<BlackboardEntry> {
  const { session, key, value, bytes, writer, now } = entry;
  return await tx.one<BlackboardEntry>(
    `WITH counted AS (
       UPDATE sessions SET writes = writes + 1, active_at = $8
        WHERE workspace_id = $1 AND id = $2 RETURNING writes
     )
     INSERT INTO blackboard (workspace_id, session_id, key, value, bytes, version, writer_kind, writer_id,
                             created_at, updated_at)
     SELECT $1, $2, $3, $4::jsonb, $5, counted.writes, $6, $7, $8, $8 FROM counted
     ON CONFLICT (workspace_id, session_id, key)
     DO UPDATE SET value = EXCLUDED.value, bytes = EXCLUDED.bytes, version = EXCLUDED.version,
                   writer_kind = EXCLUDED.writer_kind, writer_id = EXCLUDED.writer_id,
                   updated_at = EXCLUDED.updated_at
     RETURNING ${COLUMNS}`,
    [tx.workspace, session, key, JSON.stringify(value), bytes, writer.kind, writer.id, now],
  );
}

export async function deleteEntry(tx: Tx, session: string, key: string): Promise<void> {
  await tx.query(`DELETE ${OF_SESSION} AND key = $3`, [tx.workspace, session, key]);
}

/** That a person looked, who has no part in the session; it commits with the read. */
export async function logBoardRead(
  tx: Tx,
  context: ReadContext,
  { at, count }: { at: Date; count: number },
): Promise<void> {
  if (count === 0) return;
  await tx.query(
    `INSERT INTO access_log (workspace_id, at, agent, person, execution_mode, session, via, surface, count,
                             card_ids)
     SELECT $1, $2, NULL, surrogate_of($1, 'person', $3), $4, $5, 'person', 'blackboard', $6, '{}'`,
    [tx.workspace, at, personOf(context), context.execution_mode, context.session, count],
  );
}

/** Empties the blackboards that were left. @returns how many entries went */
export async function clearIdleBoards(tx: Tx, now: Date): Promise<number> {
  const cleared = await tx.query(
    `WITH left_alone AS (
       SELECT s.id
         FROM sessions s
        WHERE s.workspace_id = $1 AND COALESCE(s.active_at, s.started_at) < $2
          AND EXISTS (SELECT 1 FROM blackboard b WHERE b.workspace_id = $1 AND b.session_id = s.id)
        LIMIT $3
          FOR UPDATE SKIP LOCKED
     )
     DELETE FROM blackboard b USING left_alone l WHERE b.workspace_id = $1 AND b.session_id = l.id
     RETURNING b.key`,
    [tx.workspace, new Date(now.getTime() - IDLE_MS), MOST_CLEARED],
  );
  return cleared.length;
}
