import type { Tx } from './database';

/** `total` is exact up to here (contract, Card). */
export const TOTAL_CAP = 10_000;

/**
 * Counts the rows of a `SELECT` up to one more than the cap, so that a count of a large table costs no
 * more than reading that many.
 *
 * @param select a whole statement that gives one row an item; its values are `values`
 */
export async function countCapped(
  tx: Tx,
  select: string,
  values: readonly unknown[],
): Promise<number> {
  const { n } = await tx.one<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM (${select}) matching LIMIT ${TOTAL_CAP + 1}) counted`,
    values,
  );
  return n;
}
