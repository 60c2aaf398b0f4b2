import type { Json, JsonObject } from '../contracts/event';
import { type Budget, newBudget } from './budget';
import { basicHoldsPair } from './credentials';
import { PLACEHOLDER, REDACTION_FAILED } from './placeholders';
import {
  addCounts,
  MAX_TEXT,
  type Redacted,
  type RedactionCounts,
  type RedactionOptions,
  redactValue,
} from './scanner';
import { type SecretName, secretName, wordsOf } from './secret-names';
import { isStandIn, looksRandom } from './value-shapes';

/** Deeper than any event may be nested; what lies below becomes `[REDACTION_FAILED]`. */
const MAX_DEPTH = 100;

/** JSON inside a string inside JSON … this many times; further in it is scanned as text. */
const MAX_WRAPPED = 4;

/** A string is read again after a change this many times before it is given up. */
const MAX_ROUNDS = 4;

/** The same for one value as a whole, about 100 ms: it may hold thousands of short strings. */
const CALLS_PER_VALUE = 4000;

/** Members that hold the value which a sibling or the parent names. */
const VALUE_KEYS = /^(?:value|values|val|plain|plaintext|raw|string|stringValue)$/i;
const NAME_KEYS = [
  'name',
  'key',
  'header',
  'field',
  'variable',
  'env',
  'label',
  'parameter',
  'param',
];

/** `{ phones: { home: …, work: … } }`: the parent says what the members are. */
const TELEPHONES = /phone|telefon|mobile|fax|(?:^|[_-])tel$/i;
const TELEPHONE_PARTS =
  /^(?:home|work|office|main|primary|secondary|other|number|no|private|business|mobile|cell|desk|fax|national|local)$/i;

interface Walk {
  options: RedactionOptions;
  budget: Budget;
  counts: RedactionCounts;
}

interface Place {
  /** The key that names the value, or '' where nothing does. */
  key: string;
  depth: number;
  wrapped: number;
}

function placeholderFor(kind: SecretName): 'password' | 'token' | 'auth_header' {
  switch (kind) {
    case 'password':
      return 'password';
    case 'auth':
      return 'auth_header';
    case 'secret':
    case 'token':
    case 'provider':
      return 'token';
    default:
      return kind satisfies never;
  }
}

