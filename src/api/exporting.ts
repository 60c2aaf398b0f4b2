import type { Readable } from 'node:stream';
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ExportManifest,
  type ExportScope,
} from '../contracts/transfer';
import { logAccess } from '../store/access-log';
import { writeAudit } from '../store/audit';
import { writePlainly } from '../store/audit-rows';
import type { Database, Tx } from '../store/database';
import { chained, NO_CHAIN, signedEnd } from '../store/export-chain';
import {
  countExported,
  type ExportedRow,
  type ExportView,
  exportedRows,
  exportedWorkspace,
} from '../store/export-rows';
import type { ExportTable } from '../store/export-table';
import { EXPORT_TABLES } from '../store/export-tables';
import { WholeFile } from '../store/export-whole';
import { newId } from '../store/ids';
import { migrationFiles } from '../store/migrate';
import { Signer } from '../store/signing';
import { readerArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import { type Caller, surfaceOf } from './authentication';
import { ExportSink } from './export-sink';
import { badRequest, notAllowed, notFound, Problem } from './problem';

/** What leaves, and for whom. */
export interface Exporting {
  of: { scope: ExportScope; id: string };
  view: ExportView;
  tables: readonly ExportTable[];
}

/** Rows read at once, and lines sent at once: of the largest there are, some megabytes. */
const PAGE = 200;

const REDACTION =
  'texts are as they are kept: secrets, e-mails and phones were replaced before anything was written down';

/**
 * A person who names no agent exports the workspace, or what is about one subject; a member what is about their own.
 * With an agent named it is what that agent sees, cards and edges.
 * @throws Problem 403 or 404 where a member asks for more
 */
export function exportingOf(
  deps: Pick<ApiDependencies, 'clock'>,
  caller: Caller,
  asked: string | null,
): Exporting {
  const { workspace, agent, principal } = caller.context;
  const isMember = principal.role === 'member';
  const subject = isMember ? caller.memberSubject : asked;
  if (isMember && subject === null) {
    throw notAllowed('nobody has said yet whom this key is about; an owner links it to a subject');
  }
  if (isMember && asked !== null && asked !== subject) throw notFound('subject');
  if (agent !== null && subject !== null) {
    throw badRequest('ask for what an agent sees, or for what is about a subject: not for both');
  }
  const view = {
    reader: readerArguments(caller.context, caller.memberSubject, deps.clock()),
    subject,
  };
  if (agent !== null) {
    const tables = EXPORT_TABLES.filter(({ forAgents }) => forAgents === true);
    return { of: { scope: 'agent', id: agent }, view, tables };
  }
  if (subject !== null) {
    const tables = EXPORT_TABLES.filter((table) => table.subject !== undefined);
    return { of: { scope: 'subject', id: subject }, view, tables };
  }
  return { of: { scope: 'workspace', id: workspace }, view, tables: EXPORT_TABLES };
}

/**
 * The lines of an export, as they are read: a page is in memory and what the reader has not taken yet waits, so that
 * a slow one slows the reading down and one that goes away ends it. What breaks off has no signature.
 * @throws what keeps it from beginning
 */
export async function exportStream(
  deps: ApiDependencies,
  caller: Caller,
  exporting: Exporting,
): Promise<Readable> {
  const sink = new ExportSink();
  const begun = new Promise<void>((resolve, reject) => {
    const write = writing(deps, caller, exporting, sink, resolve);
    readingOn(deps.database, caller.context.workspace, write).then(
      () => sink.end(),
      (error: Error) => {
        reject(error);
        sink.break(error);
      },
    );
  });
  await begun;
  return sink.stream;
}

/** Runs a read: all of them on one snapshot, or on one session, which must not be held, each by itself. */
type Reading = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

async function readingOn(
  database: Database,
  workspace: string,
  work: (read: Reading, isSnapshot: boolean) => Promise<void>,
): Promise<void> {
  if (database.isOneSession) {
    await work(
      (read) =>
        database.inWorkspace(workspace, async (tx) => {
          await writePlainly(tx);
          return await read(tx);
        }),
      false,
    );
    return;
  }
  await database.inSnapshot(workspace, async (tx) => {
    await writePlainly(tx);
    await work((read) => read(tx), true);
  });
}

function writing(
  deps: ApiDependencies,
  caller: Caller,
  { of, view, tables }: Exporting,
  sink: ExportSink,
  begun: () => void,
) {
  return async (read: Reading, isSnapshot: boolean): Promise<void> => {
    const signer = new Signer(deps.secretKey);
    const now = deps.clock();
    const counts: Record<string, number> = {};
    for (const table of tables) {
      counts[table.type] = await read((tx) => countExported(tx, table, view));
    }
    if (of.scope === 'subject' && Object.values(counts).every((count) => count === 0)) {
      throw new Problem(404, 'not_found', 'nothing here is about this subject: check its id');
    }
    const manifest: ExportManifest = {
      type: 'manifest',
      format: EXPORT_FORMAT,
      version: EXPORT_VERSION,
      id: newId('exp', now),
      made_at: now.toISOString(),
      workspace: await read(exportedWorkspace),
      of,
      schema: migrationFiles().at(-1) ?? '',
      consistency: isSnapshot ? 'snapshot' : 'pages',
      counts,
      redaction: REDACTION,
      key_id: signer.keyId,
    };
    await deps.database.inWorkspace(caller.context.workspace, (tx) =>
      writeAudit(tx, {
        at: now,
        actor: caller.context.principal,
        action: 'export.made',
        target: { type: of.scope, id: of.id },
        hashes: { export_id: manifest.id },
        channel: 'api',
      }),
    );
    let chain = NO_CHAIN;
    let lines = 0;
    const send = async (texts: readonly string[]): Promise<void> => {
      for (const text of texts) chain = chained(chain, text);
      lines += texts.length;
      await sink.write(texts.map((text) => `${text}\n`).join(''));
    };
    // What is read on one snapshot is whole by itself.
    const whole = isSnapshot ? null : await read((tx) => WholeFile.of(tx, tables));
    const first = send([JSON.stringify(manifest)]);
    begun();
    await first;
    for (const table of tables) {
      for (let after: string | null = null, more = true; more; ) {
        const place: string | null = after;
        const rows: ExportedRow[] = await read((tx) => exportedRows(tx, table, view, place, PAGE));
        await logged(deps, caller, rows);
        const left = rows.flatMap(({ row }) =>
          row === null || whole?.admits(table, row) === false ? [] : [row],
        );
        await send(left.map((row) => lineOf(table.type, row)));
        after = rows.at(-1)?.at ?? null;
        more = rows.length === PAGE;
      }
    }
    await sink.write(`${JSON.stringify(signedEnd(signer, lines, chain))}\n`);
  };
}

/** `row` is JSON that Postgres wrote, and stays as it is. */
function lineOf(type: string, row: string): string {
  return `{"type":${JSON.stringify(type)},"row":${row}}`;
}

/** No log, no line. */
async function logged(
  deps: ApiDependencies,
  caller: Caller,
  rows: readonly ExportedRow[],
): Promise<void> {
  const cards = rows.flatMap(({ row, card, vias }) =>
    row === null || card === null || vias === null ? [] : [{ id: card, vias }],
  );
  if (cards.length === 0) return;
  await deps.database.inWorkspace(caller.context.workspace, (tx) =>
    logAccess(tx, caller.context, {
      surface: surfaceOf(caller, 'export'),
      at: deps.clock(),
      cards,
    }),
  );
}
