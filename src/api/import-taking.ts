import { createHash } from 'node:crypto';
import type { JsonObject } from '../contracts/event';
import type { ExportSignature, ImportTaken } from '../contracts/transfer';
import { importWorkflowId } from '../contracts/workflow-ids';
import { linesOf } from '../domain/text-lines';
import { importedRowFitter, type RowFitter } from '../intake/imported-row';
import { exportLineSchema, exportSignatureSchema, type ImportQuery } from '../schemas/transfer';
import { writeAudit } from '../store/audit';
import { chained, endIsOf } from '../store/export-chain';
import { exportTableOf } from '../store/export-tables';
import { newId } from '../store/ids';
import { dropLinesFrom } from '../store/import-held-lines';
import { broughtTo } from '../store/import-place';
import {
  acceptImport,
  beginImport,
  dropImport,
  holdImport,
  holdLines,
  type ImportRow,
  type LineToHold,
} from '../store/imports';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { settingsIn } from './card-content';
import { type Asked, requireSameRequest } from './idempotency';
import { lineIn, manifestIn, notAnExport } from './import-file';
import { PassingLines } from './import-passing';
import { badRequest, notFound, Problem } from './problem';

/** A message or an event has far less; escapes make it longer. */
const LONGEST_LINE = 8 * 1024 * 1024;
/** Kept in one transaction: so many lines, or so many bytes. */
const LINES_AT_ONCE = 200;
const BYTES_AT_ONCE = 1024 * 1024;

/**
 * Takes the lines of an export, part after part, and holds them, redacted, until the last one proves that they are
 * whole: only then does a run apply them. What was held before is not held again, so that a file that is sent again,
 * from its beginning or from where it stopped, goes on.
 * @throws Problem 422 where it is no export, is unsigned, is signed by a key that nobody accepted, or was changed
 */
export async function takeImport(
  deps: ApiDependencies,
  request: Asked,
  query: ImportQuery,
  body: AsyncIterable<Uint8Array | string>,
): Promise<ImportTaken> {
  const taking = new Taking(deps, request, query);
  for await (const line of linesOf(body, LONGEST_LINE)) {
    if ('problem' in line) throw notAnExport(`line ${line.number} is ${line.problem}`);
    if (line.text.trim() === '') continue;
    await taking.line(line.text);
  }
  return await taking.end();
}

class Taking {
  private row: ImportRow | null = null;
  /** Of the line in hand, in the file. */
  private n = 0;
  private held: LineToHold[] = [];
  private bytes = 0;
  private redactions = 0;
  /** Whether lines were held before this request. */
  private goesOn = false;
  /** As it stands after what is in `held`. */
  private lines = 0;
  private chain = '';
  private signature: ExportSignature | null = null;
  private fit: RowFitter | null = null;
  /** Null for a part that goes on after what is held. */
  private passing: PassingLines | null = null;

  constructor(
    private readonly deps: ApiDependencies,
    private readonly request: Asked,
    private readonly query: ImportQuery,
  ) {}

  private get caller(): Caller {
    return this.request.caller;
  }

  private get workspace(): string {
    return this.caller.context.workspace;
  }

  async line(text: string): Promise<void> {
    if (this.signature !== null) throw notAnExport('there is something after its last line');
    const row = this.row ?? (await this.begin(text));
    this.n += 1;
    if (row.state === 'accepted' || (this.n <= row.lines && (await this.isHeld(row, text)))) return;
    const value = lineIn(text, this.n);
    if (value.type === 'signature') {
      const signature = exportSignatureSchema.safeParse(value);
      if (!signature.success) throw notAnExport('its last line is no signature');
      this.signature = signature.data;
      return;
    }
    this.chain = chained(this.chain, text);
    this.lines = this.n;
    if (this.n > 1) this.hold(value);
    this.bytes += text.length;
    if (this.held.length >= LINES_AT_ONCE || this.bytes >= BYTES_AT_ONCE) await this.flush();
  }

  /**
   * Whether this line is held from before. A file that begins at its beginning is compared with what is held: from the
   * first line on that is another one, as after a transfer that was damaged, it is taken anew.
   */
  private async isHeld(row: ImportRow, text: string): Promise<boolean> {
    if (this.passing === null) return true;
    const before = await this.passing.before(this.n, text);
    if (before === null) return true;
    const at = { n: this.n, held: row.lines, chain: before };
    const isOpen = await this.deps.database.inWorkspace(this.workspace, (tx) =>
      dropLinesFrom(tx, row.id, at, this.deps.clock()),
    );
    if (!isOpen) throw movedOn();
    this.row = { ...row, lines: this.n - 1, chain: before };
    this.lines = this.n - 1;
    this.chain = before;
    this.passing = null;
    return false;
  }

