import type { JsonObject } from './event';
import type { ExecutionMode, Via } from './names';

/** Content-free: field names, versions, hashes; a reason is referred to by id. */
export interface AuditRow {
  seq: number;
  at: string;
  actor: { kind: string; id: string };
  action: string;
  target: { type: string; id: string };
  changed: string[];
  versions: number[];
  hashes: JsonObject;
  reason_id: string | null;
  channel: string;
  workflow_id: string | null;
}

export interface AccessRow {
  id: number;
  at: string;
  agent: string | null;
  person: string | null;
  execution_mode: ExecutionMode;
  session: string | null;
  via: Via;
  surface: string;
  count: number;
  card_ids: string[];
}

/** The two logs that are sealed together. */
export const LOGS = ['audit', 'access'] as const;
export type LogName = (typeof LOGS)[number];

/** What a block holds of one log: every row with a number from `from` to `to`; none where that is empty. */
export interface SealedRange {
  from: number;
  to: number;
  rows: number;
}

/** One block of the chain. Hashes are SHA-256 in hex. */
export interface AuditSeal {
  n: number;
  audit: SealedRange;
  access: SealedRange;
  /** Of the rows. */
  hash: string;
  /** Of the block and the head before it: it stands for everything up to here. */
  head: string;
  sealed_at: string;
  workflow_id: string;
}

export const FAULT_REASONS = [
  /** The row is not as it was sealed. */
  'changed',
  /** It was sealed and is gone. */
  'missing',
  /** What was sealed under this number stands under another one. */
  'reordered',
  /** It was not there when its block was sealed. */
  'inserted',
  /** The seal is not as it was made, or does not follow on the one before. */
  'chain',
  /** No seal has the head that was to be there: the chain was cut short or made anew. */
  'anchor',
] as const;
export type FaultReason = (typeof FAULT_REASONS)[number];

/** The first thing that is not as it was sealed. */
export interface AuditFault {
  /** `chain`: a seal itself. */
  log: LogName | 'chain';
  /** Of the row, or the seal's `n`; null for an anchor. */
  seq: number | null;
  reason: FaultReason;
}

/** The chain, computed anew and compared. */
export interface AuditVerification {
  ok: boolean;
  /** Seals there are. */
  seals: number;
  /** Seals that were looked at and hold, from the first one on. */
  verified: number;
  /** The last number of each log that they cover. */
  sealed_to: Record<LogName, number>;
  /** Rows after the last seal, of both logs; counted to 10,000. */
  unsealed: number;
  /** After the last seal that holds; null before the first one. */
  head: string | null;
  /** Present where one was asked for: the seal that has this head, or null. */
  anchor?: { head: string; n: number | null };
  first_bad?: AuditFault;
  /** Where to go on (`after`); null where everything was looked at. */
  next: number | null;
}

/** A row as it was hashed: every column as Postgres writes it, times in UTC. */
export type PlainRow = Readonly<Record<string, string | null>>;

/** `unsealed` stands between the rows of the last block and those that are in none yet. */
export const EXPORT_LINES = ['manifest', 'seal', ...LOGS, 'unsealed', 'end'] as const;

/** One line of an export: what it is, and its columns. */
export type AuditExportLine = PlainRow & { readonly type: (typeof EXPORT_LINES)[number] };

export interface AuditExportPage {
  lines: AuditExportLine[];
  next_cursor: string | null;
}
