/** A run of letters, digits and the marks that hold an identifier, a path or a date together. */
const COMPOUND = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’_.\-/:@]+[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
const JOINERS = /['’_.\-/:@]+/u;
const CAMEL = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Scripts written without spaces: there words have to be found, not split. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const APOSTROPHE = /['’](?:s|S)?$|['’]/gu;

/** Longest token kept, in characters: a hash or a path is still found whole, a blob is not indexed. */
const LONGEST = 80;

let words: Intl.Segmenter | undefined;

/**
 * Words and identifiers of a text, NFKC and lower case, in order, duplicates kept. An identifier
 * comes whole and in parts, so that `book_reservation`, `numpy_handler.py` and `getUserDetails` are
 * found by name and by word; codes such as `SI5UKW` and `E999` come whole. Chinese, Japanese, Thai
 * and their like are segmented into words.
 *
 * @example tokensOf('Edited numpy_handler.py') // ['edited', 'numpy_handler.py', 'numpy', 'handler', 'py']
 */
export function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (const [run] of text.normalize('NFKC').matchAll(COMPOUND)) {
    if (UNSPACED.test(run)) tokens.push(...segmented(run));
    else tokens.push(...wholeAndParts(run));
  }
  return tokens.filter((token) => token.length <= LONGEST);
}

function wholeAndParts(run: string): string[] {
  const pieces = run.split(JOINERS).filter((piece) => piece !== '');
  const parts = pieces.flatMap((piece) => piece.split(CAMEL));
  const whole = run.replace(APOSTROPHE, '').toLowerCase();
  const lower = parts.map((part) => part.toLowerCase()).filter(isPart);
  return lower.length === 0 || (lower.length === 1 && lower[0] === whole)
    ? [whole]
    : [whole, ...lower.filter((part) => part !== whole)];
}

/** A lone letter of an identifier or of a contraction says nothing by itself. */
function isPart(part: string): boolean {
  return part.length > 1 || /\p{N}/u.test(part);
}

/** The segmenter is quadratic on an unbroken run, so it gets one of this many characters at a time. */
const SEGMENTED_AT_ONCE = 500;

function segmented(run: string): string[] {
  words ??= new Intl.Segmenter('und', { granularity: 'word' });
  const tokens: string[] = [];
  const letters = [...run];
  for (let from = 0; from < letters.length; from += SEGMENTED_AT_ONCE) {
    const slice = letters.slice(from, from + SEGMENTED_AT_ONCE).join('');
    for (const part of words.segment(slice)) {
      if (part.isWordLike) tokens.push(part.segment.toLowerCase());
    }
  }
  return tokens;
}
