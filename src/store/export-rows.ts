import type { Via } from '../contracts/names';
import type { Tx } from './database';
import { type ExportTable, lineColumns } from './export-table';
import type { ReaderArguments } from './visible-cards';

/** Who reads, and which rows of all that they may see. */
export interface ExportView {
  reader: ReaderArguments;
  /** Only what is about this subject; null bounds nothing. */
  subject: string | null;
}

export interface ExportedRow {
  /** Its key, as JSON: where the next page goes on. */
  at: string;
  /** Its columns as JSON; null where it depends on a card that the reader does not see. */
  row: string | null;
  /** Of a card: its id, and in which ways it is seen. */
  card: string | null;
  vias: Via[] | null;
}

/**
 * The next rows of a table, by its key, as JSON that Postgres wrote: no number and no time loses a digit on its way.
 * Rows that depend on cards are judged by `visible_cards` in the same statement.
 * @param after of the last row before; null begins
 */
export async function exportedRows(
  tx: Tx,
  table: ExportTable,
  { reader, subject }: ExportView,
  after: string | null,
  limit: number,
): Promise<ExportedRow[]> {
  const [workspace, agent, person, everything, memberSubject, now] = reader;
  const common = [workspace, subject, limit];
  const seen = [agent, person, everything, memberSubject, now];
  const values = dependsOn(table).length === 0 ? common : [...common, ...seen];
  const bound = after === null ? [] : [after];
  const text = pageOf(table, subject, after === null ? null : values.length + 1);
  return await tx.query<ExportedRow>(text, [...values, ...bound]);
}

/** How many lines the table comes to. */
export async function countExported(
  tx: Tx,
  table: ExportTable,
  { reader, subject }: ExportView,
): Promise<number> {
  const [workspace, agent, person, everything, memberSubject, now] = reader;
  const lists = dependsOn(table);
  const seen = [agent, person, everything, memberSubject, now];
  const visible = lists.map((one) => `AND ${isSeen(one, one.list, one.or)}`);
  const { count } = await tx.one<{ count: number }>(
    `${lists.length === 0 ? '' : `WITH seen AS MATERIALIZED (SELECT DISTINCT v.card_id FROM ${VISIBLE(3, subject)})`}
     SELECT count(*) AS count FROM ${table.table} t WHERE ${matching(table)} ${visible.join(' ')}`,
    [workspace, subject, ...(lists.length === 0 ? [] : seen)],
  );
  return count;
}

interface CardList {
  list: string;
  need: 'one' | 'all';
  or: string;
}

/** What a row depends on, as lists of cards. */
function dependsOn({ cards = [], cardList }: ExportTable): CardList[] {
  const each = cards.map((card) => ({ list: `ARRAY[${card}]`, need: 'all', or: 'false' }) as const);
  return cardList === undefined ? each : [...each, { or: 'false', ...cardList }];
}

/** SQL: whether the reader sees what they have to of a list, by what stands in `seen`. */
function isSeen({ need }: CardList, list: string, or: string): string {
  return need === 'one'
    ? `(${or} OR EXISTS (SELECT 1 FROM unnest(${list}) AS n (id) WHERE n.id IN (SELECT card_id FROM seen)))`
    : `(${or} OR NOT EXISTS (SELECT 1 FROM unnest(${list}) AS n (id)
                             WHERE n.id IS NOT NULL AND n.id NOT IN (SELECT card_id FROM seen)))`;
}

/** With the reader's arguments after the workspace from this number on. */
const VISIBLE = (from: number, subject: string | null): string => {
  const reader = `$1, $${from}, $${from + 1}, $${from + 2}, $${from + 3}, $${from + 4}::timestamptz`;
  return subject === null
    ? `visible_cards(${reader}) v`
    : `visible_cards(${reader}) v JOIN cards c ON c.workspace_id = $1 AND c.id = v.card_id AND c.subject = $2`;
};

const matching = ({ where = 'true', subject = 'false' }: ExportTable): string =>
  `t.workspace_id = $1 AND ($2::text IS NULL OR (${subject})) AND (${where})`;

/** @param bound the number of the parameter that has the key of the row before */
function pageOf(table: ExportTable, subject: string | null, bound: number | null): string {
  const { key } = table;
  const lists = dependsOn(table);
  const ordered = (row: string) => key.map(([column]) => `${row}.${column}`).join(', ');
  const bounds = key.map(([, type], at) => `($${bound}::jsonb ->> ${at})::${type}`).join(', ');
  const judged = lists.map(({ list, or }, n) => `, ${list} AS list_${n}, ${or} AS free_${n}`);
  const page = `
    SELECT t.*${judged.join('')}
      FROM ${table.table} t
     WHERE ${matching(table)}
       ${bound === null ? '' : `AND (${ordered('t')}) > (${bounds})`}
     ORDER BY ${ordered('t')}
     LIMIT $3`;
  const left = lists.flatMap((_one, n) => [`list_${n}`, `free_${n}`]);
  const columns = `${lineColumns(table, 'p', left)}::text`;
  const at = `jsonb_build_array(${ordered('p')})::text AS at`;
  if (lists.length === 0) {
    return `WITH page AS MATERIALIZED (${page})
      SELECT ${at}, ${columns} AS row, NULL AS card, NULL AS vias FROM page p ORDER BY ${ordered('p')}`;
  }
  const named = lists.map((_one, n) => `SELECT unnest(p.list_${n}) FROM page p`);
  const visible = lists.map((one, n) => isSeen(one, `p.list_${n}`, `p.free_${n}`));
  const isCard = table.table === 'cards';
  return `WITH page AS MATERIALIZED (${page}),
    seen AS MATERIALIZED (
      SELECT v.card_id, array_agg(DISTINCT v.via) AS vias
        FROM ${VISIBLE(4, subject)}
       WHERE v.card_id = ANY (ARRAY(${named.join(' UNION ')}))
       GROUP BY v.card_id
    )
    SELECT ${at}, CASE WHEN ${visible.join(' AND ')} THEN ${columns} END AS row,
           ${isCard ? 'p.id' : 'NULL'} AS card,
           ${isCard ? '(SELECT s.vias FROM seen s WHERE s.card_id = p.id)' : 'NULL'} AS vias
      FROM page p
     ORDER BY ${ordered('p')}`;
}

/** What the manifest says of the workspace. */
export async function exportedWorkspace(
  tx: Tx,
): Promise<{ id: string; name: string; memory_mode: string }> {
  return await tx.one(
    'SELECT workspace_id AS id, name, memory_mode FROM workspaces WHERE workspace_id = $1',
    [tx.workspace],
  );
}
