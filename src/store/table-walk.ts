import type { Database, Tx } from './database';

/** Heap pages of 8 KiB that one statement reads: half a megabyte, and what is stored beside it. */
const PAGES = 64;

/** Told of each row: its table, and itself as JSON. */
export type LookAtRow = (table: string, row: string) => void;

/**
 * Goes through every row of every table of the workspace, by the catalogue: a table that is added later is among them.
 * @param without tables that are left out
 * @param onProgress called between two statements
 * @returns how many rows each table had, in the order of their names
 */
export async function walkTables(
  database: Database,
  workspace: string,
  {
    without = [],
    look,
    onProgress,
  }: { without?: readonly string[]; look: LookAtRow; onProgress: () => void },
): Promise<Map<string, number>> {
  const tables = await database.inWorkspace(workspace, (tx) => tablesOf(tx, without));
  const walked = new Map<string, number>();
  for (const { name, pages } of tables) {
    let count = 0;
    for (let page = 0; page < pages; page += PAGES) {
      const rows = await database.inWorkspace(workspace, (tx) => rowsIn(tx, name, page));
      for (const row of rows) look(name, row);
      count += rows.length;
      onProgress();
    }
    walked.set(name, count);
  }
  return walked;
}

/** Of the database's own schema; what the workspace's role may not read is none of its own. */
async function tablesOf(
  tx: Tx,
  without: readonly string[],
): Promise<{ name: string; pages: number }[]> {
  return await tx.query(
    `SELECT c.relname AS name, (pg_relation_size(c.oid) / current_setting('block_size')::int)::int AS pages
       FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
      WHERE c.relkind = 'r' AND has_table_privilege(c.oid, 'SELECT') AND c.relname <> ALL ($1)
      ORDER BY c.relname`,
    [without],
  );
}

async function rowsIn(tx: Tx, table: string, page: number): Promise<string[]> {
  const rows = await tx.query<{ row: string }>(
    `SELECT to_jsonb(t)::text AS row FROM ${quoted(table)} t WHERE t.ctid >= $1::tid AND t.ctid < $2::tid`,
    [`(${page},0)`, `(${page + PAGES},0)`],
  );
  return rows.map(({ row }) => row);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