  async end(): Promise<ImportTaken> {
    const { row } = this;
    if (row === null) throw notAnExport('it is empty');
    const answer = {
      import_id: row.id,
      status: 'accepted',
      operation_id: row.operation_id,
    } as const;
    if (row.state === 'accepted') return { ...answer, lines: row.lines };
    await this.flush();
    if (this.signature === null) {
      if (this.query.more !== 'true') {
        throw new Problem(
          422,
          'unsigned',
          'it ends before its last line, the signature: send the whole file, or its parts with more=true',
          { import_id: row.id, lines: this.lines },
        );
      }
      return { ...answer, status: 'receiving', lines: this.lines };
    }
    const { signature } = this;
    if (signature.key_id !== row.key_id || !endIsOf(signature, this.lines, this.chain)) {
      await this.deps.database.inWorkspace(this.workspace, (tx) => dropImport(tx, row.id));
      throw new Problem(
        422,
        'signature_invalid',
        this.goesOn
          ? 'its signature is not of these lines and those that were held from before: one of them was changed, or lines are missing; nothing was taken and nothing is held any more, so send the whole file once more'
          : 'its signature is not of these lines: it was changed, or lines are missing; nothing was taken',
      );
    }
    return { ...answer, lines: this.lines, operation_id: await this.accept(row.id) };
  }

  private hold(value: JsonObject): void {
    const line = exportLineSchema.safeParse(value);
    const table = line.success ? exportTableOf(line.data.type) : undefined;
    if (!line.success || table === undefined) {
      throw notAnExport(`line ${this.n} is of a type that this version does not know`);
    }
    if (this.fit === null) throw new Error('an import begins with its settings');
    const fit = this.fit(table, line.data.row);
    this.redactions += fit.redactions;
    const row = broughtTo(fit.row, this.row?.from_workspace ?? this.workspace, this.workspace);
    const refused = fit.hasSecret ? ('secret_in_identifier' as const) : null;
    // What holds a secret is not written down, but for its place.
    const kept = fit.hasSecret ? {} : row;
    this.held.push({ n: this.n, type: table.type, line: kept, refused, chain: this.chain });
  }

  private async flush(): Promise<void> {
    const { row } = this;
    if (row === null || this.lines === row.lines) return;
    const part = {
      from: row.lines,
      lines: this.lines,
      chain: this.chain,
      held: this.held,
      redactions: this.redactions,
    };
    const isHeld = await this.deps.database.inWorkspace(this.workspace, (tx) =>
      holdLines(tx, row.id, part, this.deps.clock()),
    );
    if (!isHeld) throw movedOn();
    this.row = { ...row, lines: this.lines, chain: this.chain };
    this.held = [];
    this.bytes = 0;
    this.redactions = 0;
  }

  /** By the manifest, or where a part goes on, by the import that it names. */
  private async begin(text: string): Promise<ImportRow> {
    const { query, workspace } = this;
    await requireSameRequest(this.request, this.deps, 202, { begins: text });
    const row =
      query.import === undefined ? await this.opened(text) : await this.continued(query.import);
    const settings = await this.deps.database.inWorkspace(workspace, settingsIn);
    this.fit = importedRowFitter(this.deps.secretKey, workspace, settings);
    this.n = query.import === undefined ? 0 : (query.after ?? 0);
    if (this.n > row.lines && row.state === 'receiving') {
      throw new Problem(
        409,
        'lines_missing',
        `lines are missing before this part: go on after line ${row.lines}`,
        { import_id: row.id, lines: row.lines },
      );
    }
    this.row = row;
    this.goesOn = row.lines > 0;
    if (query.import === undefined && this.goesOn) {
      this.passing = new PassingLines(this.deps, workspace, row.id);
    }
    this.lines = row.lines;
    this.chain = row.chain;
    return row;
  }

  private async continued(id: string): Promise<ImportRow> {
    if (this.query.after === undefined) {
      throw badRequest('a part that goes on says after which line', '/after');
    }
    const row = await this.deps.database.inWorkspace(this.workspace, (tx) => holdImport(tx, id));
    if (row === null || row.state === 'ended') throw notFound('import');
    return row;
  }

  private async opened(text: string): Promise<ImportRow> {
    const manifest = manifestIn(this.deps.secretKey, text, this.query.accept_key);
    const { role } = this.caller.context.principal;
    const beginning = {
      id: `imp_${createHash('sha256').update(text).digest('hex').slice(0, 26)}`,
      exportId: manifest.id,
      fromWorkspace: manifest.workspace.id,
      keyId: manifest.key_id,
      byOwner: role === 'owner',
    };
    return await this.deps.database.inWorkspace(this.workspace, (tx) =>
      beginImport(tx, beginning, this.deps.clock()),
    );
  }

  private async accept(id: string): Promise<string | null> {
    const { deps, caller, workspace } = this;
    const now = deps.clock();
    const operationId = newId('op', now);
    const workflowId = importWorkflowId(workspace, operationId);
    const { principal } = caller.context;
    const operation = await deps.database.inWorkspace(workspace, async (tx) => {
      const run = { operationId, workflowId, askedBy: principal.id };
      if (!(await acceptImport(tx, id, run, now))) return (await holdImport(tx, id))?.operation_id;
      await writeAudit(tx, {
        at: now,
        actor: principal,
        action: 'import.started',
        target: { type: 'import', id },
        hashes: { key_id: this.signature?.key_id ?? '', lines: this.lines },
        channel: 'api',
        workflowId,
      });
      return operationId;
    });
    deps.pokeOutbox();
    return operation ?? null;
  }
}

function movedOn(): Problem {
  return new Problem(
    409,
    'import_moved_on',
    'somebody else is sending the same file: ask again, and go on after the lines that are held',
  );
}
