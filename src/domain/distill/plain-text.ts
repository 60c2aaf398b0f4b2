/**
 * Small pure helpers that turn whatever an event carries into plain one-line prose. Everything here
 * is linear in its input and total: any string in, a well-formed one-line string out. A pattern that
 * opens with a repetition looks behind itself first, so that it is tried once a run and not at each
 * character of it: on a run of 100,000 backslashes the difference is 40 s.
 */

/** Nothing beyond this many characters of a text is looked at when a sentence is made of it. */
export const READ_LIMIT = 16_000;

/** A longer sentence is none; its patterns need not look at more. */
const SENTENCE_LIMIT = 1_200;

const ANSI = /\u001b\[[0-9;]*[A-Za-z]/g;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028\u2029\u202a-\u202e\u2060\ufeff]+/g;
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/** One line: escapes of terminals, escaped and real line breaks, invisible marks become spaces. */
export function oneLine(text: string): string {
  return text
    .slice(0, READ_LIMIT)
    .replace(ANSI, '')
    .replace(/(?<!\\)\\+[nrt]/g, ' ')
    .replace(CONTROL, ' ')
    .replace(LONE_SURROGATE, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** What stands where redaction took something out, in words. */
export function spelledOut(text: string): string {
  if (!text.includes('[')) return text;
  return text.replace(
    /\[(?:(EMAIL|PHONE|EXT_IP)_[A-Za-z2-7]{10,64}|REDACTED_([A-Z_]{3,14})|REDACTION_FAILED)\]/g,
    (_found, contact: string | undefined, kind: string | undefined) =>
      REDACTED_AS[contact ?? kind ?? ''] ?? 'a redacted value',
  );
}

const REDACTED_AS: Readonly<Record<string, string>> = {
  EMAIL: 'an address',
  PHONE: 'a phone number',
  EXT_IP: 'an external address',
  IBAN: 'an account',
  CARD: 'a card',
  NAME: 'someone',
  PASSWORD: 'a password',
  TOKEN: 'a token',
};

/** One line without the marks of data or mark-up: no braces, brackets, tags, back-ticks, emphasis. */
export function plain(text: string): string {
  return oneLine(spelledOut(text.slice(0, READ_LIMIT)).replace(/<\/?[A-Za-z][^<>]{0,80}>/g, ' '))
    .replace(/\.{3}\s?cut\b/g, ' ')
    .replace(/[{}[\]`<>|\\^~]+/g, ' ')
    .replace(/\*{2,}|\*(?=[\p{L}\p{N}"“])|(?<=[\p{L}\p{N}"”.:])\*|_{2,}|#{2,}|={3,}|-{3,}/gu, ' ')
    .replace(/\(\s*\)/g, ' ')
    .replace(/(?<!\s)\s+([,.;:!?])(?=\s|$)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** At most `limit` UTF-16 units, cut at a word where one is near, and marked with an ellipsis. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit < 2) return '';
  let cut = text.slice(0, limit - 1);
  const space = cut.lastIndexOf(' ');
  if (space > limit * 0.6) cut = cut.slice(0, space);
  cut = cut.replace(LONE_SURROGATE, '').replace(/[\s,;:.(–—-]+$/u, '');
  return `${cut}…`;
}

const ENDS = /[.!?…]["”’')]{0,3}(?=\s)|[。！？]|(?<=\S)(?=\s*\n)/gu;

/** As `clip`, but at the end of a sentence or a line where one is near. */
export function beginning(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit - 2);
  let end = 0;
  for (const match of head.matchAll(ENDS)) end = match.index + match[0].length;
  return end > limit * 0.6 ? `${head.slice(0, end)} …` : clip(text, limit);
}

/** Ends a clause as a sentence; an ending that is there already is kept. */
export function finish(text: string): string {
  const trimmed = text.trim().replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, '');
  if (trimmed === '') return '';
  return /[.!?…。！？]["”’')]?$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** Lower-cases the first letter of an ordinary word; acronyms, ids and `I` keep theirs. */
export function lowerFirst(text: string): string {
  return /^[A-Z](?:[a-z]+|)(?=[\s,:;'’]|$)/.test(text) && !/^I\b/.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;
}

export function upperFirst(text: string): string {
  return /^[a-z]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** `one_way` → `one way`; anything with digits or capitals is an id and stays. */
export function humanize(value: string): string {
  return /^[a-z]+(?:_[a-z]+)+$/.test(value) ? value.replace(/_/g, ' ') : value;
}

/** Sentences of a one-line text; abbreviations and decimals do not end one. */
export function sentences(text: string): string[] {
  const out: string[] = [];
  let from = 0;
  const ends = /[.!?。！？]["”’')]?(?=\s+["“'(]?[\p{Lu}\p{N}¿¡]|\s*$)|[。！？]/gu;
  for (const match of text.matchAll(ends)) {
    const end = match.index + match[0].length;
    const piece = text.slice(from, end).trim();
    // The end of it decides; a whole one would be read anew at every full stop that ends nothing.
    const last = piece.slice(-12);
    if (/\b(?:Mr|Mrs|Ms|Dr|St|No|vs|e\.g|i\.e|etc|approx)\.$/.test(last)) continue;
    if (/(?:^|\s)\d{1,2}\.$/.test(last)) continue;
    if (piece !== '') out.push(piece.slice(0, SENTENCE_LIMIT));
    from = end;
  }
  const rest = text.slice(from).trim();
  if (rest !== '') out.push(rest.slice(0, SENTENCE_LIMIT));
  return out;
}

/** `A, B and 2 more`; `total` counts what is not named too. */
export function nameList(names: readonly string[], total = names.length, shown = 3): string {
  const head = names.slice(0, shown);
  const more = total - head.length;
  if (more > 0) return head.length === 0 ? String(total) : `${head.join(', ')} and ${more} more`;
  if (head.length < 2) return head.join('');
  return `${head.slice(0, -1).join(', ')} and ${head[head.length - 1] ?? ''}`;
}

export function singular(word: string): string {
  if (/(?:ss|us|is|news|series|details|status|address|access)$/.test(word)) return word;
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss|z)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) && word.length > 2 ? word.slice(0, -1) : word;
}

export function isPlural(word: string): boolean {
  return singular(word) !== word;
}

export function plural(word: string): string {
  if (
    word === '' ||
    isPlural(word) ||
    /(?:details|info|information|data|news|series)$/.test(word)
  ) {
    return word;
  }
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:ch|sh|x|s|z)$/.test(word) ? `${word}es` : `${word}s`;
}

/** `4 flights`, `1 flight`. */
export function counted(count: number, noun: string): string {
  const words = noun.split(' ');
  const last = words.pop() ?? '';
  return `${count} ${[...words, count === 1 ? singular(last) : plural(last)].join(' ')}`;
}

export function withArticle(noun: string): string {
  return `${/^[aeio]|^u(?!s|ni)/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
