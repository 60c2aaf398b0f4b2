import type { TombstoneKind } from '../contracts/erasure';
import type { JsonObject } from '../contracts/event';
import type { Tx } from './database';
import { namesIn } from './erasure-returned';
import type { ExportTable } from './export-table';
import { erasedAmong, type HashedId, tombstoneKey } from './tombstones';

/** The keyed hash of an id of this workspace. */
export type TombstoneHash = (kind: TombstoneKind, id: string) => Buffer;

/** What an erasure leaves as it is, whomever it names. */
const STAYS: ReadonlySet<string> = new Set([
  ...['team', 'agent_group', 'policy', 'strike_step', 'legal_hold', 'erasure', 'tombstone'],
]);
/** Of these what happened after the erasure is not erased. */
const UNTIL: ReadonlySet<TombstoneKind> = new Set([
  'subject',
  'person',
  'agent',
  'source',
  'project',
]);
/** When a row happened, and when it was written: by the first of each that it has. */
const HAPPENED = ['occurred_at', 'valid_from', 'recorded_at', 'created_at', 'started_at', 'at'];
const WRITTEN = ['recorded_at', 'created_at', 'at', 'started_at'];

/** Columns with an id in them whose name does not say of what. */
const BESIDE: readonly (readonly [kind: TombstoneKind, field: RegExp])[] = [
  ['person', /^(?:asked_by|proposed_for|set_by|blocked_by)$/],
  ['card', /^(?:related|superseded_by|replaced_by)$/],
];
/** Columns that say what the one beside them names: `actor_kind`, `scope_type`. */
const KIND_OF = /^(|.*_)(?:kind|type)$/;
const KINDS: ReadonlySet<string> = new Set(['subject', 'person', 'agent', 'project']);
/** Runs of captures and compactions have it in the id of their workflow. */
const OF_WORKFLOW: readonly (readonly [kind: TombstoneKind, id: RegExp])[] = [
  ['event', /^capture\/[^/]+\/([^/]+)$/],
  ['conversation', /^compact\/[^/]+\/([^/]+)\//],
];

/**
 * Which of the rows are erased here, name what is, or are about somebody who was: by their places in the list. They
 * are looked through for every id that a receipt is verified by, whatever table is added later.
 */
export async function erasedRows(
  tx: Tx,
  { type, table }: Pick<ExportTable, 'type' | 'table'>,
  rows: readonly JsonObject[],
  hashOf: TombstoneHash,
): Promise<Set<number>> {
  if (STAYS.has(type) || !(await hasTombstones(tx))) return new Set();
  const asked = new Map<string, HashedId>();
  const named = rows.map((row) => {
    const ids = new Set<string>();
    eachName(row, table, (kind, id) => {
      const name = `${kind}:${id}`;
      ids.add(name);
      if (!asked.has(name)) asked.set(name, { kind, hash: hashOf(kind, id) });
    });
    return ids;
  });
  const buried = await erasedAmong(tx, [...asked.values()]);
  const erased = new Map<string, number>();
  for (const [name, id] of asked) {
    const until = buried.get(tombstoneKey(id));
    if (until !== undefined) erased.set(name, UNTIL.has(id.kind) ? until.getTime() : Infinity);
  }
  return new Set(
    rows.flatMap((row, at) => {
      const when = whenOf(row);
      const isErased = [...(named[at] ?? [])].some((name) => when <= (erased.get(name) ?? NaN));
      return isErased ? [at] : [];
    }),
  );
}

export async function hasTombstones(tx: Tx): Promise<boolean> {
  const { any } = await tx.one<{ any: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM tombstones WHERE workspace_id = $1) AS any',
    [tx.workspace],
  );
  return any;
}

type Named = (kind: TombstoneKind, id: string) => void;

function eachName(row: JsonObject, table: string, named: Named): void {
  namesIn(row, '', table, named);
  if (typeof row.workflow_id === 'string') {
    for (const [kind, pattern] of OF_WORKFLOW) {
      const [, id] = pattern.exec(row.workflow_id) ?? [];
      if (id !== undefined) named(kind, id);
    }
  }
  beside(row, named);
}

function beside(value: unknown, named: Named): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const one of value) beside(one, named);
    return;
  }
  const object = value as Record<string, unknown>;
  for (const [field, held] of Object.entries(object)) {
    beside(held, named);
    for (const [kind, pattern] of BESIDE) {
      if (!pattern.test(field)) continue;
      for (const id of [held].flat()) if (typeof id === 'string') named(kind, id);
    }
    const stem = KIND_OF.exec(field)?.[1];
    if (stem === undefined || typeof held !== 'string' || !KINDS.has(held)) continue;
    const whose = stem.replace(/_$/, '');
    for (const column of [`${stem}id`, `${stem}by`, ...(whose === '' ? ['name'] : [whose])]) {
      const id = object[column];
      if (typeof id === 'string') named(held as TombstoneKind, id);
    }
  }
}

/** The earlier of both; of a row that does not say it is before all. */
function whenOf(row: JsonObject): number {
  const times = [HAPPENED, WRITTEN].flatMap((columns) => {
    const time = columns.map((column) => row[column]).find((value) => typeof value === 'string');
    const at = typeof time === 'string' ? Date.parse(time) : Number.NaN;
    return Number.isNaN(at) ? [] : [at];
  });
  return Math.min(...(times.length === 0 ? [-Infinity] : times));
}
