import type { CardScope } from '../contracts/card';
import type { Tx } from './database';

/**
 * Scopes in which cards are in use, in the order of their type and id, after the one that is given. A walk over
 * `cards_by_scope` from one scope to the next: what it costs grows with the scopes, not with the cards.
 */
export async function scopesInUse(
  tx: Tx,
  after: CardScope | null,
  limit: number,
): Promise<CardScope[]> {
  return await tx.query<CardScope>(
    `WITH RECURSIVE walk (scope_type, scope_id, n) AS (
       (SELECT c.scope_type, c.scope_id, 1
          FROM cards c
         WHERE c.workspace_id = $1 AND ($2::text IS NULL OR (c.scope_type, c.scope_id) > ($2, $3))
         ORDER BY c.scope_type, c.scope_id
         LIMIT 1)
       UNION ALL
       SELECT next.scope_type, next.scope_id, w.n + 1
         FROM walk w,
              LATERAL (SELECT c.scope_type, c.scope_id
                         FROM cards c
                        WHERE c.workspace_id = $1 AND (c.scope_type, c.scope_id) > (w.scope_type, w.scope_id)
                        ORDER BY c.scope_type, c.scope_id
                        LIMIT 1) next
        WHERE w.n < $4
     )
     SELECT w.scope_type AS type, w.scope_id AS id FROM walk w ORDER BY w.n`,
    [tx.workspace, after?.type ?? null, after?.id ?? null, limit],
  );
}

/** Of the scopes those in which something may be made: not of an agent whose memory is off. */
export async function scopesSwitchedOn(tx: Tx, scopes: readonly CardScope[]): Promise<CardScope[]> {
  const agents = scopes.flatMap(({ type, id }) => (type === 'agent' ? [id] : []));
  if (agents.length === 0) return [...scopes];
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM agents WHERE workspace_id = $1 AND id = ANY ($2) AND memory_mode = 'off'`,
    [tx.workspace, agents],
  );
  const off = new Set(rows.map(({ id }) => id));
  return scopes.filter(({ type, id }) => type !== 'agent' || !off.has(id));
}
