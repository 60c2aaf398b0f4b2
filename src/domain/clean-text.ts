import type { Json } from '../contracts/event';

/**
 * Strips NUL, repairs lone surrogates to U+FFFD, and composes to NFC, so that Postgres and JSON take it.
 * Of the marks on one letter the first 30 stay. Idempotent.
 */
export function cleanText(text: string): string {
  if (PLAIN_ASCII.test(text)) return text;
  return withFewMarks(
    withFewMarks(text.replace(/\u0000/g, '').replace(LONE_SURROGATE, '\uFFFD')).normalize('NFC'),
  );
}

const PLAIN_ASCII = /^[\u0001-\u007f]*$/;

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/**
 * Ordering marks takes time with the square of how many stand together: 128,000 of them, which fit an
 * event, held the process for 27 s. Unicode's stream-safe form (UAX #15) allows 30, more than any
 * script needs. Once more after composing, which may make two marks of one.
 */
function withFewMarks(text: string): string {
  return text.replace(MARKS_BEYOND_30, '$1');
}

const MARKS_BEYOND_30 = /(\p{M}{30})\p{M}+/gu;

/** `cleanText` over every string and key. Keys that become equal keep the last value, as JSON does. */
export function cleanJson(value: Json): Json {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [cleanText(key), cleanJson(inner)]),
  );
}

/** Levels of nesting; a scalar has 0. Stops counting at `limit + 1`, and costs no stack. */
export function depthOf(value: unknown, limit: number): number {
  let level = 0;
  let here = [value].filter(isContainer);
  while (here.length > 0 && level <= limit) {
    level += 1;
    const next: object[] = [];
    for (const container of here) {
      for (const inner of Object.values(container)) if (isContainer(inner)) next.push(inner);
    }
    here = next;
  }
  return level;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
