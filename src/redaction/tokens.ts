import {
  ANCHORED_TOKENS,
  type AnchoredToken,
  PROVIDER_TOKENS,
  type ProviderToken,
} from './provider-tokens';
import type { Scan } from './span';
import { hasVariety, looksRandom } from './value-shapes';

interface Compiled {
  row: ProviderToken;
  prefix: string;
  body: RegExp;
}

const ROWS_OF_PREFIX = new Map<string, Compiled[]>();
for (const row of PROVIDER_TOKENS) {
  for (const prefix of row.prefixes) {
    const rows = ROWS_OF_PREFIX.get(prefix) ?? [];
    rows.push({ row, prefix, body: new RegExp(row.body, 'y') });
    ROWS_OF_PREFIX.set(prefix, rows);
  }
}

/** Rows are looked up by every prefix that fits at a place, the longest first. */
const PREFIXES_BY_FIRST = new Map<string, string[]>();
for (const prefix of [...ROWS_OF_PREFIX.keys()].sort((a, b) => b.length - a.length)) {
  const first = prefix[0] ?? '';
  PREFIXES_BY_FIRST.set(first, [...(PREFIXES_BY_FIRST.get(first) ?? []), prefix]);
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

// Sorted, so that the engine can share the alternatives' common beginnings.
const TRIGGER = new RegExp([...ROWS_OF_PREFIX.keys()].sort().map(literally).join('|'), 'g');
const TOKEN_RUN = /[A-Za-z0-9_-]*/y;
const JWT_RUN = /[A-Za-z0-9_.-]*/y;
const BASE64_RUN = /[A-Za-z0-9+/_=-]*/y;

const ANCHORED = ANCHORED_TOKENS.map((row) => ({ row, right: new RegExp(row.right, 'y') }));

const FAMILY =
  /[-_](?:live|test|prod|sandbox|pat|tok|tkn|token|key|sk|secret|api|apikey|auth|priv)[-_]/g;
/** A publishable key is made to be shown, and these look things up. */
const OPEN_FAMILIES = /^(?:pk|public|cache|idempotency|sort|primary|partition|lookup|row|object)$/i;
const FAMILY_BODY = /[A-Za-z0-9_-]{16,96}/y;

const isAlnum = (char: string | undefined) => char !== undefined && /[A-Za-z0-9]/.test(char);

/**
 * A separator inside the prefix (`ghp_`) makes it unlikely inside a longer word, so a digit may stand
 * before it; a prefix of letters alone (`AKIA`) inside base64 is chance.
 */
function mayStart(text: string, at: number, { row, prefix }: Compiled): boolean {
  if (row.glued) return true;
  const before = text[at - 1];
  if (before === undefined) return true;
  if (/[A-Za-z]/.test(before)) return false;
  const separated = /[-_.]/.test(prefix);
  if (/[0-9]/.test(before)) return separated && prefix.length >= 4;
  if (separated) return true;
  if (prefix === 'eyJ') return !/[_-]/.test(before);
  // Behind a hyphen an integrity hash (`sha512-…`) begins, and `+` and `/` are base64.
  return !/[+-]/.test(before) && !(before === '/' && !row.body.includes('(?!'));
}

/** Bodies of one repeated character are samples; bodies of letters alone are words in most formats. */
function isPlausible({ row }: Compiled, body: string): boolean {
  if (row.anyBody) return true;
  if (!hasVariety(body, body.length < 16 ? 4 : 5)) return false;
  return row.loose || /[0-9]/.test(body) || looksRandom(body, 16);
}

function extend(text: string, end: number, run: RegExp): number {
  run.lastIndex = end;
  return end + (run.exec(text)?.[0].length ?? 0);
}

function runOf({ row, prefix }: Compiled): RegExp {
  if (prefix.startsWith('eyJ')) return JWT_RUN;
  return row.body.includes('+/') ? BASE64_RUN : TOKEN_RUN;
}

const KEY_OF_ID = /[\s,;:|"'\\/=]{1,6}([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/y;

/** AWS writes a key and its id side by side: in a table, a list, a line of a file. */
function afterKeyId(scan: Scan, row: ProviderToken, end: number): number {
  if (row.provider !== 'AWS key id') return end;
  KEY_OF_ID.lastIndex = end;
  const key = KEY_OF_ID.exec(scan.text)?.[1];
  if (key === undefined || !looksRandom(key, 40)) return end;
  const keyEnd = KEY_OF_ID.lastIndex;
  scan.spans.push({ start: keyEnd - key.length, end: keyEnd, type: 'token' });
  return keyEnd;
}

/** A webhook's address is secret from its scheme on. */
function schemeStart(text: string, at: number, prefix: string): number {
  if (!/^[a-z.]{1,64}\.com\//.test(prefix)) return at;
  const scheme = /https?:\/\/[\w.-]{0,64}$/.exec(text.slice(Math.max(0, at - 80), at));
  return scheme === null ? at : at - scheme[0].length;
}

function matchAt(scan: Scan, at: number): number {
  const { text } = scan;
  for (const prefix of PREFIXES_BY_FIRST.get(text[at] ?? '') ?? []) {
    if (!text.startsWith(prefix, at)) continue;
    for (const compiled of ROWS_OF_PREFIX.get(prefix) ?? []) {
      if (!mayStart(text, at, compiled)) continue;
      compiled.body.lastIndex = at + prefix.length;
      const match = compiled.body.exec(text);
      if (match === null || !isPlausible(compiled, match[0])) continue;
      const bodyEnd = compiled.body.lastIndex;
      const end = extend(text, bodyEnd, runOf(compiled));
      scan.spans.push({ start: schemeStart(text, at, prefix), end, type: compiled.row.type });
      return afterKeyId(scan, compiled.row, end);
    }
  }
  return at;
}

/** Formats with a prefix. A hit is skipped as a whole, so the pass stays linear. */
export function detectProviderTokens(scan: Scan): void {
  TRIGGER.lastIndex = 0;
  for (let hit = TRIGGER.exec(scan.text); hit !== null; hit = TRIGGER.exec(scan.text)) {
    const end = matchAt(scan, hit.index);
    TRIGGER.lastIndex = end > hit.index ? end : hit.index + 1;
  }
}

function anchoredAt(text: string, at: number, row: AnchoredToken, right: RegExp): number {
  right.lastIndex = at + row.anchor.length;
  // The right side is cheap and rare, so it is tried before walking left.
  if (row.anchor !== '-' && row.anchor !== '.' && right.exec(text) === null) return -1;
  let start = at;
  while (start > 0 && at - start <= row.most && row.left.test(text[start - 1] ?? '')) start -= 1;
  const length = at - start;
  if (length < row.least || length > row.most) return -1;
  if (row.left.source.length <= 12 && isAlnum(text[start - 1])) return -1;
  right.lastIndex = at + row.anchor.length;
  return right.exec(text) === null ? -1 : start;
}

/** Formats known by something in their middle; the walk to the left is bounded by the row. */
export function detectAnchoredTokens(scan: Scan): void {
  const { text } = scan;
  for (const { row, right } of ANCHORED) {
    let at = text.indexOf(row.anchor);
    while (at !== -1) {
      const start = anchoredAt(text, at, row, right);
      const end = right.lastIndex;
      if (start !== -1 && hasVariety(text.slice(start, end), 6)) {
        scan.spans.push({ start, end, type: 'token' });
        at = text.indexOf(row.anchor, Math.max(end, at + 1));
      } else {
        at = text.indexOf(row.anchor, at + 1);
      }
    }
  }
}

/** `acme_live_8f3k…`, `foo-api-key-…`: the families that new providers' formats fall into. */
export function detectTokenFamilies(scan: Scan): void {
  const { text } = scan;
  FAMILY.lastIndex = 0;
  for (let hit = FAMILY.exec(text); hit !== null; hit = FAMILY.exec(text)) {
    let start = hit.index;
    while (start > 0 && hit.index - start < 16 && isAlnum(text[start - 1])) start -= 1;
    FAMILY_BODY.lastIndex = FAMILY.lastIndex;
    const body = FAMILY_BODY.exec(text)?.[0];
    if (body === undefined || hit.index - start < 1 || hit.index - start >= 16) {
      FAMILY.lastIndex = hit.index + 1;
      continue;
    }
    const parts = body.split(/[-_]/);
    const longest = parts.reduce((a, b) => (b.length > a.length ? b : a), '');
    if (
      !OPEN_FAMILIES.test(text.slice(start, hit.index)) &&
      longest.length >= 14 &&
      /[0-9]/.test(longest) &&
      looksRandom(longest, 14)
    ) {
      const end = extend(text, FAMILY_BODY.lastIndex, TOKEN_RUN);
      scan.spans.push({ start, end, type: 'token' });
      FAMILY.lastIndex = end;
    } else {
      FAMILY.lastIndex = hit.index + 1;
    }
  }
}
