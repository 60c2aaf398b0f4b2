/**
 * A text whose letters are disguised, in plain ones: full-width and other styled letters, marks on
 * them, letters of another alphabet among Latin ones, digits for letters, letters s p a c e d out.
 * Null where there is nothing of the kind.
 */
export function disguisedText(text: string): string | null {
  let plain = text;
  if (NOT_ASCII.test(text)) {
    // Marks first: what orders them takes time with the square of how many there are.
    plain = plain.replace(/\p{M}/gu, '').normalize('NFKC');
    if (MIXED.test(plain)) plain = plain.replace(LOOK_ALIKES, (char) => LATIN.get(char) ?? char);
  }
  if (/(?:\b[a-z] ){5}/i.test(plain)) plain = plain.replace(/(?<=\b[a-z]) (?=[a-z]\b)/gi, '');
  plain = plain.replace(/(?<=[a-z])[01345](?=[a-z])/gi, (digit) => LETTER.get(digit) ?? digit);
  return plain === text ? null : plain;
}

const NOT_ASCII = /[^\u0000-\u007f]/;
const MIXED = /[a-z][\u0370-\u04ff]|[\u0370-\u04ff][a-z]/i;
const LOOK_ALIKES = /[\u0370-\u04ff]/g;
const LATIN: ReadonlyMap<string, string> = new Map(
  [...'аaеeоoрpсcуyхxіiѕsјjвbкkмmнhтtгrοoαaεeιiνvρpτtυuκkηn'.matchAll(/(.)(.)/gu)].map(
    ([, from = '', to = '']): [string, string] => [from, to],
  ),
);
const LETTER: ReadonlyMap<string, string> = new Map([
  ['0', 'o'],
  ['1', 'i'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
]);

/**
 * Texts that a model reads and a person does not: base64, and Unicode's tag characters, which show
 * nothing at all. Each is read once; what is hidden twice no model has been seen to follow.
 */
export function hiddenTexts(text: string): string[] {
  const tagged = text.match(TAGS)?.join('') ?? '';
  const encoded = [...text.matchAll(BASE64)].slice(0, MOST_RUNS).map(([run]) => decoded(run));
  return [untagged(tagged), ...encoded].filter((found) => found.length >= SHORTEST);
}

/** Lines of base64 too; a word of a sentence is never that long. */
const BASE64 = /(?:[A-Za-z0-9+/_-]{20,}={0,2}[\r\n]{0,2})+/g;
const TAGS = /[\u{e0020}-\u{e007e}]+/gu;
/** An instruction has some words. */
const SHORTEST = 12;
/** A page holds a few; hundreds are a table of hashes. */
const MOST_RUNS = 200;
const TAG_BASE = 0xe0000;

function untagged(tags: string): string {
  return [...tags].map((tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - TAG_BASE)).join('');
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUE_OF: ReadonlyMap<string, number> = new Map([
  ...[...ALPHABET].map((char, value): [string, number] => [char, value]),
  ['-', 62],
  ['_', 63],
]);

/** The text of a run of base64, as far as it is text; '' where the bytes are none. */
function decoded(run: string): string {
  let text = '';
  let held = 0;
  let bits = 0;
  let odd = 0;
  for (const char of run) {
    const value = VALUE_OF.get(char);
    if (value === undefined) continue;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (held >>> bits) & 0xff;
    text += String.fromCharCode(byte);
    if (byte < 0x09 || byte > 0x7e) odd += 1;
    // An image or a hash gives itself away at once.
    if (odd > 8 && odd * 5 > text.length) return '';
  }
  return odd * 10 > text.length ? '' : text;
}
