import { createHash } from 'node:crypto';
import type { PersonRole, PrincipalKind } from '../contracts/names';
import type { PolicyPatch } from '../contracts/policy';
import type { Database, Tx } from './database';

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

/**
 * Who a key stands for, judged now: a key that was revoked or ran out is nobody's.
 * @param named the agent and the person that the request names, as this workspace knows them.
 * @returns null where no such key is good.
 */
export async function findCredential(
  database: Database,
  hash: Buffer,
  named: (workspace: string) => { agent: string | null; person: string | null },
  now: Date,
): Promise<Credential | null> {
  return await database.acrossWorkspaces(async (tx) => {
    const [key] = await tx.query<{
      workspace_id: string;
      id: string;
      principal_kind: PrincipalKind;
      principal_id: string;
      bootstrap: boolean;
      requests_per_minute: number | null;
      unnoted: boolean;
    }>(
      `SELECT k.workspace_id, k.id, k.principal_kind, k.principal_id, k.bootstrap, k.requests_per_minute,
              k.last_used_at IS NULL OR k.last_used_at < $3 AS unnoted,
              set_config('cairn.workspace', k.workspace_id, true)
         FROM api_keys k
        WHERE k.key_hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)`,
      [hash, now, new Date(now.getTime() - USE_NOTED_MS)],
    );
    if (key === undefined) return null;
    if (key.unnoted) await noteUse(tx, key, now);
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
    const { id, unnoted: _, ...rest } = key;
    return { ...rest, key_id: id, agent, person: names.person, ...known };
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
