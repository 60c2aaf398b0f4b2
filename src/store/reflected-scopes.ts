import type { CardScope } from '../contracts/card';
import type { Cursor } from '../contracts/reflection';
import type { Tx } from './database';

/** How far a scope was reflected on; null where it never was. */
export async function readTo(tx: Tx, scope: CardScope): Promise<Cursor | null> {
  const [row] = await tx.query<Cursor>(
    `SELECT read_id AS id, read_to AS at FROM reflected_scopes
      WHERE workspace_id = $1 AND scope_type = $2 AND scope_id = $3 AND read_id <> ''`,
    [tx.workspace, scope.type, scope.id],
  );
  return row ?? null;
}

/**
 * Never backwards: said again it changes nothing.
 * @param run the unit that read so far; it keeps how far the scope was read before it
 */
export async function markRead(tx: Tx, scope: CardScope, to: Cursor, run: string): Promise<void> {
  await tx.query(
    `UPDATE runs r
        SET read_from = COALESCE((SELECT jsonb_build_object('at', s.read_to, 'id', s.read_id)
                                    FROM reflected_scopes s
                                   WHERE s.workspace_id = $1 AND s.scope_type = $2 AND s.scope_id = $3
                                     AND s.read_id <> ''), '{}')
      WHERE r.workspace_id = $1 AND r.id = $4 AND r.read_from IS NULL`,
    [tx.workspace, scope.type, scope.id, run],
  );
  await tx.query(
    `INSERT INTO reflected_scopes AS r (workspace_id, scope_type, scope_id, read_to, read_id)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (workspace_id, scope_type, scope_id)
     DO UPDATE SET read_to = EXCLUDED.read_to, read_id = EXCLUDED.read_id
      WHERE (r.read_to, r.read_id) < (EXCLUDED.read_to, EXCLUDED.read_id)`,
    [tx.workspace, scope.type, scope.id, to.at, to.id],
  );
}