/** Whether a value is hidden by its key alone, whatever it looks like. */
function isHiddenByKey(kind: SecretName, key: string, value: string): boolean {
  if (isStandIn(value) || /^\[(?:REDACT|EMAIL_|PHONE_|EXT_IP_)/.test(value)) return false;
  switch (kind) {
    case 'password':
      // `pass` also names the outcome of a test.
      return !/^pass(?:es)?$/i.test(key) || /\d/.test(value);
    case 'secret':
      return true;
    case 'token':
      return looksRandom(value, 6) || (!/\s/.test(value) && /\d/.test(value) && value.length >= 6);
    case 'provider':
      return /^[A-Za-z0-9]{20,128}$/.test(value) && /\d/.test(value) && looksRandom(value, 20);
    case 'auth':
      return /^cookies?$/i.test(key) ? value.includes('=') : !/^[A-Za-z]{1,12}$/.test(value);
    default:
      return kind satisfies never;
  }
}

function hide(walk: Walk, kind: SecretName): string {
  const type = placeholderFor(kind);
  walk.counts[type] = (walk.counts[type] ?? 0) + 1;
  return `[REDACTED_${type.toUpperCase()}]`;
}

/** What of a key helps to read its value: `cardNumber` → `card number`; nothing of a secret's name. */
function contextOf(key: string): string {
  const words = wordsOf(key).join(' ');
  return /pass|pwd|secret|token|key|auth|cred|cookie|sess|sig/.test(words) ? '' : words;
}

function redactString(walk: Walk, text: string, place: Place, rounds = 0): string {
  const kind = place.key === '' ? null : secretName(place.key);
  const wrapped = kind === 'password' ? undefined : parseWrapped(text, place);
  if (wrapped !== undefined) return redactWrapped(walk, text, wrapped, place);
  if (kind !== null && isHiddenByKey(kind, place.key, text)) return hide(walk, kind);
  // Of a registry's login file: user and password as base64.
  if (/^_?auth$/i.test(place.key) && basicHoldsPair(text)) return hide(walk, 'auth');
  const { value, counts } = redactValue(contextOf(place.key), text, walk.options, walk.budget);
  addCounts(walk.counts, counts);
  // What is left may read as a secret, or as JSON, now that something else is out of it.
  if (value === text || value === REDACTION_FAILED) return value;
  return rounds < MAX_ROUNDS ? redactString(walk, value, place, rounds + 1) : REDACTION_FAILED;
}

/** The object or array that a string holds as JSON text, unless writing it back would alter it. */
function parseWrapped(text: string, place: Place): Json | undefined {
  if (place.wrapped >= MAX_WRAPPED || text.length > MAX_TEXT) return undefined;
  const trimmed = text.trim();
  const first = trimmed[0];
  const last = trimmed[trimmed.length - 1];
  if (!((first === '{' && last === '}') || (first === '[' && last === ']'))) return undefined;
  // Numbers of 16 digits and more lose digits when parsed; the text is then scanned as it is.
  if (/[:[,]\s{0,8}-?\d{16}/.test(trimmed)) return undefined;
  try {
    const parsed: unknown = JSON.parse(trimmed);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Json) : undefined;
  } catch {
    return undefined;
  }
}

function redactWrapped(walk: Walk, text: string, parsed: Json, place: Place): string {
  const inner: Walk = { ...walk, counts: {} };
  const value = redactNode(inner, parsed, {
    ...place,
    depth: place.depth + 1,
    wrapped: place.wrapped + 1,
  });
  if (Object.keys(inner.counts).length === 0) return text;
  addCounts(walk.counts, inner.counts);
  return JSON.stringify(value, null, /^\s{0,64}[[{]\n( {1,8}|\t)/.exec(text)?.[1]);
}

/** A card, phone or password may be given as a number; it becomes a placeholder string as a whole. */
function redactNumber(walk: Walk, value: number, place: Place): Json {
  if (!Number.isSafeInteger(value) && !Number.isInteger(value)) return value;
  const written = BigInt(value).toString();
  const kind = place.key === '' ? null : secretName(place.key);
  if (kind === 'password' || kind === 'secret') {
    return written.length >= 4 && !/^pass(?:es)?$/i.test(place.key) ? hide(walk, kind) : value;
  }
  if (written.length < 6) return value;
  const { value: text, counts } = redactValue(
    contextOf(place.key),
    written,
    walk.options,
    walk.budget,
  );
  const placeholder = /\[[A-Z_]{4,30}[a-z2-7]{0,64}\]/i.exec(text)?.[0];
  if (text === written || placeholder === undefined) return value;
  addCounts(walk.counts, counts);
  return placeholder;
}

/** The key under which each child is read: its own, or the one that a pair or its parent gives it. */
function namedBy(walk: Walk, object: JsonObject, key: string, value: Json, parent: string): string {
  if (TELEPHONES.test(parent) && TELEPHONE_PARTS.test(key)) return `${parent} ${key}`;
  if (/cookies?$/i.test(parent) && typeof value === 'string' && looksRandom(value, 16)) {
    return 'session token';
  }
  if (!VALUE_KEYS.test(key)) return key;
  for (const name of NAME_KEYS) {
    const given = object[name];
    if (typeof given === 'string' && isName(walk, given)) return given;
  }
  return parent === '' ? key : parent;
}

/** A value names its neighbour only if it is a name itself, one that redaction leaves alone. */
function isName(walk: Walk, text: string): boolean {
  return (
    /^[\w .$-]{1,64}$/.test(text) && redactValue('', text, walk.options, walk.budget).value === text
  );
}

function redactKeys(walk: Walk, keys: readonly string[]): Map<string, string> {
  const redacted = new Map<string, string>();
  for (const key of keys) {
    const { value, counts } = redactValue('', key, walk.options, walk.budget);
    addCounts(walk.counts, counts);
    redacted.set(key, value);
  }
  // Keys that stay keep their spelling; those that became equal are numbered, so nothing is lost.
  const used = new Set(keys.filter((key) => redacted.get(key) === key));
  for (const [key, value] of redacted) {
    if (value === key) continue;
    let unique = value;
    for (let number = 2; used.has(unique); number += 1) unique = `${value}_${number}`;
    used.add(unique);
    redacted.set(key, unique);
  }
  return redacted;
}

function redactObject(walk: Walk, object: JsonObject, place: Place): Json {
  const keys = redactKeys(walk, Object.keys(object));
  const isSecret = object.kind === 'Secret' && 'apiVersion' in object;
  // `fromEntries` defines members, so a key `__proto__` stays a key.
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      const hidden = isSecret && /^(?:data|stringData)$/.test(key);
      // What a redacted key said was part of what is gone, so only the rest of it gives context.
      const left = (keys.get(key) ?? key).replace(PLACEHOLDER, ' ');
      const named = hidden ? '' : namedBy(walk, object, left, value, place.key);
      const child = { ...place, key: named, depth: place.depth + 1 };
      return [
        keys.get(key) ?? key,
        hidden ? hideAll(walk, value, child) : redactNode(walk, value, child),
      ];
    }),
  );
}

