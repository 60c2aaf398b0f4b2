import type { Json } from '../contracts/event';
import type { RedactionType } from '../contracts/names';
import type { RescanPlace } from '../contracts/rescan';
import type { Tx } from './database';
import { type FieldKind, PLACES, quoted } from './rescan-places';

/** One row of a place as it was read. */
export interface RescanRow {
  /** By column, as text. */
  key: Record<string, string>;
  /** What is scanned, and what is read beside it. */
  values: Record<string, Json>;
  /** Says whether the row is still the one that was read. */
  xmin: string;
}

/** What is to stand in the place of what was found, by column. */
export type RowChanges = Readonly<Record<string, Json>>;

/** In memory only, and for as long as what was made from a row is repaired. */
export interface KnownSecrets {
  /** The very texts that were taken out, and what stands for each. */
  literals: ReadonlyMap<string, string>;
  /** Words that a text has no longer: lists of its words lose them too. */
  vanished: ReadonlySet<string>;
}

/** What one row needs. */
export interface RowRepair extends KnownSecrets {
  changes: RowChanges;
  /** How often each type was found. */
  counts: Partial<Record<RedactionType, number>>;
}

/** Looks at a row as intake would today; null where it may stay as it is. */
export type Repairer = (
  place: RescanPlace,
  row: Pick<RescanRow, 'key' | 'values'>,
  known?: KnownSecrets,
) => RowRepair | null;

/** Rows that a condition names instead of the next ones; its values are $2 and on. */
export interface RowsWhere {
  condition: string;
  values: readonly unknown[];
}

/** The next rows of a place. @param after the key that the batch before ended at, as JSON; empty at the beginning */
export async function nextRows(tx: Tx, place: RescanPlace, after: string): Promise<RescanRow[]> {
  const { key, batch } = PLACES[place];
  const columns = Object.keys(key).map(quoted).join(', ');
  const types = Object.values(key);
  const values = after === '' ? [] : (JSON.parse(after) as string[]);
  const places = types.map((type, index) => `$${index + 2}::${type}`).join(', ');
  const condition = values.length === 0 ? 'true' : `(${columns}) > (${places})`;
  return await rowsWhere(tx, place, { condition, values }, `ORDER BY ${columns} LIMIT ${batch}`);
}

/** Whether a batch was full, and where the next one begins. */
export function keyAfter(place: RescanPlace, rows: readonly RescanRow[]): string | null {
  const last = rows.at(-1);
  if (last === undefined || rows.length < PLACES[place].batch) return null;
  return JSON.stringify(Object.values(last.key));
}

/** The row by its key. */
export function sameRow(place: RescanPlace, row: Pick<RescanRow, 'key'>): RowsWhere {
  const columns = Object.entries(PLACES[place].key);
  const condition = columns
    .map(([column, type], index) => `t.${quoted(column)} = $${index + 2}::${type}`)
    .join(' AND ');
  return { condition, values: columns.map(([column]) => row.key[column]) };
}

export async function rowsWhere(
  tx: Tx,
  place: RescanPlace,
  { condition, values }: RowsWhere,
  tail = '',
): Promise<RescanRow[]> {
  const { table, key, fields, also = [] } = PLACES[place];
  const keys = Object.keys(key);
  const pairs = (columns: readonly string[], as: (column: string) => string) =>
    columns.map((column) => `'${column}', ${as(column)}`).join(', ');
  return await tx.query<RescanRow>(
    `SELECT jsonb_build_object(${pairs(keys, (column) => `t.${quoted(column)}::text`)}) AS key,
            jsonb_build_object(${pairs([...Object.keys(fields), ...also], (column) => `t.${quoted(column)}`)}) AS values,
            t.xmin::text AS xmin
       FROM ${table} t
      WHERE t.workspace_id = $1 AND ${condition}
      ${tail}`,
    [tx.workspace, ...values],
  );
}

/** Kept as jsonb; what is read beside the fields and changed with them is too. */
const JSON_KINDS: readonly FieldKind[] = ['json', 'leaves', 'value', 'payload', 'snapshot'];

/** Puts the changes in, unless somebody was faster. @returns whether it did */
export async function changeRow(
  tx: Tx,
  place: RescanPlace,
  row: RescanRow,
  changes: RowChanges,
): Promise<boolean> {
  const { table, key, fields } = PLACES[place];
  const values: unknown[] = [tx.workspace, row.xmin];
  const set = Object.entries(changes).map(([column, value]) => {
    const isDocument = JSON_KINDS.includes(fields[column] ?? 'json');
    values.push(isDocument ? JSON.stringify(value) : value);
    return `${quoted(column)} = $${values.length}${isDocument ? '::jsonb' : ''}`;
  });
  const found = Object.entries(key).map(([column, type]) => {
    values.push(row.key[column]);
    return `${quoted(column)} = $${values.length}::${type}`;
  });
  const changed = await tx.query(
    `UPDATE ${table} SET ${set.join(', ')}
      WHERE workspace_id = $1 AND xmin::text = $2 AND ${found.join(' AND ')}
     RETURNING 1`,
    values,
  );
  return changed.length > 0;
}
