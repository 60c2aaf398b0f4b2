import { z } from 'zod';
import type { AuditExportLine, AuditExportPage, LogName, PlainRow } from '../contracts/audit';
import { BEGINNING, endOf, FORM, NUMBER_OF } from '../domain/audit-chain';
import { plainRows, plainSeal, writePlainly } from '../store/audit-rows';
import { BLOCK } from '../store/audit-sealing';
import { endAt, readBlock } from '../store/audit-verifying';
import type { Tx } from '../store/database';
import type { ApiDependencies } from './app';
import { encoded, positionIn } from './paging';
import { badRequest } from './problem';

/** After which seal a page begins; then, past the last one, after which rows. */
const POSITION = z.union([
  z.tuple([z.int().min(0)]),
  z.tuple([z.int().min(0), z.int().min(0), z.int().min(0)]),
]);

/** Rows that were put into a block afterwards are exported too, up to here. */
const SURPLUS = 1_000;

/**
 * One page of everything: a manifest, each seal followed by its rows, the rows that are not sealed yet, and an
 * end with the head. A seal that is made meanwhile is left to the next export.
 */
export async function exportPage(
  deps: Pick<ApiDependencies, 'database' | 'clock'>,
  workspace: string,
  cursor: string | undefined,
): Promise<AuditExportPage> {
  const position = positionIn(cursor, POSITION);
  return await deps.database.inWorkspace(workspace, async (tx) => {
    if (position?.length === 3) return await unsealedPage(tx, position);
    const n = position?.[0] ?? 0;
    const end = n === 0 ? BEGINNING : await endAt(tx, n);
    if (end === null) throw badRequest('cursor: names a seal that is not there', '/cursor');
    const opening = position === null ? [await manifest(tx, deps.clock())] : [];
    const block = await readBlock(tx, end, SURPLUS);
    if (block === null) {
      const page = await unsealedPage(tx, [n, Number(end.audit), Number(end.access)]);
      return { ...page, lines: [...opening, line('unsealed', {}), ...page.lines] };
    }
    const { seal, rows } = block;
    const lines = [...opening, line('seal', seal), ...rowLines(rows)];
    return { lines, next_cursor: encoded([Number(seal.n)]) };
  });
}

async function unsealedPage(
  tx: Tx,
  [n, audit, access]: readonly [number, number, number],
): Promise<AuditExportPage> {
  const end = n === 0 ? BEGINNING : await endAt(tx, n);
  if (end === null) throw badRequest('cursor: names a seal that is not there', '/cursor');
  await writePlainly(tx);
  const after = { audit, access };
  const of = (log: LogName) =>
    plainRows(tx, log, { after: String(after[log]), to: null, limit: BLOCK });
  const rows = { audit: await of('audit'), access: await of('access') };
  const lines = rowLines(rows);
  if (rows.audit.length < BLOCK && rows.access.length < BLOCK) {
    return {
      lines: [...lines, { type: 'end', n: String(n), head: end.head }],
      next_cursor: null,
    };
  }
  const last = (log: LogName) => Number(rows[log].at(-1)?.[NUMBER_OF[log]] ?? after[log]);
  return { lines, next_cursor: encoded([n, last('audit'), last('access')]) };
}

async function manifest(tx: Tx, now: Date): Promise<AuditExportLine> {
  await writePlainly(tx);
  const last = await plainSeal(tx, 'last');
  const { n, head } = last === null ? BEGINNING : endOf(last);
  const exported_at = now.toISOString();
  const fields = { workspace: tx.workspace, form: FORM, exported_at, n: String(n), head };
  return { type: 'manifest', ...fields };
}

function rowLines(rows: Readonly<Record<LogName, readonly PlainRow[]>>): AuditExportLine[] {
  return [
    ...rows.audit.map((row) => line('audit', row)),
    ...rows.access.map((row) => line('access', row)),
  ];
}

function line(type: AuditExportLine['type'], columns: PlainRow): AuditExportLine {
  return { type, ...columns } as AuditExportLine;
}
