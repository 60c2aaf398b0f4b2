import type { Json, JsonObject } from '../contracts/event';
import type { RecallFilters } from '../contracts/recall';

/**
 * What memories are narrowed to, as a tree of conditions and as the flat form that one statement reads: some
 * of the groups must hold, and of a group all tests.
 */

export const MEMORY_FIELDS = ['user_id', 'agent_id', 'run_id', 'created_at', 'updated_at'] as const;
export type MemoryField = (typeof MEMORY_FIELDS)[number];

/** A field of the memory, or an entry of its metadata by name. */
export type Operand = { field: MemoryField } | { entry: string };

/** Values are JSON; times are epoch milliseconds. */
export type MemoryTest = { operand: Operand } & (
  | { op: 'in'; values: Json[] }
  | { op: 'contains' | 'icontains'; value: string }
  | { op: 'gt' | 'gte' | 'lt' | 'lte'; value: string | number }
  /** There is one at all. */
  | { op: 'known' }
);

/** All of it stands in the memory's metadata. */
export interface MetadataTest {
  op: 'holds';
  value: JsonObject;
}

export type Test = MemoryTest | MetadataTest;
export type Literal = Test & { not: boolean };

export type MemoryFilter =
  | { all: readonly MemoryFilter[] }
  | { any: readonly MemoryFilter[] }
  | { not: MemoryFilter }
  | Test;

/** Groups of a flat form: more come of nested ORs that nobody reads any more. */
const MOST_GROUPS = 100;

/** What everything passes. */
export const NO_FILTER: MemoryFilter = { all: [] };

/** @returns null where it would have more than 100 groups. */
export function groupsOf(filter: MemoryFilter): Literal[][] | null {
  return groups(filter, false);
}

function groups(filter: MemoryFilter, not: boolean): Literal[][] | null {
  if ('not' in filter) return groups(filter.not, !not);
  if ('all' in filter) return not ? either(filter.all, not) : together(filter.all, not);
  if ('any' in filter) return not ? together(filter.any, not) : either(filter.any, not);
  return [[{ ...filter, not }]];
}

function either(filters: readonly MemoryFilter[], not: boolean): Literal[][] | null {
  const found: Literal[][] = [];
  for (const filter of filters) {
    const more = groups(filter, not);
    if (more === null || found.length + more.length > MOST_GROUPS) return null;
    found.push(...more);
  }
  return found;
}

function together(filters: readonly MemoryFilter[], not: boolean): Literal[][] | null {
  let found: Literal[][] = [[]];
  for (const filter of filters) {
    const more = groups(filter, not);
    if (more === null || found.length * more.length > MOST_GROUPS) return null;
    found = found.flatMap((group) => more.map((other) => [...group, ...other]));
  }
  return found;
}

/** Every value that any group asks of this field, each once. */
export function valuesOf(groupList: readonly Literal[][], field: MemoryField): unknown[] {
  const values = groupList.flat().flatMap((literal) => {
    if (literal.op !== 'in' || !('field' in literal.operand)) return [];
    return literal.operand.field === field ? literal.values : [];
  });
  return [...new Set(values)];
}

/** The one value that a field must have, where the groups say so; else null. */
export function onlyValueOf(groupList: readonly Literal[][], field: MemoryField): string | null {
  const [group, ...others] = groupList;
  if (group === undefined || others.length > 0) return null;
  for (const literal of group) {
    if (literal.op !== 'in' || literal.not || !('field' in literal.operand)) continue;
    const [value, ...more] = literal.values;
    const isOne = literal.operand.field === field && more.length === 0;
    if (isOne && typeof value === 'string') return value;
  }
  return null;
}

/**
 * As much of it as a recall's own filters can say, and whether that is all of it: what is left has to be
 * looked for beside the recall.
 */
export function recallFiltersOf(groupList: readonly Literal[][]): {
  filters: RecallFilters;
  isAll: boolean;
} {
  const subject = onlyValueOf(groupList, 'user_id');
  const session = onlyValueOf(groupList, 'run_id');
  const [group = [], ...others] = groupList;
  const held =
    others.length === 0 ? group.find((one) => one.op === 'holds' && !one.not) : undefined;
  const filters: RecallFilters = {
    ...(subject === null ? {} : { subject }),
    ...(session === null ? {} : { session }),
    ...(held?.op === 'holds' ? { metadata: held.value } : {}),
  };
  const isAll = groupList.length === 1 && group.length === Object.keys(filters).length;
  return { filters, isAll };
}
