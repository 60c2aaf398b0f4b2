import { SESSION_IDLE_MS } from './console-sessions';
import type { Tx } from './database';

/** An audit row, as far as it says what changed. */
export interface ChangeRow {
  seq: number;
  action: string;
  target_type: string;
  /** A name where the log keeps a surrogate for it, unless that was erased. */
  target: string;
}

/**
 * Rows of the audit log after a number, in their order.
 * @param but numbers that are known already: rows are committed in another order than they are numbered
 */
export async function auditAfter(
  tx: Tx,
  after: number,
  but: readonly number[],
  limit: number,
): Promise<ChangeRow[]> {
  return await tx.query<ChangeRow>(
    `SELECT a.seq, a.action, a.target_type, COALESCE(s.name, a.target_id) AS target
       FROM audit_log a
       LEFT JOIN surrogates s ON s.workspace_id = $1 AND s.id = a.target_id
      WHERE a.workspace_id = $1 AND a.seq > $2 AND a.seq <> ALL ($3::bigint[])
      ORDER BY a.seq
      LIMIT $4`,
    [tx.workspace, after, but, limit],
  );
}

/** One of the newest runs, or of those that were asked for by id. */
export interface RunMark {
  id: string;
  type: string;
  /** Of a capture. */
  event_id: string | null;
  is_open: boolean;
  /** Another one as soon as anything of it is. */
  mark: string;
}

/**
 * Work leaves no row in the audit log when it begins and ends: the newest runs are looked at as they are, by the
 * index of their times, and so are passes that go on; others that go on beside them by their ids.
 */
export async function runMarks(
  tx: Tx,
  newest: number,
  beside: readonly string[],
): Promise<RunMark[]> {
  return await tx.query<RunMark>(
    `SELECT r.id, r.type, k.event_id, r.state IN ('pending', 'running') AS is_open,
            md5(concat_ws('|', r.state, r.finished_at, r.paused, r.undone_at, r.counts, r.result, k.disposition)) AS mark
       FROM (SELECT id FROM (SELECT id FROM runs WHERE workspace_id = $1 ORDER BY created_at DESC, id LIMIT $2) newest
             UNION
             SELECT id FROM runs
              WHERE workspace_id = $1 AND state IN ('pending', 'running') AND day IS NOT NULL AND parent_id IS NULL
             UNION
             SELECT unnest($3::text[])) wanted
       JOIN runs r ON r.workspace_id = $1 AND r.id = wanted.id
       LEFT JOIN captures k ON k.workspace_id = $1 AND k.operation_id = r.id AND r.type = 'capture'`,
    [tx.workspace, newest, beside],
  );
}

/** Who listens: by a session, or by a key. */
export interface Listening {
  keyId: string;
  session: Buffer | null;
}

/** Of each who listens, in their order: the role that they have now, or null where session, key or person is gone. */
export async function rolesNow(
  tx: Tx,
  listening: readonly Listening[],
  now: Date,
): Promise<(string | null)[]> {
  const rows = await tx.query<{ role: string | null }>(
    `SELECT p.role
       FROM ROWS FROM (unnest($2::text[]), unnest($3::bytea[])) WITH ORDINALITY AS l (key_id, session, n)
       LEFT JOIN console_sessions s ON s.workspace_id = $1 AND s.token_hash = l.session
                                   AND s.expires_at > $4 AND s.last_seen_at > $5
       LEFT JOIN api_keys k ON k.workspace_id = $1 AND k.id = l.key_id AND k.revoked_at IS NULL
                           AND (k.expires_at IS NULL OR k.expires_at > $4)
                           AND (l.session IS NULL OR s.key_id = k.id)
       LEFT JOIN people p ON p.workspace_id = $1 AND p.id = k.principal_id AND k.principal_kind = 'person'
      ORDER BY l.n`,
    [
      tx.workspace,
      listening.map(({ keyId }) => keyId),
      listening.map(({ session }) => session),
      now,
      new Date(now.getTime() - SESSION_IDLE_MS),
    ],
  );
  return rows.map(({ role }) => role);
}
