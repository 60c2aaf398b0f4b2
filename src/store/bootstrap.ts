import { writeAudit } from './audit';
import type { Database } from './database';
import { newId } from './ids';

/** The first workspace, its owner, and the key that stands for the owner. */
const DEFAULT_WORKSPACE = 'default';
const OWNER = 'owner';

/** Whether the installation has an owner key that is good. */
export async function hasBootstrapKey(database: Database): Promise<boolean> {
  return await database.inWorkspace(DEFAULT_WORKSPACE, async (tx) => {
    const rows = await tx.query(
      'SELECT 1 FROM api_keys WHERE workspace_id = $1 AND bootstrap AND revoked_at IS NULL LIMIT 1',
      [DEFAULT_WORKSPACE],
    );
    return rows.length > 0;
  });
}

/**
 * Makes workspace `default` and the person `owner` where they are missing, and lets `keyHash` stand for
 * the owner.
 * @param rotate the key was named on purpose (`CAIRN_BOOTSTRAP_KEY`): earlier ones are revoked.
 */
export async function bootstrap(
  database: Database,
  keyHash: Buffer,
  now: Date,
  rotate: boolean,
): Promise<void> {
  await database.inWorkspace(DEFAULT_WORKSPACE, async (tx) => {
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
      `INSERT INTO api_keys AS k (workspace_id, id, key_hash, principal_kind, principal_id, name, bootstrap, created_at)
       VALUES ($1, $2, $3, 'person', $4, 'bootstrap', true, $5)
       ON CONFLICT (key_hash) DO UPDATE SET revoked_at = NULL WHERE k.revoked_at IS NOT NULL AND k.bootstrap
       RETURNING id`,
      [DEFAULT_WORKSPACE, newId('key', now), keyHash, OWNER, now],
    );
    const revoked = rotate
      ? await tx.query<{ id: string }>(
          `UPDATE api_keys SET revoked_at = $3
            WHERE workspace_id = $1 AND bootstrap AND key_hash <> $2 AND revoked_at IS NULL
           RETURNING id`,
          [DEFAULT_WORKSPACE, keyHash, now],
        )
      : [];
    const changes = [
      ...(made === undefined ? [] : [{ id: made.id, action: 'key.created' }]),
      ...revoked.map(({ id }) => ({ id, action: 'key.revoked' })),
    ];
    for (const { id, action } of changes) {
      await writeAudit(tx, {
        at: now,
        actor: { kind: 'system', id: 'bootstrap' },
        action,
        target: { type: 'key', id },
        channel: 'start',
      });
    }
  });
}