/** The data of a Kubernetes Secret: every value, whatever its key is called. */
function hideAll(walk: Walk, value: Json, place: Place): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return redactNode(walk, value, { ...place, key: 'secret' });
  }
  const keys = redactKeys(walk, Object.keys(value));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      keys.get(key) ?? key,
      redactNode(walk, member, { ...place, key: 'secret', depth: place.depth + 1 }),
    ]),
  );
}

function redactArray(walk: Walk, items: readonly Json[], place: Place): Json {
  const [first, second] = items;
  // A header or an environment entry as a pair: `["Authorization", "Bearer …"]`.
  const pair = items.length === 2 && typeof first === 'string' && typeof second === 'string';
  const named = pair && secretName(first) !== null && isName(walk, first) ? first : place.key;
  return items.map((item, index) =>
    redactNode(walk, item, {
      ...place,
      key: pair && index === 0 && named !== place.key ? '' : named,
      depth: place.depth + 1,
    }),
  );
}

function redactNode(walk: Walk, value: Json, place: Place): Json {
  if (place.depth > MAX_DEPTH) {
    walk.counts.failed = (walk.counts.failed ?? 0) + 1;
    return REDACTION_FAILED;
  }
  if (typeof value === 'string') return redactString(walk, value, place);
  if (typeof value === 'number') return redactNumber(walk, value, place);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? redactArray(walk, value, place) : redactObject(walk, value, place);
}

/**
 * Redacts every string and every object key of a JSON value. A key gives its value context: what
 * stands under `password` or `apiKey` is hidden whatever it looks like, and `phone` or `card` let a
 * bare number be read as one. Strings that hold JSON are parsed, redacted inside and written back.
 * Keys that become equal get a suffix, so no member is lost. Never throws; idempotent.
 *
 * @example redactJson({ password: 'hunter2xyz' }, options).value // { password: '[REDACTED_PASSWORD]' }
 */
export function redactJson(value: Json, options: RedactionOptions): Redacted<Json> {
  const walk: Walk = { options, budget: newBudget(CALLS_PER_VALUE), counts: {} };
  try {
    return {
      value: redactNode(walk, value, { key: '', depth: 0, wrapped: 0 }),
      counts: walk.counts,
    };
  } catch {
    return { value: REDACTION_FAILED, counts: { failed: 1 } };
  }
}
