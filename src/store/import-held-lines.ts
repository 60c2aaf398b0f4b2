import type { Tx } from './database';

/** The heads of the chain behind the next lines that are held, hex, by the number of their line. */
export async function heldHeads(
  tx: Tx,
  id: string,
  from: number,
  limit: number,
): Promise<Map<number, string>> {
  const rows = await tx.query<{ n: number; chain: string }>(
    `SELECT n, encode(chain, 'hex') AS chain FROM import_lines
      WHERE workspace_id = $1 AND import_id = $2 AND n >= $3 AND n < $3 + $4::int AND chain IS NOT NULL`,
    [tx.workspace, id, from, limit],
  );
  return new Map(rows.map(({ n, chain }) => [n, chain]));
}

/**
 * Lets go of what is held from this line on, since another one is sent in its place.
 * @param chain the head behind the line before it
 * @returns false where it is not being received any more, or has moved on
 */
export async function dropLinesFrom(
  tx: Tx,
  id: string,
  { n, held, chain }: { n: number; held: number; chain: string },
  now: Date,
): Promise<boolean> {
  const moved = await tx.query(
    `UPDATE imports SET lines = $4, chain = $5, changed_at = $6
      WHERE workspace_id = $1 AND id = $2 AND state = 'receiving' AND lines = $3
     RETURNING id`,
    [tx.workspace, id, held, n - 1, chain, now],
  );
  if (moved.length === 0) return false;
  await tx.query(
    'DELETE FROM import_lines WHERE workspace_id = $1 AND import_id = $2 AND n >= $3',
    [tx.workspace, id, n],
  );
  return true;
}
