import type { Json, JsonObject } from '../../contracts/event';
import {
  groupsOf,
  type Literal,
  MEMORY_FIELDS,
  type MemoryField,
  type MemoryFilter,
} from '../../domain/memory-filter';
import type { ApiDependencies } from '../app';
import { askedId, askedMetadata } from '../asking';
import type { Caller } from '../authentication';
import { badRequest, Problem } from '../problem';
import { isOperator, operatorOf, testOf, timeOf, until } from './filter-tests';
import { requireNoApp, requireNoCategories, unknownFilter } from './refusals';

/** What mem0's clients send to narrow: `filters`, and the older way of naming whose memories beside it. */
export interface Asked {
  filters?: JsonObject | JsonObject[] | null | undefined;
  user_id?: string | null | undefined;
  agent_id?: string | null | undefined;
  run_id?: string | null | undefined;
  app_id?: string | null | undefined;
  metadata?: JsonObject | null | undefined;
  categories?: unknown[] | null | undefined;
  start_date?: string | null | undefined;
  end_date?: string | null | undefined;
}

const KNOWN = ['AND', 'OR', 'NOT', ...MEMORY_FIELDS, 'metadata'];
const isTime = (field: MemoryField) => field === 'created_at' || field === 'updated_at';

/**
 * Reads what is asked for into groups of tests, in the words of the cards: ids of people under their
 * pseudonyms, metadata redacted.
 * @throws Problem 400 with what is known, where something is not; 422 where an id holds a secret
 */
export async function groupsAsked(
  deps: ApiDependencies,
  caller: Caller,
  asked: Asked,
): Promise<Literal[][]> {
  requireNoApp(asked);
  requireNoCategories(asked);
  const reading = new Reading(deps, caller);
  const { user_id, agent_id, run_id, metadata, start_date, end_date } = asked;
  const parts: MemoryFilter[] = [];
  for (const filter of [asked.filters ?? []].flat()) parts.push(await reading.filter(filter, ''));
  for (const [field, value] of Object.entries({ user_id, agent_id, run_id })) {
    if (value != null) parts.push(reading.field(field as MemoryField, value, `/${field}`));
  }
  if (metadata != null) parts.push(await reading.metadata(metadata, '/metadata'));
  const created = { operand: { field: 'created_at' } } as const;
  if (start_date != null) {
    parts.push({ ...created, op: 'gte', value: timeOf(start_date, '/start_date') });
  }
  if (end_date != null) parts.push({ ...created, ...until('lte', end_date, '/end_date') });
  const groups = groupsOf({ all: parts });
  if (groups === null) {
    throw badRequest(
      'filters: too many alternatives; ask for them one after the other',
      '/filters',
    );
  }
  return groups;
}

class Reading {
  constructor(
    private readonly deps: ApiDependencies,
    private readonly caller: Caller,
  ) {}

  async filter(given: Json, pointer: string): Promise<MemoryFilter> {
    if (!isRecord(given)) throw badRequest(`filters${pointer}: must be an object`, '/filters');
    const parts: MemoryFilter[] = [];
    for (const [name, value] of Object.entries(given)) {
      parts.push(await this.named(name, value, `${pointer}/${name.slice(0, 40)}`));
    }
    return { all: parts };
  }

  private async named(name: string, value: Json, pointer: string): Promise<MemoryFilter> {
    if (name === 'AND' || name === 'OR' || name === 'NOT') {
      const inner: MemoryFilter[] = [];
      for (const one of [value].flat()) inner.push(await this.filter(one as Json, pointer));
      if (name === 'NOT') return { not: { any: inner } };
      return name === 'AND' ? { all: inner } : { any: inner };
    }
    if (name === 'metadata') return await this.metadata(value, pointer);
    if (name === 'app_id') {
      requireNoApp({ app_id: 'asked' });
    }
    const field = MEMORY_FIELDS.find((one) => one === name);
    if (field === undefined) throw unknownFilter(name, KNOWN, '/filters');
    return this.field(field, value, pointer);
  }

  field(field: MemoryField, value: Json, pointer: string): MemoryFilter {
    const operand = { field };
    if (value === null) return { not: { operand, op: 'known' } };
    if (value === '*') return { operand, op: 'known' };
    const tests = isRecord(value) ? Object.entries(value) : [['eq', value] as [string, Json]];
    const read = (one: Json): string | number =>
      isTime(field) ? timeOf(one, pointer) : this.idOf(field, one, pointer);
    return {
      all: tests.map(([name, one]) => {
        const operator = operatorOf(name, pointer);
        if (isTime(field) && (operator === 'gt' || operator === 'lte')) {
          return { operand, ...until(operator, one, pointer) };
        }
        return testOf(operand, operator, one, read, pointer);
      }),
    };
  }

  /** What stands in it literally, but for entries that name operators. */
  async metadata(given: Json, pointer: string): Promise<MemoryFilter> {
    if (!isRecord(given)) throw badRequest(`filters${pointer}: must be an object`, '/filters');
    const held: [string, Json][] = [];
    const parts: MemoryFilter[] = [];
    for (const [entry, value] of Object.entries(given)) {
      const tests = isRecord(value) ? Object.entries(value) : [];
      const isTested = tests.length > 0 && tests.every(([name]) => isOperator(name));
      if (value === '*') parts.push({ operand: { entry }, op: 'known' });
      else if (!isTested) held.push([entry, value]);
      else {
        for (const [name, one] of tests) parts.push(await this.entry(entry, name, one, pointer));
      }
    }
    if (held.length === 0) return { all: parts };
    const value = await askedMetadata(this.deps, this.caller, Object.fromEntries(held));
    return { all: [{ op: 'holds', value: value ?? {} }, ...parts] };
  }

  private async entry(entry: string, name: string, given: Json, pointer: string) {
    const asked = await askedMetadata(this.deps, this.caller, { [entry]: given });
    const [known, value] = Object.entries(asked ?? {})[0] ?? [entry, given];
    return testOf({ entry: known }, operatorOf(name, pointer), value, (one) => one, pointer);
  }

  private idOf(field: MemoryField, value: Json, pointer: string): string {
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw badRequest(`filters${pointer}: must be an id`, '/filters');
    }
    const id = String(value);
    return field === 'run_id' ? id : askedId(this.deps, this.caller, id, '/filters');
  }
}

function isRecord(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Without a filter a deletion would take everything.
 * @throws Problem 400
 */
export function requireNarrow(asked: Asked): void {
  if ([asked.user_id, asked.agent_id, asked.run_id].some((one) => one != null)) return;
  throw new Problem(400, 'invalid', 'say whose memories: user_id, agent_id or run_id');
}
