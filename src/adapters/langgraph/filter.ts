import type { JsonObject } from '../../contracts/event';

/** A filter in two parts: what the server looks for, and what is compared here. */
export interface CompiledFilter {
  /** Fields that have to have exactly these values. */
  fields: JsonObject;
  /** Whether anything is left to compare. */
  isWhole: boolean;
  accepts(value: Record<string, unknown>): boolean;
}

type Test = (held: unknown) => boolean;

const OPERATORS: Readonly<Record<string, (wanted: unknown) => Test>> = {
  $eq: (wanted) => (held) => isEqual(held, wanted),
  $ne: (wanted) => (held) => !isEqual(held, wanted),
  $gt: (wanted) => (held) => order(held, wanted) > 0,
  $gte: (wanted) => (held) => order(held, wanted) >= 0,
  $lt: (wanted) => (held) => order(held, wanted) < 0,
  $lte: (wanted) => (held) => order(held, wanted) <= 0,
  $in: (wanted) => (held) => listOf(wanted, '$in').some((one) => isEqual(held, one)),
  $nin: (wanted) => (held) => !listOf(wanted, '$nin').some((one) => isEqual(held, one)),
};

/**
 * Conditions on fields of the value: a plain value is what the field has to be, an object of `$eq`, `$ne`,
 * `$gt`, `$gte`, `$lt`, `$lte`, `$in`, `$nin` is compared by each.
 *
 * @throws {TypeError} an operator that there is not
 */
export function compileFilter(filter: Record<string, unknown> = {}): CompiledFilter {
  const fields: JsonObject = {};
  const tests: [field: string, test: Test][] = [];
  for (const [field, condition] of Object.entries(filter)) {
    const operators = operatorsOf(condition);
    const wanted = operators === null ? condition : operators.$eq;
    // An address is another text once it is kept: only the server can tell that it is the same.
    if (isScalar(wanted)) fields[field] = wanted;
    else if (operators === null) tests.push([field, (held) => isEqual(held, wanted)]);
    for (const [name, value] of Object.entries(operators ?? {})) {
      const test = OPERATORS[name];
      if (test === undefined) throw new TypeError(`a filter has no operator ${name}`);
      if (name !== '$eq' || !isScalar(value)) tests.push([field, test(value)]);
    }
  }
  return {
    fields,
    isWhole: tests.length === 0,
    accepts: (value) =>
      tests.every(([field, test]) => test(Object.hasOwn(value, field) ? value[field] : undefined)),
  };
}

/** An object with an operator is one of operators, all of which have to be known. */
function operatorsOf(condition: unknown): Record<string, unknown> | null {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return null;
  const isOne = Object.keys(condition).some((name) => name.startsWith('$'));
  return isOne ? (condition as Record<string, unknown>) : null;
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
}

function listOf(wanted: unknown, operator: string): unknown[] {
  if (Array.isArray(wanted)) return wanted;
  throw new TypeError(`${operator} takes a list`);
}

/** By what JSON says of both. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return false;
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const inOther = new Map(Object.entries(other));
  const members = Object.entries(one);
  return (
    members.length === inOther.size &&
    members.every(([name, inner]) => inOther.has(name) && isEqual(inner, inOther.get(name)))
  );
}

/** Numbers by their size, also where they are written as text; other texts by their characters; else none. */
function order(held: unknown, wanted: unknown): number {
  const difference = Number(held) - Number(wanted);
  if (!Number.isNaN(difference)) return difference;
  if (typeof held !== 'string' || typeof wanted !== 'string') return Number.NaN;
  return held < wanted ? -1 : Number(held > wanted);
}
