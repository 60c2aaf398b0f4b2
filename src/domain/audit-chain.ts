import { type AuditFault, LOGS, type LogName, type PlainRow } from '../contracts/audit';
import { faultAmong, type Mark } from './audit-marks';

/**
 * How the rows of the two logs become one chain of hashes. Everything is hashed as JSON text in UTF-8 without
 * spaces, so that another program can do the same; docs/audit.md shows it. What is hashed names its form
 * first, so that a later one is told apart.
 */

/** Lower-case hex, of the text in UTF-8. */
export type Sha256 = (text: string) => string;

export const FORM = '1';

/** The number of a row, by which its log is ordered. */
export const NUMBER_OF = { audit: 'seq', access: 'id' } as const satisfies Record<LogName, string>;

/** Every column; a migration that adds one begins a new form. */
export const LOG_COLUMNS = {
  audit: [
    'workspace_id',
    'seq',
    'at',
    'actor_kind',
    'actor_id',
    'action',
    'target_type',
    'target_id',
    'changed',
    'versions',
    'hashes',
    'reason_id',
    'channel',
    'workflow_id',
  ],
  access: [
    'workspace_id',
    'id',
    'at',
    'agent',
    'person',
    'execution_mode',
    'session',
    'via',
    'surface',
    'count',
    'card_ids',
    'recall_id',
  ],
} as const satisfies Record<LogName, readonly string[]>;

/** Every column but its own head. */
const SEALED_COLUMNS = [
  'workspace_id',
  'n',
  'form',
  'audit_from',
  'audit_to',
  'audit_rows',
  'audit_marks',
  'access_from',
  'access_to',
  'access_rows',
  'access_marks',
  'hash',
  'sealed_at',
  'workflow_id',
] as const;
export const SEAL_COLUMNS = [...SEALED_COLUMNS, 'head'] as const;

/** A seal as it is kept, and as an export has it. */
export type PlainSeal = Readonly<Record<(typeof SEAL_COLUMNS)[number], string>>;

/** A row without its number, which stands beside its hash. No two rows are written alike. */
export function rowText(log: LogName, row: PlainRow): string {
  const columns = LOG_COLUMNS[log].filter((column) => column !== NUMBER_OF[log]);
  return JSON.stringify([`cairn/${log}/1`, ...columns.map((column) => row[column] ?? null)]);
}

/** A row by its number and the hash of the rest of it. */
export interface Entry {
  seq: string;
  digest: string;
}

export type Entries = Readonly<Record<LogName, readonly Entry[]>>;

export function entriesOf(
  rows: Readonly<Record<LogName, readonly PlainRow[]>>,
  sha256: Sha256,
): Entries {
  const of = (log: LogName): Entry[] =>
    rows[log].map((row) => ({
      seq: String(row[NUMBER_OF[log]]),
      digest: sha256(rowText(log, row)),
    }));
  return { audit: of('audit'), access: of('access') };
}

export function blockText(entries: Entries): string {
  const listed = LOGS.map((log) => entries[log].map(({ seq, digest }) => [seq, digest]));
  return JSON.stringify(['cairn/block/1', ...listed]);
}

/** @param previous the head before it; null for the first */
export function sealText(previous: string | null, seal: Omit<PlainSeal, 'head'>): string {
  return JSON.stringify([
    'cairn/seal/1',
    previous,
    ...SEALED_COLUMNS.map((column) => seal[column] ?? null),
  ]);
}

/** Eight bytes tell the rows of a block apart; that none was touched is said by the block's own hash. */
const MARK_LENGTH = 16;

export function marksText(entries: readonly Entry[]): string {
  return entries.map(({ seq, digest }) => `${seq}:${digest.slice(0, MARK_LENGTH)}`).join(' ');
}

function marksIn(text: string): Mark[] {
  if (text === '') return [];
  return text.split(' ').map((one) => {
    const [seq = '', mark = ''] = one.split(':');
    return { seq, mark };
  });
}

/** Where a chain stands after a seal. */
export interface ChainEnd {
  n: number;
  head: string | null;
  /** The last number of each log that it covers. */
  audit: string;
  access: string;
}

export const BEGINNING: ChainEnd = { n: 0, head: null, audit: '0', access: '0' };

export function endOf(seal: PlainSeal): ChainEnd {
  return {
    n: Number(seal.n),
    head: seal.head,
    audit: seal.audit_to,
    access: seal.access_to,
  };
}

export interface NewSeal {
  workspace: string;
  /** The chain that it goes on. */
  end: ChainEnd;
  /** The last number of each log that it covers. */
  to: Readonly<Record<LogName, string>>;
  rows: Readonly<Record<LogName, readonly PlainRow[]>>;
  /** As Postgres writes it, in UTC. */
  sealedAt: string;
  workflowId: string;
}

/** The next seal of a chain. */
export function sealOf(made: NewSeal, sha256: Sha256): PlainSeal {
  const entries = entriesOf(made.rows, sha256);
  const seal = {
    workspace_id: made.workspace,
    n: String(made.end.n + 1),
    form: FORM,
    audit_from: after(made.end.audit),
    audit_to: made.to.audit,
    audit_rows: String(entries.audit.length),
    audit_marks: marksText(entries.audit),
    access_from: after(made.end.access),
    access_to: made.to.access,
    access_rows: String(entries.access.length),
    access_marks: marksText(entries.access),
    hash: sha256(blockText(entries)),
    sealed_at: made.sealedAt,
    workflow_id: made.workflowId,
  };
  return { ...seal, head: sha256(sealText(made.end.head, seal)) };
}

function after(number: string): string {
  return String(BigInt(number) + 1n);
}

/** Whether a seal follows on the one before and is as it was made; its rows are not looked at. */
export function faultInSeal(end: ChainEnd, seal: PlainSeal, sha256: Sha256): AuditFault | null {
  const n = end.n + 1;
  if (seal.n !== String(n)) return { log: 'chain', seq: n, reason: 'missing' };
  const follows =
    seal.form === FORM &&
    seal.audit_from === after(end.audit) &&
    seal.access_from === after(end.access) &&
    seal.head === sha256(sealText(end.head, seal));
  return follows ? null : { log: 'chain', seq: n, reason: 'chain' };
}

/** Whether the rows are those that a seal was made of, given that the seal itself holds. */
export function faultInRows(
  seal: PlainSeal,
  rows: Readonly<Record<LogName, readonly PlainRow[]>>,
  sha256: Sha256,
): AuditFault | null {
  const entries = entriesOf(rows, sha256);
  if (sha256(blockText(entries)) === seal.hash) return null;
  for (const log of LOGS) {
    const there = marksIn(marksText(entries[log]));
    const fault = faultAmong(marksIn(seal[`${log}_marks`]), there);
    if (fault !== null) return { log, seq: Number(fault.seq), reason: fault.reason };
  }
  return { log: 'chain', seq: Number(seal.n), reason: 'chain' };
}
