import type { Json } from '../../contracts/event';
import type { MemoryFilter, Operand } from '../../domain/memory-filter';
import { badRequest } from '../problem';

/** What a filter says of one field or entry, read into tests. */

const OPERATORS = [
  'eq',
  'ne',
  'in',
  'nin',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'icontains',
] as const;
type Operator = (typeof OPERATORS)[number];
export function testOf(
  operand: Operand,
  operator: Operator,
  value: Json,
  read: (value: Json) => Json,
  pointer: string,
): MemoryFilter {
  const isScalar = typeof value === 'string' || typeof value === 'number';
  switch (operator) {
    case 'eq':
      return { operand, op: 'in', values: [read(value)] };
    case 'ne':
      return { not: { operand, op: 'in', values: [read(value)] } };
    case 'in':
    case 'nin': {
      if (!Array.isArray(value)) throw badRequest(`filters${pointer}: in takes a list`, '/filters');
      const test: MemoryFilter = { operand, op: 'in', values: value.map(read) };
      return operator === 'in' ? test : { not: test };
    }
    case 'contains':
    case 'icontains':
      if (typeof value !== 'string') {
        throw badRequest(`filters${pointer}: ${operator} takes a text`, '/filters');
      }
      return { operand, op: operator, value };
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (!isScalar) {
        throw badRequest(`filters${pointer}: ${operator} takes a number or a text`, '/filters');
      }
      return { operand, op: operator, value: read(value) as string | number };
    default:
      return operator satisfies never;
  }
}

/** Of a bound that is a day, the day itself lies within. */
export function until(op: 'gt' | 'lte', value: Json, pointer: string) {
  const time = timeOf(value, pointer);
  const isDay = typeof value === 'string' && DAY.test(value);
  if (!isDay) return { op, value: time } as const;
  const next = time + 86_400_000;
  return op === 'lte'
    ? ({ op: 'lt', value: next } as const)
    : ({ op: 'gte', value: next } as const);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/;

/** Epoch milliseconds. */
export function timeOf(value: Json, pointer: string): number {
  const isTimeText = typeof value === 'string' && (DAY.test(value) || TIME.test(value));
  const time = isTimeText ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  const detail = 'must be a day, such as 2026-03-02, or an RFC 3339 time with a zone';
  throw badRequest(`filters${pointer}: ${detail}`, '/filters');
}

export function operatorOf(name: string, pointer: string): Operator {
  const operator = OPERATORS.find((one) => one === name);
  if (operator !== undefined) return operator;
  throw badRequest(
    `filters${pointer}: no such operator; what is known: ${OPERATORS.join(', ')}, and "*" for any`,
    '/filters',
  );
}

export function isOperator(name: string): boolean {
  return OPERATORS.some((one) => one === name);
}
