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

/** Never backwards: said again it changes nothing. */
export async function markRead(tx: Tx, scope: CardScope, to: Cursor): Promise<void> {
  await tx.query(
    `INSERT INTO reflected_scopes AS r (workspace_id, scope_type, scope_id, read_to, read_id)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (workspace_id, scope_type, scope_id)
     DO UPDATE SET read_to = EXCLUDED.read_to, read_id = EXCLUDED.read_id
      WHERE (r.read_to, r.read_id) < (EXCLUDED.read_to, EXCLUDED.read_id)`,
    [tx.workspace, scope.type, scope.id, to.at, to.id],
  );
}
