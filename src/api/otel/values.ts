import type { Json } from '../../contracts/event';
import { depthOf } from '../../domain/clean-text';
import type { OtelAttributes } from '../../schemas/otel';

/** Attributes as plain JSON, by their key; of two with the same key the last stands. */
export type Attributes = ReadonlyMap<string, Json>;

/** With what stands around it still an event: what is below is left out. */
const MAX_DEPTH = 28;

export function attributesOf(pairs: OtelAttributes): Attributes {
  return new Map(pairs.map(({ key, value }) => [key, plainOf(value, 0)]));
}

/** An `AnyValue`: one member names the type. One of no known type is null. */
function plainOf(value: unknown, depth: number): Json {
  if (!isObject(value) || depth > MAX_DEPTH) return null;
  const { stringValue, boolValue, intValue, doubleValue, bytesValue } = value;
  if (typeof stringValue === 'string') return stringValue;
  if (typeof boolValue === 'boolean') return boolValue;
  if (intValue !== undefined) return numberOf(intValue);
  if (doubleValue !== undefined) return numberOf(doubleValue);
  if (typeof bytesValue === 'string') return bytesValue;
  const { arrayValue, kvlistValue } = value;
  if (isObject(arrayValue)) {
    return listIn(arrayValue).map((one) => plainOf(one, depth + 1));
  }
  if (isObject(kvlistValue)) {
    const pairs = listIn(kvlistValue).filter(isPair);
    return Object.fromEntries(
      pairs.map(({ key, value: inner }) => [key, plainOf(inner, depth + 1)]),
    );
  }
  return null;
}

/** An integer may be a string; one beyond what a number holds stays its digits. */
function numberOf(value: unknown): Json {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || !/^-?\d{1,20}(?:\.\d{1,30})?$/.test(value)) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) || value.includes('.') ? number : value;
}

function listIn(holder: Record<string, unknown>): unknown[] {
  return Array.isArray(holder.values) ? holder.values : [];
}

function isPair(value: unknown): value is { key: string; value: unknown } {
  return isObject(value) && typeof value.key === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of these that is a text with something in it. */
export function textIn(attributes: Attributes, ...keys: string[]): string | null {
  for (const key of keys) {
    const value = attributes.get(key);
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return null;
}

/** The first of these that is a number. */
export function numberIn(attributes: Attributes, ...keys: string[]): number | null {
  for (const key of keys) {
    const value = attributes.get(key);
    if (typeof value === 'number') return value;
  }
  return null;
}

/** A value that exporters write as JSON text, or as it is. A text that is no JSON stays a text. */
export function jsonIn(attributes: Attributes, ...keys: string[]): Json | undefined {
  for (const key of keys) {
    const value = attributes.get(key);
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return value;
    if (value.trim() === '') continue;
    return parsed(value);
  }
  return undefined;
}

/** Far more than an event may hold; a longer one is cut later, as text. */
const LONGEST_PARSED = 512 * 1024;
/** With what stands around it still an event; deeper it stays a text. */
const MAX_PARSED_DEPTH = 28;

function parsed(text: string): Json {
  const first = text.trimStart()[0];
  if ((first !== '{' && first !== '[') || text.length > LONGEST_PARSED) return text;
  try {
    const value = JSON.parse(text) as Json;
    return depthOf(value, MAX_PARSED_DEPTH) > MAX_PARSED_DEPTH ? text : value;
  } catch {
    return text;
  }
}
