/** How the rows of one table stand in an export, and how they come back. */
export interface ExportTable {
  /** Of its lines. */
  type: string;
  table: string;
  /** Its primary key within the workspace, with the types that Postgres compares them by; the order of its lines. */
  key: readonly (readonly [column: string, type: string])[];
  /** Columns that are made again on import, or mean nothing elsewhere. */
  omit?: readonly string[];
  /**
   * Columns that move by themselves where a row came in, so that another value is no other content; of a `given` row
   * only, where SQL on its line says so.
   */
  moves?: readonly { given?: string; columns: readonly string[] }[];
  /** SQL on the row `t`: which rows leave. */
  where?: string;
  /**
   * SQL on the row `t`, `$2` being a subject: which rows are about them. Left out: none are. Cards that a row depends
   * on have to be about them too.
   */
  subject?: string;
  /** SQL on the row `t`: cards that its reader has to see, each of them; null is none. */
  cards?: readonly string[];
  /** The same of a list of cards, of which its reader has to see one, or all; `or` is SQL that spares it. */
  cardList?: { list: string; need: 'one' | 'all'; or?: string };
  /** Whether it is part of what one agent sees. */
  forAgents?: true;
  /** Numbers with more digits than JSON may keep: they stand as text. */
  exact?: readonly string[];
  /** Columns with free text, or lists of it, that are redacted once more on import. */
  texts?: readonly string[];
  /** The same for JSON. */
  json?: readonly string[];
  /** Identifiers that callers chose: a secret in one refuses the line. */
  ids?: readonly string[];
}

/** SQL: a row as it stands in its line, of the row `row`. */
export function lineColumns(
  { omit = [], exact = [] }: ExportTable,
  row: string,
  left: readonly string[] = [],
): string {
  const without = ['workspace_id', ...omit, ...left].map((column) => `'${column}'`).join(', ');
  const texts = exact.map((column) => `'${column}', ${row}.${column}::text`).join(', ');
  return `(to_jsonb(${row}) - ARRAY[${without}]${exact.length === 0 ? '' : ` || jsonb_build_object(${texts})`})`;
}
