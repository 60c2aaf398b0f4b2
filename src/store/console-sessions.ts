import { HOUR_MS } from '../domain/durations';
import type { Tx } from './database';

/** A working day: whoever comes back the next one signs in again. */
export const SESSION_LASTS_MS = 12 * HOUR_MS;
/** Without a request. */
export const SESSION_IDLE_MS = 2 * HOUR_MS;
/** Of one key, in as many browsers; the oldest give way, so that signing in again and again leaves no heap. */
const MOST_OF_A_KEY = 20;
/** Of one workspace at one sweep. */
const MOST_FORGOTTEN = 10_000;

export interface NewSession {
  /** SHA-256 of what the cookie holds. */
  hash: Buffer;
  keyId: string;
  now: Date;
}

export async function insertSession(tx: Tx, { hash, keyId, now }: NewSession): Promise<void> {
  await tx.query(
    `INSERT INTO console_sessions (workspace_id, token_hash, key_id, created_at, last_seen_at, expires_at)
     VALUES ($1, $2, $3, $4, $4, $5)`,
    [tx.workspace, hash, keyId, now, new Date(now.getTime() + SESSION_LASTS_MS)],
  );
  await tx.query(
    `DELETE FROM console_sessions
      WHERE workspace_id = $1 AND key_id = $2
        AND token_hash IN (SELECT token_hash FROM console_sessions
                            WHERE workspace_id = $1 AND key_id = $2 AND token_hash <> $3
                            ORDER BY created_at DESC, token_hash OFFSET $4)`,
    [tx.workspace, keyId, hash, MOST_OF_A_KEY - 1],
  );
}

/** In the workspace of the transaction, or across workspaces. @returns whether there was one */
export async function deleteSession(tx: Tx, hash: Buffer): Promise<boolean> {
  const rows = await tx.query(
    'DELETE FROM console_sessions WHERE token_hash = $1 RETURNING token_hash',
    [hash],
  );
  return rows.length > 0;
}

/** Those that are over, and those whose key is. @returns how many went */
export async function forgetEndedSessions(tx: Tx, now: Date): Promise<number> {
  const rows = await tx.query(
    `DELETE FROM console_sessions s
      USING (SELECT c.token_hash
               FROM console_sessions c JOIN api_keys k ON k.workspace_id = $1 AND k.id = c.key_id
              WHERE c.workspace_id = $1
                AND (c.expires_at <= $2 OR c.last_seen_at <= $3 OR k.revoked_at IS NOT NULL OR k.expires_at <= $2)
              LIMIT $4) ended
      WHERE s.workspace_id = $1 AND s.token_hash = ended.token_hash
     RETURNING s.key_id`,
    [tx.workspace, now, new Date(now.getTime() - SESSION_IDLE_MS), MOST_FORGOTTEN],
  );
  return rows.length;
}
