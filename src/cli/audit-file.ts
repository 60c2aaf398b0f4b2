import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { AuditFault, AuditVerification, LogName, PlainRow } from '../contracts/audit';
import {
  BEGINNING,
  type ChainEnd,
  endOf,
  FORM,
  faultInRows,
  faultInSeal,
  NUMBER_OF,
  type PlainSeal,
  SEAL_COLUMNS,
  type Sha256,
} from '../domain/audit-chain';
import { linesOf } from '../domain/text-lines';
import { Failed, WrongUse } from './failure';

const sha256: Sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex');

/** Of an export: whether it is whole, and everything in it as it was sealed. */
export async function verifyFile(file: string, anchor: string | null): Promise<AuditVerification> {
  const reader = new ExportReader(anchor);
  const chunks = createReadStream(file);
  try {
    for await (const line of linesOf(chunks)) {
      if ('problem' in line) throw notOurs(line.number);
      if (!reader.take(parsed(line.text, line.number), line.number)) break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined || error instanceof Failed) throw error;
    throw new WrongUse(`${file} cannot be read.`);
  } finally {
    chunks.destroy();
  }
  return reader.verification();
}

interface Block {
  seal: PlainSeal;
  rows: Record<LogName, PlainRow[]>;
}

/** Goes through an export line by line; never more than a block is kept. */
class ExportReader {
  private end: ChainEnd = BEGINNING;
  private block: Block | null = null;
  private place: 'start' | 'sealed' | 'unsealed' | 'end' = 'start';
  private fault: AuditFault | null = null;
  private seals = 0;
  private unsealed = 0;
  private anchorAt: number | null = null;

  constructor(private readonly anchor: string | null) {}

  /** @returns false where nothing more has to be read. @throws Failed for what is no export. */
  take(line: PlainRow, number: number): boolean {
    if (this.place === 'start') {
      if (line.type !== 'manifest') throw notOurs(number);
      if (line.form !== FORM) {
        throw new Failed('This export is of a newer Cairn: verify it with that.', 'unknown_form');
      }
      this.place = 'sealed';
      return true;
    }
    const type: string = line.type ?? '';
    switch (type) {
      case 'seal':
        if (this.place !== 'sealed') throw notOurs(number);
        return this.closeBlock() && this.openBlock(sealIn(line, number));
      case 'audit':
      case 'access':
        this.keep(type, line, number);
        return true;
      case 'unsealed':
        this.place = 'unsealed';
        return this.closeBlock();
      case 'end':
        this.place = 'end';
        if (this.closeBlock()) this.compareEnd(line);
        return false;
      default:
        throw notOurs(number);
    }
  }

  /** @throws Failed where it was cut short. */
  verification(): AuditVerification {
    const { end, anchor, anchorAt } = this;
    if (this.place !== 'end' && this.fault === null) {
      throw new Failed('The file was cut short: its last line is not the end.', 'cut_short');
    }
    const isLost = anchor !== null && anchorAt === null;
    const fault: AuditFault | null =
      this.fault ?? (isLost ? { log: 'chain', seq: null, reason: 'anchor' } : null);
    return {
      ok: fault === null,
      seals: this.seals,
      verified: end.n,
      sealed_to: { audit: Number(end.audit), access: Number(end.access) },
      unsealed: this.unsealed,
      head: end.head,
      ...(anchor === null ? {} : { anchor: { head: anchor, n: anchorAt } }),
      ...(fault === null ? {} : { first_bad: fault }),
      next: null,
    };
  }

  private openBlock(seal: PlainSeal): boolean {
    this.seals += 1;
    this.fault = faultInSeal(this.end, seal, sha256);
    this.block = { seal, rows: { audit: [], access: [] } };
    return this.fault === null;
  }

  private keep(log: LogName, row: PlainRow, number: number): void {
    if (!isNumber(row[NUMBER_OF[log]])) throw notOurs(number);
    if (this.place === 'unsealed') {
      this.unsealed += 1;
      return;
    }
    if (this.block === null) throw notOurs(number);
    const { seal, rows } = this.block;
    // One more than were sealed says that there are more.
    if (rows[log].length <= Number(seal[`${log}_rows`])) rows[log].push(row);
  }

  /** @returns whether the block that was read last holds */
  private closeBlock(): boolean {
    if (this.block === null) return true;
    const { seal, rows } = this.block;
    for (const log of ['audit', 'access'] as const) {
      const number = NUMBER_OF[log];
      rows[log].sort((a, b) => (BigInt(a[number] ?? 0) < BigInt(b[number] ?? 0) ? -1 : 1));
    }
    this.fault = faultInRows(seal, rows, sha256);
    this.block = null;
    if (this.fault !== null) return false;
    this.end = endOf(seal);
    if (seal.head === this.anchor) this.anchorAt = this.end.n;
    return true;
  }

  private compareEnd(line: PlainRow): void {
    const { n, head } = this.end;
    if (line.n === String(n) && line.head === head) return;
    const isShort = Number(line.n) > n;
    this.fault = { log: 'chain', seq: n + 1, reason: isShort ? 'missing' : 'chain' };
  }
}

function parsed(text: string, number: number): PlainRow {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line === 'object' && line !== null && !Array.isArray(line)) return line as PlainRow;
  } catch {
    // Said below, like everything else that is no line of an export.
  }
  throw notOurs(number);
}

function sealIn(line: PlainRow, number: number): PlainSeal {
  for (const column of SEAL_COLUMNS) {
    if (typeof line[column] !== 'string') throw notOurs(number);
    const isCount = column === 'n' || /_(?:from|to|rows)$/.test(column);
    if (isCount && !isNumber(line[column])) throw notOurs(number);
  }
  const marks = `${line.audit_marks} ${line.access_marks}`.trim();
  if (!/^(?:-?\d{1,19}:\w* *)*$/.test(marks)) throw notOurs(number);
  return line as unknown as PlainSeal;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'string' && /^(?:0|-?[1-9]\d{0,18})$/.test(value);
}

function notOurs(number: number): Failed {
  return new Failed(`Line ${number} is not one of an export.`, 'not_an_export');
}
