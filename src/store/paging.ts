import type { Tx } from './database';

/** `total` is exact up to here (contract, Card). */
export const TOTAL_CAP = 10_000;

/** One page's rows and one more where there are more, and how many there are in all. */
export interface Slice<T> {
  rows: T[];
  total: number;
}

export interface SliceRequest {
  /** The id of the last item of the page before. */
  after: string | null;
  limit: number;
}

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

/**
 * A page of a list that is sorted by id.
 * @param select a whole statement whose rows have an `id`
 */
export async function sliceById<T>(
  tx: Tx,
  select: string,
  values: readonly unknown[],
  { after, limit }: SliceRequest,
): Promise<Slice<T>> {
  const place = values.length;
  const rows = await tx.query<T>(
    `SELECT * FROM (${select}) items
      WHERE ($${place + 1}::text IS NULL OR id > $${place + 1})
      ORDER BY id
      LIMIT $${place + 2}`,
    [...values, after, limit + 1],
  );
  return { rows, total: await countCapped(tx, select, values) };
}
