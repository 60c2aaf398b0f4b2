import type { LogName, PlainRow } from '../contracts/audit';
import { LOG_COLUMNS, NUMBER_OF, type PlainSeal, SEAL_COLUMNS } from '../domain/audit-chain';
import type { Tx } from './database';

/** Below every number that a log can have. */
const LOWEST = '-9223372036854775808';

/**
 * From here to the end of the transaction a value's text is the same whatever the server's settings are.
 * Text is exact where a driver's values are not: a time has microseconds, a number all of its digits.
 */
export async function writePlainly(tx: Tx): Promise<void> {
  await tx.query(
    "SELECT set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO, YMD', true)",
  );
}

const plain = (columns: readonly string[]) =>
  columns.map((column) => `l.${column}::text AS ${column}`).join(', ');

const TABLES = { audit: 'audit_log', access: 'access_log' } as const;

export interface RowRange {
  /** A number that is left out; null begins at the first row there is. */
  after: string | null;
  /** Null goes on to the last one. */
  to: string | null;
  limit: number;
}

/** Rows of a log, in the order of their numbers. After `writePlainly`. */
export async function plainRows(
  tx: Tx,
  log: LogName,
  { after, to, limit }: RowRange,
): Promise<PlainRow[]> {
  const number = NUMBER_OF[log];
  return await tx.query<PlainRow>(
    `SELECT ${plain(LOG_COLUMNS[log])}
       FROM ${TABLES[log]} l
      WHERE l.workspace_id = $1 AND l.${number} > $2::bigint
        AND ($3::bigint IS NULL OR l.${number} <= $3::bigint)
      ORDER BY l.${number}
      LIMIT $4`,
    [tx.workspace, after ?? LOWEST, to, limit],
  );
}

/** The first seal after a number, or the last one there is. After `writePlainly`. */
export async function plainSeal(
  tx: Tx,
  which: { after: number } | 'last',
): Promise<PlainSeal | null> {
  const [seal] = await tx.query<PlainSeal>(
    `SELECT ${plain(SEAL_COLUMNS)}
       FROM audit_chain l
      WHERE l.workspace_id = $1 AND ($2::int IS NULL OR l.n > $2)
      ORDER BY l.n ${which === 'last' ? 'DESC' : ''}
      LIMIT 1`,
    [tx.workspace, which === 'last' ? null : which.after],
  );
  return seal ?? null;
}

/** A seal by its number. After `writePlainly`. */
export async function plainSealAt(tx: Tx, n: number): Promise<PlainSeal | null> {
  const seal = await plainSeal(tx, { after: n - 1 });
  return seal?.n === String(n) ? seal : null;
}
