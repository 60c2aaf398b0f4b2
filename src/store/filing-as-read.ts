import type { Tx } from './database';

/** A card that a text was made from, as it was read. */
export interface ReadSource {
  id: string;
  version: number;
}

/**
 * Holds the cards that a text was made from until the transaction ends, and says whether each is still what was read.
 * Whoever erases one of them, or writes it again without what is erased, comes before, and then this answers no, or
 * after, and then finds what was kept meanwhile.
 */
export async function areAsRead(tx: Tx, sources: readonly ReadSource[]): Promise<boolean> {
  const read = new Map(sources.map(({ id, version }) => [id, version]));
  if (read.size === 0) return true;
  const held = await tx.query<ReadSource>(
    `SELECT c.id, c.version FROM cards c
      WHERE c.workspace_id = $1 AND c.id = ANY ($2)
      ORDER BY c.id
        FOR SHARE`,
    [tx.workspace, [...read.keys()]],
  );
  return held.length === read.size && held.every(({ id, version }) => read.get(id) === version);
}
