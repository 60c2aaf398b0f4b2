import type { MemoryMode } from '../contracts/names';
import type { Policy } from '../contracts/policy';
import { mergePolicy } from '../domain/policy';
import type { Tx } from './database';

/** What every write has to know of its workspace. */
export interface WorkspaceSettings {
  memoryMode: MemoryMode;
  policy: Policy;
  policyVersion: number;
  /** Names of the directory that are marked to be redacted. */
  redactedNames: string[];
}

/** @returns null where the workspace does not exist. */
export async function readSettings(tx: Tx): Promise<WorkspaceSettings | null> {
  const [row] = await tx.query<{
    memory_mode: MemoryMode;
    document: Partial<Policy> | null;
    version: number | null;
    names: string[];
  }>(
    `SELECT w.memory_mode, p.document, p.version,
            ARRAY(SELECT s.name FROM subjects s
                   WHERE s.workspace_id = w.workspace_id AND s.redact_name AND s.name IS NOT NULL) AS names
       FROM workspaces w
       LEFT JOIN LATERAL (
         SELECT document, version FROM policies
          WHERE workspace_id = w.workspace_id
          ORDER BY version DESC LIMIT 1
       ) p ON true
      WHERE w.workspace_id = $1`,
    [tx.workspace],
  );
  if (row === undefined) return null;
  return {
    memoryMode: row.memory_mode,
    policy: mergePolicy(row.document ?? {}),
    policyVersion: row.version ?? 0,
    redactedNames: row.names,
  };
}

/** The policy that holds now. @throws where the workspace does not exist. */
export async function policyOf(tx: Tx): Promise<Policy> {
  const settings = await readSettings(tx);
  if (settings === null) throw new Error('a transaction is always of a workspace that exists');
  return settings.policy;
}
