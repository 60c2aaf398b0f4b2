import type { Tx } from './database';

export type ItemState = 'root' | 'open' | 'falls' | 'stands' | 'done' | 'held';

/** Kinds of rows that an erasure has in hand, beside what was named. */
export type ItemKind =
  | 'event'
  | 'card'
  | 'conversation'
  | 'pending_write'
  | 'proposal'
  | 'session'
  | 'task'
  | 'subject'
  | 'person'
  | 'agent'
  | 'source'
  | 'project';

export interface ErasureItem {
  kind: ItemKind;
  id: string;
  state: ItemState;
  at?: Date | null;
}

/** @returns how many were not known */
export async function addItems(
  tx: Tx,
  erasureId: string,
  items: readonly ErasureItem[],
): Promise<number> {
  if (items.length === 0) return 0;
  const rows = await tx.query(
    `INSERT INTO erasure_items (workspace_id, erasure_id, kind, id, state, at)
     SELECT DISTINCT ON (i.kind, i.id) $1, $2, i.kind, i.id, i.state, i.at
       FROM jsonb_to_recordset($3::jsonb) AS i (kind text, id text, state text, at timestamptz)
     ON CONFLICT DO NOTHING
     RETURNING id`,
    [tx.workspace, erasureId, JSON.stringify(items)],
  );
  return rows.length;
}

/** Cards that are to be judged, also where they were, by what was known then. */
export async function reopenCards(
  tx: Tx,
  erasureId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `INSERT INTO erasure_items AS k (workspace_id, erasure_id, kind, id, state)
     SELECT DISTINCT $1, $2, 'card', c.id, 'open' FROM unnest($3::text[]) AS c (id)
     ON CONFLICT (workspace_id, erasure_id, kind, id) DO UPDATE SET state = 'open', was = NULL
        WHERE k.state = 'done' AND k.was IN ('open', 'stands')`,
    [tx.workspace, erasureId, ids],
  );
}

/** Cards that stay and are to be written again, also where they were. */
export async function againCards(tx: Tx, erasureId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `INSERT INTO erasure_items AS k (workspace_id, erasure_id, kind, id, state)
     SELECT DISTINCT $1, $2, 'card', c.id, 'stands' FROM unnest($3::text[]) AS c (id)
     ON CONFLICT (workspace_id, erasure_id, kind, id) DO UPDATE SET state = 'stands', was = NULL
        WHERE k.state = 'open' OR k.state = 'done' AND k.was IN ('open', 'stands')`,
    [tx.workspace, erasureId, ids],
  );
}

/** The next items of a kind in these states, what was named first. */
export async function nextItems(
  tx: Tx,
  erasureId: string,
  { kind, states, limit }: { kind: ItemKind; states: readonly ItemState[]; limit: number },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM erasure_items
      WHERE workspace_id = $1 AND erasure_id = $2 AND kind = $3 AND state = ANY ($4)
      ORDER BY state DESC, id
      LIMIT $5`,
    [tx.workspace, erasureId, kind, states, limit],
  );
  return rows.map(({ id }) => id);
}

/** A state that was left stays known: what an item came to is counted by it. */
export async function setItems(
  tx: Tx,
  erasureId: string,
  kind: ItemKind,
  ids: readonly string[],
  state: ItemState,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `UPDATE erasure_items SET state = $5, was = state
      WHERE workspace_id = $1 AND erasure_id = $2 AND kind = $3 AND id = ANY ($4) AND state <> $5`,
    [tx.workspace, erasureId, kind, ids, state],
  );
}

/**
 * Leaves what a legal hold keeps, whatever named it: it is none of this erasure's any more.
 * @returns those that may go
 */
export async function withoutHeld(
  tx: Tx,
  erasureId: string,
  kind: ItemKind,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<{ id: string; held: boolean }>(
    `SELECT i.id, is_held($1, $2, i.id) AS held FROM unnest($3::text[]) AS i (id)`,
    [tx.workspace, kind, ids],
  );
  const held = rows.flatMap((row) => (row.held ? [row.id] : []));
  await setItems(tx, erasureId, kind, held, 'held');
  return rows.flatMap((row) => (row.held ? [] : [row.id]));
}

export async function countItems(
  tx: Tx,
  erasureId: string,
): Promise<{ kind: ItemKind; state: ItemState; was: ItemState | null; count: number }[]> {
  return await tx.query(
    `SELECT kind, state, was, count(*)::int AS count FROM erasure_items
      WHERE workspace_id = $1 AND erasure_id = $2
      GROUP BY kind, state, was
      ORDER BY kind, state, was`,
    [tx.workspace, erasureId],
  );
}
