import { createHash } from 'node:crypto';
import type { PersonRole, PrincipalKind } from '../contracts/names';
import type { PolicyPatch } from '../contracts/policy';
import { SESSION_IDLE_MS } from './console-sessions';
import type { Database, Tx } from './database';

/** What a request brings to say whose it is, as its SHA-256: a key, or the cookie that a key has opened a session by. */
export interface Presented {
  by: 'key' | 'session';
  hash: Buffer;
}

export interface Credential {
  workspace_id: string;
  key_id: string;
  /** The key's own rate. */
  requests_per_minute: number | null;
  principal_kind: PrincipalKind;
  principal_id: string;
  bootstrap: boolean;
  role: PersonRole | null;
  subject_id: string | null;
  agent: string | null;
  person: string | null;
  /** Whether those two are known. */
  agent_known: boolean;
  person_known: boolean;
  /** Of the agent that reads or writes. */
  restricted: boolean;
  /** Whether it is an agent that reads, and one whose memory is off, by itself or with the whole workspace. */
  memory_off: boolean;
  /** Whether a person stopped what it writes: the agent's writes, or its runtime as a source. */
  stopped: boolean;
  /** What the policy says beyond the defaults, as of this request. */
  policy_document: PolicyPatch;
  /** Whether its directory has names that are taken out of texts. */
  redacts_names: boolean;
  /** When the session is over, where it is one that was presented. */
  session_expires_at: string | null;
}

/** What is kept of a key, and what it is found by. */
export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** A key in steady use is written to this often. */
const USE_NOTED_MS = 60_000;

type Known = Pick<
  Credential,
  | 'role'
  | 'subject_id'
  | 'agent_known'
  | 'person_known'
  | 'restricted'
  | 'memory_off'
  | 'stopped'
  | 'policy_document'
  | 'redacts_names'
>;

interface KeyRow {
  workspace_id: string;
  id: string;
  principal_kind: PrincipalKind;
  principal_id: string;
  bootstrap: boolean;
  requests_per_minute: number | null;
  session_expires_at: string | null;
  unnoted: boolean;
}

const KEY_COLUMNS = `k.workspace_id, k.id, k.principal_kind, k.principal_id, k.bootstrap, k.requests_per_minute,
              set_config('cairn.workspace', k.workspace_id, true)`;
const GOOD_KEY = 'k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)';
const UNNOTED = 'k.last_used_at IS NULL OR k.last_used_at < $3';

const OF_KEY = `
       SELECT ${KEY_COLUMNS}, NULL AS session_expires_at, ${UNNOTED} AS unnoted
         FROM api_keys k
        WHERE k.key_hash = $1 AND ${GOOD_KEY}`;

/** A session is good for as long as its key is, and only a person's key opens one. */
const OF_SESSION = `
       SELECT ${KEY_COLUMNS}, s.expires_at AS session_expires_at, ${UNNOTED} OR s.last_seen_at < $3 AS unnoted
         FROM console_sessions s JOIN api_keys k ON k.workspace_id = s.workspace_id AND k.id = s.key_id
        WHERE s.token_hash = $1 AND s.expires_at > $2 AND s.last_seen_at > $4
          AND k.principal_kind = 'person' AND ${GOOD_KEY}`;

/**
 * Who a key or a session stands for, judged now: a key that was revoked or ran out is nobody's, and so is every
 * session that it opened.
 * @param named the agent and the person that the request names, as this workspace knows them.
 * @returns null where no such key or session is good.
 */
export async function findCredential(
  database: Database,
  { by, hash }: Presented,
  named: (workspace: string) => { agent: string | null; person: string | null },
  now: Date,
): Promise<Credential | null> {
  return await database.acrossWorkspaces(async (tx) => {
    const values = [hash, now, before(now, USE_NOTED_MS)];
    const [key] = await (by === 'key'
      ? tx.query<KeyRow>(OF_KEY, values)
      : tx.query<KeyRow>(OF_SESSION, [...values, before(now, SESSION_IDLE_MS)]));
    if (key === undefined) return null;
    if (key.unnoted) await noteUse(tx, key, now);
    if (key.unnoted && by === 'session') await noteSession(tx, key.workspace_id, hash, now);
    const names = named(key.workspace_id);
    const agent = key.principal_kind === 'agent' ? key.principal_id : names.agent;
    const known = await tx.one<Known>(
      `SELECT p.role, p.subject_id, a.id IS NOT NULL AS agent_known, f.id IS NOT NULL AS person_known,
              COALESCE(a.restricted, false) AS restricted,
              $4::text IS NOT NULL AND memory_off($1, $4) AS memory_off,
              is_stopped($1, $4, $3, $2, NULL) AS stopped,
              COALESCE(p_now.document, '{}') AS policy_document,
              EXISTS (SELECT 1 FROM subjects WHERE workspace_id = $1 AND redact_name) AS redacts_names
         FROM workspaces w
         LEFT JOIN people p ON p.workspace_id = $1 AND p.id = $2 AND $3 = 'person'
         LEFT JOIN agents a ON a.workspace_id = $1 AND a.id = $4
         LEFT JOIN people f ON f.workspace_id = $1 AND f.id = $5
         LEFT JOIN LATERAL (
           SELECT document FROM policies
            WHERE workspace_id = $1
            ORDER BY version DESC LIMIT 1
         ) p_now ON true
        WHERE w.workspace_id = $1`,
      [key.workspace_id, key.principal_id, key.principal_kind, agent, names.person],
    );
    return {
      workspace_id: key.workspace_id,
      key_id: key.id,
      requests_per_minute: key.requests_per_minute,
      principal_kind: key.principal_kind,
      principal_id: key.principal_id,
      bootstrap: key.bootstrap,
      session_expires_at: key.session_expires_at,
      agent,
      person: names.person,
      ...known,
    };
  });
}

/** Of several requests at this moment one notes it, and no other waits for that one. */
async function noteUse(
  tx: Tx,
  key: { workspace_id: string; id: string },
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE api_keys SET last_used_at = $3
      WHERE workspace_id = $1
        AND id = (SELECT id FROM api_keys WHERE workspace_id = $1 AND id = $2 FOR UPDATE SKIP LOCKED)`,
    [key.workspace_id, key.id, now],
  );
}

/** As with keys: of several requests one notes it. */
async function noteSession(tx: Tx, workspace: string, hash: Buffer, now: Date): Promise<void> {
  await tx.query(
    `UPDATE console_sessions SET last_seen_at = $3
      WHERE workspace_id = $1
        AND token_hash = (SELECT token_hash FROM console_sessions
                           WHERE workspace_id = $1 AND token_hash = $2 FOR UPDATE SKIP LOCKED)`,
    [workspace, hash, now],
  );
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}
