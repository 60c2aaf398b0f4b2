import type { JsonObject } from '../contracts/event';
import type { ImportProblem } from '../contracts/transfer';
import { sqlState, type Tx } from './database';
import { type ExportTable, lineColumns } from './export-table';

/** What became of a row: made, here already and the same, or not taken. */
export type Outcome = 'made' | 'known' | ImportProblem;

/** "foreign_key_violation": what it refers to is not there. */
const NO_REFERENCE = '23503';
/** A value that a column, a check or a type does not take. */
const BAD_VALUE = /^(?:22|23|42804)/;

/**
 * Writes rows of one table that have the same columns. What stands under a key, or holds what a row would hold, is
 * compared and left as it is. After `writePlainly`.
 * @returns what became of each
 */
export async function insertRows(
  tx: Tx,
  table: ExportTable,
  rows: readonly JsonObject[],
): Promise<Outcome[]> {
  const together = await attempt(tx, table, rows);
  if (Array.isArray(together)) return together;
  if (rows.length === 1) return [together];
  const outcomes: Outcome[] = [];
  for (const row of rows) {
    const alone = await attempt(tx, table, [row]);
    outcomes.push(...(Array.isArray(alone) ? alone : [alone]));
  }
  return outcomes;
}

/** @returns why none of them was written, where one of them cannot be */
async function attempt(
  tx: Tx,
  table: ExportTable,
  rows: readonly JsonObject[],
): Promise<Outcome[] | ImportProblem> {
  await tx.query('SAVEPOINT rows_of_an_import');
  try {
    const found = await tx.query<{ outcome: Outcome }>(statementFor(table, rows[0] ?? {}), [
      tx.workspace,
      JSON.stringify(rows),
    ]);
    await tx.query('RELEASE SAVEPOINT rows_of_an_import');
    return found.map(({ outcome }) => outcome);
  } catch (error) {
    const state = sqlState(error) ?? '';
    if (!BAD_VALUE.test(state)) throw error;
    await tx.query('ROLLBACK TO SAVEPOINT rows_of_an_import');
    return state === NO_REFERENCE ? 'missing_reference' : 'invalid';
  }
}

function statementFor(table: ExportTable, row: JsonObject): string {
  const columns = Object.keys(row).map((column) => `"${column}"`);
  const madeAgain = arrayOf(table.omit ?? []);
  const moved = (table.moves ?? []).map(({ given = 'true', columns: moving }) => {
    const applies = given.replaceAll(/\bgiven\b/g, 'g.row');
    return ` - CASE WHEN ${applies} THEN ${arrayOf(moving)} ELSE '{}' END`;
  });
  const same = (one: string) =>
    table.key
      .map(([column, type]) => `${one}.${column} = (g.row ->> '${column}')::${type}`)
      .join(' AND ');
  return `
    WITH given AS MATERIALIZED (
      SELECT l.row, l.n FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS l (row, n)
    ),
    made AS (
      INSERT INTO ${table.table} (workspace_id, ${columns.join(', ')})
      SELECT $1, ${columns.map((column) => `r.${column}`).join(', ')}
        FROM given g
       CROSS JOIN LATERAL jsonb_populate_record(NULL::${table.table}, g.row) r
       ORDER BY g.n
      ON CONFLICT DO NOTHING
      RETURNING ${table.key.map(([column]) => column).join(', ')}
    )
    SELECT CASE
             WHEN EXISTS (SELECT 1 FROM made m WHERE ${same('m')}) THEN 'made'
             WHEN EXISTS (
               SELECT 1 FROM ${table.table} o
                WHERE o.workspace_id = $1 AND ${same('o')}
                  AND NOT EXISTS (SELECT 1 FROM jsonb_each(g.row - ${madeAgain}${moved.join('')}) e
                                   WHERE e.value IS DISTINCT FROM COALESCE(${lineColumns(table, 'o')} -> e.key, 'null'))
             ) THEN 'known'
             ELSE 'conflict'
           END AS outcome
      FROM given g
     ORDER BY g.n`;
}

const arrayOf = (columns: readonly string[]): string =>
  `ARRAY[${columns.map((column) => `'${column}'`).join(', ')}]::text[]`;

/** The columns that a table has here. */
export async function columnsOf(tx: Tx, { table }: ExportTable): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ name: string }>(
    `SELECT a.attname AS name FROM pg_attribute a
      WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''`,
    [`public.${table}`],
  );
  return new Set(rows.map(({ name }) => name));
}
