/** Every row of every table of a workspace, as text, by table. */
export type Dump = Map<string, string[]>;

/** Asks in the workspace. */
type Ask = <Row>(statement: string) => Promise<Row[]>;

/** Of what is counted over all, of what waits to be sent, and of the erasures themselves. */
const OVER_ALL = [
  'outbox',
  'runs',
  'erasures',
  'tombstones',
  'idempotency',
  // When they were last used.
  'api_keys',
  'console_sessions',
  'audit_log',
  'audit_chain',
  'term_statistics',
  'scope_statistics',
  'statistics_marks',
];

const LOGS = ['audit_log', 'access_log'];

export async function dumped(ask: Ask): Promise<Dump> {
  const tables = await ask<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_name)
      WHERE c.table_schema = 'public' AND c.column_name = 'workspace_id' AND t.table_type = 'BASE TABLE'
      ORDER BY 1`,
  );
  const dump: Dump = new Map();
  for (const { name } of tables) {
    const rows = await ask<{ row: string }>(`SELECT t::text AS row FROM ${name} t ORDER BY 1`);
    dump.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return dump;
}

/** Rows of before that are gone or changed, though they hold none of these words. */
export function othersThatChanged(
  before: Dump,
  after: Dump,
  theirs: readonly string[],
  counted: readonly string[] = OVER_ALL,
): string[] {
  return [...before].flatMap(([table, rows]) => {
    if (counted.includes(table)) return [];
    const left = new Set(after.get(table));
    return rows
      .filter((row) => !left.has(row) && !theirs.some((word) => row.includes(word)))
      .map((row) => `${table}: ${row}`);
  });
}

/** Rows that hold one of these words, wherever they are but in the logs, which keep ids of rows. */
export function rowsWith(dump: Dump, words: readonly string[]): string[] {
  return [...dump].flatMap(([table, rows]) =>
    rows
      .filter((row) => !LOGS.includes(table) && words.some((word) => row.includes(word)))
      .map((row) => `${table}: ${row}`),
  );
}
