import type { JsonObject } from '../contracts/event';
import type { ImportBatch, ImportCounts, ImportedNot } from '../contracts/transfer';
import { writePlainly } from './audit-rows';
import { countAnew, indexImported, withIndexLength } from './card-writes-imported';
import type { Tx } from './database';
import type { ExportTable } from './export-table';
import { exportTableOf } from './export-tables';
import { erasedRows, type TombstoneHash } from './import-erased';
import { follow } from './import-following';
import { hangingRows } from './import-hanging';
import { columnsOf, insertRows, type Outcome } from './import-rows';
import {
  applied,
  type HeldLine,
  holdImport,
  type ImportRow,
  NOTHING_APPLIED,
  nextLines,
} from './imports';

/** Lines of one transaction: a few tenths of a second, most of it for cards. */
const LINES = 200;

export interface Applying {
  importId: string;
  operationId: string;
  runId: string;
  hashOf: TombstoneHash;
}

/** Applies the next lines and lets go of them, in this transaction. Once none is left it says so. */
export async function applyNextLines(
  tx: Tx,
  { importId, operationId, runId, hashOf }: Applying,
  now: Date,
): Promise<ImportBatch> {
  const row = await holdImport(tx, importId);
  if (row === null || row.operation_id !== operationId || row.state !== 'accepted') {
    return { ...NOTHING_APPLIED, ...row?.counts, done: true };
  }
  await tx.query(
    `UPDATE runs SET state = 'running', run_id = $3, started_at = COALESCE(started_at, $4)
      WHERE workspace_id = $1 AND id = $2 AND state IN ('pending', 'running')`,
    [tx.workspace, operationId, runId, now],
  );
  const lines = await nextLines(tx, importId, LINES);
  const last = lines.at(-1);
  if (last === undefined) return { ...NOTHING_APPLIED, ...row.counts, done: true };
  await writePlainly(tx);
  const counts: ImportCounts = { ...NOTHING_APPLIED, ...row.counts };
  const problems: ImportedNot[] = [];
  for (const group of groupsOf(lines)) {
    const outcomes = await applyGroup(tx, group, { row, problems, hashOf, now });
    group.lines.forEach((line, at) => {
      const outcome = outcomes[at] ?? 'invalid';
      counts.lines += 1;
      if (outcome === 'made') counts.imported += 1;
      else if (outcome === 'known') counts.known += 1;
      else {
        counts.skipped += 1;
        problems.push({
          line: line.n,
          type: line.type,
          id: outcome === 'erased' ? null : idOf(group.table, line),
          code: outcome,
        });
      }
    });
  }
  await applied(tx, row, last.n, { counts, problems }, now);
  await noteRun(tx, operationId, counts);
  return { ...counts, done: lines.length < LINES };
}

interface Group {
  table: ExportTable;
  lines: HeldLine[];
}

/** Lines that follow upon each other and have the same columns; policies each for itself. */
function groupsOf(lines: readonly HeldLine[]): Group[] {
  const groups: (Group & { form: string })[] = [];
  for (const line of lines) {
    const table = exportTableOf(line.type);
    if (table === undefined) throw new Error('a line of an unknown type was held');
    const form = `${line.type} ${Object.keys(line.line).sort().join()}`;
    const open = groups.at(-1);
    if (open?.form === form && line.type !== 'policy') open.lines.push(line);
    else groups.push({ table, lines: [line], form });
  }
  return groups;
}

interface Place {
  row: ImportRow;
  /** Of this batch so far. */
  problems: readonly ImportedNot[];
  hashOf: TombstoneHash;
  now: Date;
}

async function applyGroup(tx: Tx, { table, lines }: Group, place: Place): Promise<Outcome[]> {
  const outcomes: (Outcome | null)[] = lines.map(({ refused }) => refused);
  const columns = await columnsOf(tx, table);
  const rows = lines.map(({ line }) => line);
  const { hashOf, row: held } = place;
  const erased = await erasedRows(tx, table, rows, hashOf);
  const hanging = await hangingRows(tx, table, rows, { importId: held.id, hashOf });
  const policyStops = table.type === 'policy' && (await policyIsOther(tx, rows[0] ?? {}, place));
  rows.forEach((row, at) => {
    if (outcomes[at] != null) return;
    if (erased.has(at) || hanging.has(at)) outcomes[at] = 'erased';
    else if (!Object.keys(row).every((column) => columns.has(column))) outcomes[at] = 'invalid';
    else if (table.key.some(([column]) => (row[column] ?? null) === null)) outcomes[at] = 'invalid';
    else if (policyStops) outcomes[at] = 'conflict';
    else if (table.type === 'person' && row.role === 'owner' && !place.row.by_owner) {
      outcomes[at] = 'not_allowed';
    }
  });
  if (table.type === 'reflection') {
    await unlink(
      tx,
      rows.filter((_row, at) => outcomes[at] === 'erased'),
    );
  }
  const open = rows.flatMap((row, at) => (outcomes[at] == null ? [{ row, at }] : []));
  if (open.length > 0) {
    const written = await writeRows(
      tx,
      table,
      open.map(({ row }) => row),
      place.now,
    );
    open.forEach(({ at }, n) => {
      outcomes[at] = written[n] ?? 'invalid';
    });
  }
  return outcomes.map((outcome) => outcome ?? 'invalid');
}

/** A link that a reflection drew says why, by all that it looked at: it goes with the reflection that is erased. */
async function unlink(tx: Tx, reflections: readonly JsonObject[]): Promise<void> {
  const edges = reflections.flatMap(({ edge_id: id }) => (typeof id === 'string' ? [id] : []));
  if (edges.length === 0) return;
  await tx.query('DELETE FROM edges WHERE workspace_id = $1 AND id = ANY ($2)', [
    tx.workspace,
    edges,
  ]);
}

async function writeRows(
  tx: Tx,
  table: ExportTable,
  rows: readonly JsonObject[],
  now: Date,
): Promise<Outcome[]> {
  if (table.type !== 'card') {
    const outcomes = await insertRows(tx, table, rows);
    const made = rows.filter((_row, at) => outcomes[at] === 'made');
    if (made.length > 0) await follow(tx, table, made, now);
    return outcomes;
  }
  const cards = await withIndexLength(tx, rows);
  const outcomes = await insertRows(
    tx,
    table,
    cards.map(({ row }) => row),
  );
  const made = cards.filter((_card, at) => outcomes[at] === 'made');
  for (const { row, text } of made) await indexImported(tx, row, text, now);
  await countAnew(
    tx,
    made.map(({ row }) => String(row.id)),
  );
  return outcomes;
}

/** One version of a policy rests on the one before it: where that is another one here, this one stays out too. */
async function policyIsOther(
  tx: Tx,
  row: JsonObject,
  { row: held, problems }: Place,
): Promise<boolean> {
  if ([...held.problems, ...problems].some(({ type }) => type === 'policy')) return true;
  const { last } = await tx.one<{ last: number }>(
    'SELECT COALESCE(max(version), 0) AS last FROM policies WHERE workspace_id = $1',
    [tx.workspace],
  );
  return Number(row.version) > last + 1;
}

function idOf({ key }: ExportTable, { line }: HeldLine): string {
  return key.map(([column]) => String(line[column] ?? '')).join(' ');
}

async function noteRun(tx: Tx, operationId: string, counts: ImportCounts): Promise<void> {
  await tx.query('UPDATE runs SET counts = $3 WHERE workspace_id = $1 AND id = $2', [
    tx.workspace,
    operationId,
    JSON.stringify(counts),
  ]);
}
