/**
 * One spelling for the scanner: full-width and other digits, odd dashes, blanks and quotes become
 * ASCII; zero-width and bidi marks vanish; backslash, percent and HTML escapes are undone. An index
 * map leads every folded character back to what it came from, so spans cut the original text.
 */
export interface Folded {
  text: string;
  /** Offset in the original of the character at `index` of the folded text. */
  startOf(index: number): number;
  /** Offset in the original just behind the character at `index` of the folded text. */
  endOf(index: number): number;
}

const TRIGGER = /[^\x00-\x7f]|\\|%[2-7][0-9A-Fa-f]|&[#a-z]/g;
const ESCAPE = /(?<!\\)\\{1,8}(?:([nrtbf])|(["'`/])|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2}))/y;
const ENTITY = /&(?:#(\d{2,3})|#x([0-9A-Fa-f]{2})|([a-z]{2,6}));/y;

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: '&',
  lt: '<',
  gt: '>',
  commat: '@',
  nbsp: ' ',
};

/** Folds of BMP characters, filled on first sight: 0 unknown, 1 removed, else the UTF-16 unit. */
const BMP_FOLDS = new Uint16Array(0x10000);
const REMOVED = 1;

const QUOTES: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201A': "'",
  '\u201C': '"',
  '\u201D': '"',
  '\u201E': '"',
  '\u2028': '\n',
  '\u2029': '\n',
  '\u0085': '\n',
};

function digitValue(char: string): string {
  // Decimal digits stand in blocks of ten, so the distance to the block's start is the value.
  let point = char.codePointAt(0) ?? 0;
  const start = point;
  while (point > start - 9 && /^\p{Nd}$/u.test(String.fromCodePoint(point - 1))) point -= 1;
  return String((start - point) % 10);
}

function foldChar(char: string): string {
  const quote = QUOTES[char];
  if (quote !== undefined) return quote;
  if (/^(?:[\p{Cf}\u115F\u1160]|\p{Default_Ignorable_Code_Point})$/u.test(char)) return '';
  if (/^[\p{Pd}\u2212\u2043\u02D7]$/u.test(char)) return '-';
  if (/^\p{Zs}$/u.test(char)) return ' ';
  const plain = char.normalize('NFKC');
  if (plain.length === 1 && plain.charCodeAt(0) < 0x80) return plain;
  if (/^\p{Nd}$/u.test(char)) return digitValue(char);
  return char;
}

function foldUnit(unit: number, char: string): string {
  const known = BMP_FOLDS[unit] ?? 0;
  if (known === REMOVED) return '';
  if (known !== 0) return known === unit ? char : String.fromCharCode(known);
  const folded = foldChar(char);
  BMP_FOLDS[unit] = folded === '' ? REMOVED : folded.charCodeAt(0);
  return folded;
}

/** The replacement for what stands at `at`, and how many units of the original it takes. */
function readAt(text: string, at: number): { out: string; width: number } {
  const char = text[at] ?? '';
  if (char === '\\') {
    ESCAPE.lastIndex = at;
    const match = ESCAPE.exec(text);
    if (match === null) return { out: char, width: 1 };
    const hex = match[3] ?? match[4];
    const out =
      hex !== undefined ? String.fromCharCode(Number.parseInt(hex, 16)) : (match[2] ?? '\n');
    return { out, width: match[0].length };
  }
  if (char === '%') {
    const code = Number.parseInt(text.slice(at + 1, at + 3), 16);
    return { out: code === 0x7f ? '?' : String.fromCharCode(code), width: 3 };
  }
  if (char === '&') {
    ENTITY.lastIndex = at;
    const match = ENTITY.exec(text);
    if (match === null) return { out: char, width: 1 };
    const code = match[1] ? Number(match[1]) : match[2] ? Number.parseInt(match[2], 16) : undefined;
    const out = code !== undefined ? String.fromCharCode(code) : ENTITIES[match[3] ?? ''];
    return out === undefined ? { out: char, width: 1 } : { out, width: match[0].length };
  }
  const unit = text.charCodeAt(at);
  if (unit >= 0xd800 && unit <= 0xdbff) {
    const pair = String.fromCodePoint(text.codePointAt(at) ?? unit);
    if (pair.length === 2) return { out: foldChar(pair), width: 2 };
  }
  return { out: foldUnit(unit, char), width: 1 };
}

export function foldText(text: string): Folded {
  TRIGGER.lastIndex = 0;
  if (TRIGGER.exec(text) === null) {
    return { text, startOf: (index) => index, endOf: (index) => index + 1 };
  }
  const starts = new Int32Array(text.length + 1);
  const ends = new Int32Array(text.length + 1);
  const parts: string[] = [];
  let size = 0;
  let copied = 0;
  TRIGGER.lastIndex = 0;
  for (let hit = TRIGGER.exec(text); ; hit = TRIGGER.exec(text)) {
    const upTo = hit === null ? text.length : hit.index;
    parts.push(text.slice(copied, upTo));
    for (; copied < upTo; copied += 1, size += 1) {
      starts[size] = copied;
      ends[size] = copied + 1;
    }
    if (hit === null) break;
    const { out, width } = readAt(text, upTo);
    parts.push(out);
    for (let unit = 0; unit < out.length; unit += 1, size += 1) {
      starts[size] = upTo;
      ends[size] = upTo + width;
    }
    copied = upTo + width;
    TRIGGER.lastIndex = copied;
  }
  return {
    text: parts.join(''),
    startOf: (index) => starts[index] ?? text.length,
    endOf: (index) => ends[index] ?? text.length,
  };
}
