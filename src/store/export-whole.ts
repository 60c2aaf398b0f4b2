import type { Tx } from './database';
import type { ExportTable } from './export-table';

type Row = Readonly<Record<string, unknown>>;

/** A row of `table` names one of `parent` by these columns, in the same order. */
interface Reference {
  table: string;
  columns: string[];
  parent: string;
  parent_columns: string[];
}

/** Of a row that is at its version when it is read, later versions are another export's. */
const NO_LATER_THAN: Readonly<Record<string, { parent: string; column: string; its: string }>> = {
  card_versions: { parent: 'cards', column: 'version', its: 'version' },
  skill_versions: { parent: 'skills', column: 'version', its: 'latest_version' },
};

/**
 * Keeps a file whole that is read page by page while others write: what refers to a row that was written behind its
 * page does not leave, nor does a version that came after its card was read. Costs memory for the keys that rows refer
 * to.
 */
export class WholeFile {
  private readonly sent = new Map<string, Set<string>>();
  private readonly versions = new Map<string, number>();

  private constructor(private readonly references: readonly Reference[]) {
    for (const { parent, parent_columns } of references) {
      this.sent.set(keyOf(parent, parent_columns), new Set());
    }
  }

  /** @param tables those that leave: what is referred to in others is not asked for */
  static async of(tx: Tx, tables: readonly ExportTable[]): Promise<WholeFile> {
    const names = tables.map(({ table }) => table);
    return new WholeFile(await tx.query<Reference>(REFERENCES, [names]));
  }

  /** Whether a row leaves; then others may refer to it. `text` is its columns as JSON. */
  admits({ table }: ExportTable, text: string): boolean {
    const row = JSON.parse(text) as Row;
    const isWhole = this.references.every((one) => one.table !== table || this.isThere(row, one));
    if (!isWhole || this.isLater(table, row)) return false;
    for (const [key, sent] of this.sent) {
      const [parent, ...columns] = JSON.parse(key) as [string, ...string[]];
      if (parent === table) sent.add(valuesOf(row, columns));
    }
    for (const { parent, its } of Object.values(NO_LATER_THAN)) {
      if (parent === table) this.versions.set(cardOf(parent, row), Number(row[its]));
    }
    return true;
  }

  private isThere(row: Row, { columns, parent, parent_columns }: Reference): boolean {
    if (columns.some((column) => row[column] == null)) return true;
    return this.sent.get(keyOf(parent, parent_columns))?.has(valuesOf(row, columns)) ?? true;
  }

  private isLater(table: string, row: Row): boolean {
    const rule = NO_LATER_THAN[table];
    if (rule === undefined) return false;
    const last = this.versions.get(cardOf(rule.parent, row));
    return last !== undefined && Number(row[rule.column]) > last;
  }
}

/** As the catalogue has them, so of tables that are added later too. */
const REFERENCES = `
  SELECT t.relname AS "table", p.relname AS parent,
         array_agg(a.attname::text ORDER BY k.n) AS columns, array_agg(b.attname::text ORDER BY k.n) AS parent_columns
    FROM pg_constraint c
    JOIN pg_class t ON t.oid = c.conrelid
    JOIN pg_class p ON p.oid = c.confrelid
   CROSS JOIN LATERAL unnest(c.conkey, c.confkey) WITH ORDINALITY AS k (own, its, n)
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.own
    JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = k.its
   WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace AND a.attname <> 'workspace_id'
     AND t.relname = ANY ($1) AND p.relname = ANY ($1)
   GROUP BY c.oid, t.relname, p.relname`;

function keyOf(table: string, columns: readonly string[]): string {
  return JSON.stringify([table, ...columns]);
}

function valuesOf(row: Row, columns: readonly string[]): string {
  return JSON.stringify(columns.map((column) => row[column]));
}

/** A skill is named by its card, as its versions are; a card by itself. */
function cardOf(parent: string, { card_id: of, id }: Row): string {
  return `${parent}:${String(of ?? id)}`;
}
