import type { JsonObject } from '../contracts/event';
import type { Tx } from './database';
import type { ExportTable } from './export-table';
import { exportTableOf } from './export-tables';
import { idPart } from './ids';
import { erasedRows, hasTombstones, type TombstoneHash } from './import-erased';

/** Lines that one statement reads: a payload may have a quarter of a megabyte. */
const PAGE = 50;

interface Looking {
  importId: string;
  hashOf: TombstoneHash;
}

/**
 * Which of the rows were only there for what is erased here, though they do not name it: sessions in which nothing
 * else happened, runs of what was refused, actions that nothing else recommends, reasons that were purged. By their places in the list; what
 * stands here is none of them.
 */
export async function hangingRows(
  tx: Tx,
  { type }: Pick<ExportTable, 'type'>,
  rows: readonly JsonObject[],
  looking: Looking,
): Promise<Set<number>> {
  const find = HANGING[type];
  if (find === undefined || !(await hasTombstones(tx))) return new Set();
  const column = type === 'action' ? 'hash' : 'id';
  const ids = rows.map((row) => String(row[column]));
  const found = await find(tx, ids, looking, rows);
  return new Set(rows.flatMap((row, at) => (found.has(String(row[column])) ? [at] : [])));
}

type Find = (
  tx: Tx,
  ids: readonly string[],
  looking: Looking,
  rows: readonly JsonObject[],
) => Promise<Set<string>>;

const HANGING: Readonly<Record<string, Find>> = {
  session: emptySessions,
  run: ofNothing,
  action: dropped,
  reason: purged,
};

/** Why somebody did something that the log here remembers: it stood here, and went with what it was said of. */
async function purged(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `SELECT DISTINCT a.reason_id AS id FROM audit_log a
      WHERE a.workspace_id = $1 AND a.reason_id = ANY ($2)
        AND NOT EXISTS (SELECT 1 FROM reasons r WHERE r.workspace_id = $1 AND r.id = a.reason_id)`,
    [tx.workspace, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Captures stand before their runs in the file, conversations behind those of their compactions. */
async function ofNothing(
  tx: Tx,
  ids: readonly string[],
  looking: Looking,
  rows: readonly JsonObject[],
) {
  const captured = new Set(
    (
      await tx.query<{ id: string }>(
        'SELECT operation_id AS id FROM captures WHERE workspace_id = $1 AND operation_id = ANY ($2)',
        [tx.workspace, ids],
      )
    ).map(({ id }) => id),
  );
  const found = new Set<string>();
  const compacted = new Map<string, string>();
  for (const { id, type, workflow_id: workflow } of rows) {
    if (type === 'capture' && !captured.has(String(id))) found.add(String(id));
    // Where the workflow has a hash of the conversation's id.
    const [, part] = /^compact\/[^/]+\/(~[^/]+)\//.exec(String(workflow)) ?? [];
    if (part !== undefined) compacted.set(String(id), part);
  }
  if (compacted.size === 0) return found;
  const table = exportTableOf('conversation');
  const lines = await tx.query<{ line: JsonObject }>(
    `SELECT line FROM import_lines WHERE workspace_id = $1 AND import_id = $2 AND type = 'conversation'`,
    [tx.workspace, looking.importId],
  );
  const parts = new Set(compacted.values());
  const held = lines.map(({ line }) => line).filter(({ id }) => parts.has(idPart(String(id))));
  if (table === undefined) return found;
  const erased = await erasedRows(tx, table, held, looking.hashOf);
  const gone = new Set([...erased].map((at) => idPart(String(held[at]?.id))));
  for (const [id, part] of compacted) if (gone.has(part)) found.add(id);
  return found;
}

/** The insights stand before them in the file: those that are not here were refused. */
async function dropped(tx: Tx, hashes: readonly string[], { importId }: Looking) {
  const rows = await tx.query<{ id: string }>(
    `SELECT l.line ->> 'hash' AS id
       FROM import_lines l
       LEFT JOIN insights n ON n.workspace_id = $1 AND n.id = l.line ->> 'insight_id'
      WHERE l.workspace_id = $1 AND l.import_id = $3 AND l.type = 'insight_action' AND l.line ->> 'hash' = ANY ($2)
        AND NOT EXISTS (SELECT 1 FROM actions a WHERE a.workspace_id = $1 AND a.hash = l.line ->> 'hash')
      GROUP BY l.line ->> 'hash'
     HAVING count(n.id) = 0`,
    [tx.workspace, hashes, importId],
  );
  return new Set(rows.map(({ id }) => id));
}

interface HeldOf {
  n: number;
  type: string;
  line: JsonObject;
  session: string;
}

/** Named by something that is erased, and by no event and no card that stays: those that still come are looked at. */
async function emptySessions(tx: Tx, ids: readonly string[], { importId, hashOf }: Looking) {
  const here = await tx.query<{ id: string }>(
    'SELECT id FROM sessions WHERE workspace_id = $1 AND id = ANY ($2)',
    [tx.workspace, ids],
  );
  const stays = new Set(here.map(({ id }) => id));
  const named = new Set<string>();
  for (let after = 0; ; ) {
    const open = ids.filter((id) => !stays.has(id));
    const lines = open.length === 0 ? [] : await naming(tx, importId, open, after);
    for (const type of new Set(lines.map((line) => line.type))) {
      const table = exportTableOf(type);
      if (table === undefined) continue;
      const ofType = lines.filter((line) => line.type === type);
      const rows = ofType.map(({ line }) => line);
      const erased = await erasedRows(tx, table, rows, hashOf);
      ofType.forEach(({ session }, at) => {
        if (erased.has(at)) named.add(session);
        else if (type === 'event' || type === 'card') stays.add(session);
      });
    }
    after = lines.at(-1)?.n ?? 0;
    if (lines.length < PAGE) break;
  }
  return new Set([...named].filter((id) => !stays.has(id)));
}

async function naming(tx: Tx, importId: string, sessions: readonly string[], after: number) {
  return await tx.query<HeldOf>(
    `SELECT l.n, l.type, l.line, s.session
       FROM import_lines l
      CROSS JOIN LATERAL (SELECT COALESCE(l.line ->> 'session', l.line -> 'payload' ->> 'session') AS session) s
      WHERE l.workspace_id = $1 AND l.import_id = $2 AND l.n > $4 AND l.refused IS NULL
        AND l.type IN ('event', 'card', 'pending_write', 'recall') AND s.session = ANY ($3)
      ORDER BY l.n
      LIMIT ${PAGE}`,
    [tx.workspace, importId, sessions, after],
  );
}
