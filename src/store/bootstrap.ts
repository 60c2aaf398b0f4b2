import { writeAudit } from './audit';
import type { Database } from './database';
import { newId } from './ids';

/** The first workspace, its owner, and the key that stands for the owner. */
const DEFAULT_WORKSPACE = 'default';
const OWNER = 'owner';

/**
 * Makes workspace `default` and the person `owner` where they are missing, and lets `keyHash` stand for
 * the owner. A key that came from the environment replaces the bootstrap key of an earlier start.
 * @returns whether the key was new.
 */
export async function bootstrap(database: Database, keyHash: Buffer, now: Date): Promise<boolean> {
  return await database.inWorkspace(DEFAULT_WORKSPACE, async (tx) => {
    await tx.query(
      `INSERT INTO workspaces (workspace_id, name, created_at) VALUES ($1, 'Default', $2) ON CONFLICT DO NOTHING`,
      [DEFAULT_WORKSPACE, now],
    );
    await tx.query(
      `INSERT INTO people (workspace_id, id, name, role, created_at) VALUES ($1, $2, 'Owner', 'owner', $3)
       ON CONFLICT DO NOTHING`,
      [DEFAULT_WORKSPACE, OWNER, now],
    );
    const [made] = await tx.query<{ id: string }>(
      `INSERT INTO api_keys (workspace_id, id, key_hash, principal_kind, principal_id, name, bootstrap, created_at)
       VALUES ($1, $2, $3, 'person', $4, 'bootstrap', true, $5)
       ON CONFLICT (key_hash) DO NOTHING
       RETURNING id`,
      [DEFAULT_WORKSPACE, newId('key', now), keyHash, OWNER, now],
    );
    if (made === undefined) return false;
    await tx.query(
      `UPDATE api_keys SET revoked_at = $3
        WHERE workspace_id = $1 AND bootstrap AND id <> $2 AND revoked_at IS NULL`,
      [DEFAULT_WORKSPACE, made.id, now],
    );
    await writeAudit(tx, {
      at: now,
      actor: { kind: 'system', id: 'bootstrap' },
      action: 'key.created',
      target: { type: 'key', id: made.id },
      channel: 'start',
    });
    return true;
  });
}
