import type { Json } from '../contracts/event';
import { REDACTION_TYPES, type RedactionType } from '../contracts/names';
import { PLACEHOLDER } from '../redaction/placeholders';
import { addCounts, type RedactionCounts } from '../redaction/scanner';

/** What was taken out, with what stands there instead. */
export type Literals = ReadonlyMap<string, string>;

/** Shorter ones, and words of letters alone, stand in too many texts that have nothing to do with them. */
const SHORTEST = 6;
const LONGEST = 4_096;

/**
 * The very texts that a redaction took out: where a value has passed on into other rows, nothing around it may tell
 * the scanner what it is. In memory only, and for as long as those rows are repaired.
 */
export function literalsOf(before: Json, after: Json): Map<string, string> {
  const found = new Map<string, string>();
  compare(before, after, found);
  return found;
}

function compare(before: Json, after: Json, found: Map<string, string>): void {
  if (typeof after === 'string') {
    if (typeof before === 'string') align(before, after, found);
    // A number that was hidden as a whole.
    else if (typeof before === 'number') align(String(before), after, found);
    return;
  }
  if (typeof before !== 'object' || typeof after !== 'object' || before === null) return;
  const others = (after ?? {}) as Record<string, Json>;
  // A key that was redacted itself keeps its place.
  const inOrder = Object.values(others);
  for (const [index, [key, value]] of Object.entries(before).entries()) {
    const other = Object.hasOwn(others, key) ? others[key] : inOrder[index];
    compare(value, other ?? null, found);
  }
}

/** The text between what stayed; nothing where two placeholders follow upon each other or the text was written anew. */
function align(before: string, after: string, found: Map<string, string>): void {
  if (before === after) return;
  const placeholders = after.match(PLACEHOLDER) ?? [];
  const kept = after.split(PLACEHOLDER);
  if (!before.startsWith(kept[0] ?? '')) return;
  let at = (kept[0] ?? '').length;
  const pieces: [string, string][] = [];
  for (const [index, placeholder] of placeholders.entries()) {
    const next = kept[index + 1] ?? '';
    const isLast = index === placeholders.length - 1;
    const end = next === '' ? (isLast ? before.length : -1) : before.indexOf(next, at);
    if (end < at) return;
    pieces.push([before.slice(at, end), placeholder]);
    at = end + next.length;
  }
  if (at !== before.length) return;
  for (const [literal, placeholder] of pieces) {
    if (isTelling(literal) && literal !== placeholder) found.set(literal, placeholder);
  }
}

function isTelling(literal: string): boolean {
  return (
    literal.length >= SHORTEST &&
    literal.length <= LONGEST &&
    literal.trim() === literal &&
    /[^\p{L}]/u.test(literal)
  );
}

/** The text without them; the longest first, since one may stand within another. */
export function withoutLiterals(
  text: string,
  literals: Literals,
): { text: string; counts: RedactionCounts } {
  const counts: RedactionCounts = {};
  let rest = text;
  const ordered = [...literals].sort(([one], [other]) => other.length - one.length);
  for (const [literal, placeholder] of ordered) {
    const parts = rest.split(literal);
    if (parts.length === 1) continue;
    addCounts(counts, { [typeOf(placeholder)]: parts.length - 1 });
    rest = parts.join(placeholder);
  }
  return { text: rest, counts };
}

/** What a placeholder stands for. */
function typeOf(placeholder: string): RedactionType {
  const name = /^\[(?:REDACTED_)?([A-Z]+(?:_[A-Z]+)*?)(?:_[A-Za-z2-7]{10,64})?\]$/.exec(
    placeholder,
  )?.[1];
  const type = name === 'EXT_IP' ? 'external_ip' : (name ?? '').toLowerCase();
  return REDACTION_TYPES.find((one) => one === type) ?? 'failed';
}
