/** Longest name kept, in UTF-16 units; what is longer is cut, on cards and in queries alike. */
export const LONGEST_NAME = 80;

/** Far more than a name; keeps the cost of a hostile one small. */
const READ_LIMIT = 400;
/** Most words; nothing is to be done to them. */
const PLAIN = /^[A-Za-z0-9]+$/;
const EDGE = /^[\s\p{P}\p{S}]$/u;
/** Marks that are part of a name where they open it: channels, handles, paths, private names. */
const OPENERS = new Set(['#', '@', '/', '_', '.']);

/**
 * A name as it is compared: NFC, lower case, white space as one space, without punctuation around it and
 * without a possessive ending. Idempotent. Empty where nothing of a name is left.
 *
 * @example entityName("Caroline's ") // 'caroline'
 */
export function entityName(text: string): string {
  if (text.length <= LONGEST_NAME && PLAIN.test(text)) return text.toLowerCase();
  const folded = text
    .slice(0, READ_LIMIT)
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/\s+/gu, ' ');
  return trimmed(trimmed(folded).slice(0, LONGEST_NAME));
}

/** Whatever one cut lays bare is cut as well, so that a second pass finds nothing left to do. */
function trimmed(text: string): string {
  const letters = [...text];
  let from = 0;
  let to = letters.length;
  while (to > from) {
    const last = letters[to - 1] ?? '';
    const possessive = last === 's' && /^['’]$/.test(letters[to - 2] ?? '') && to - 2 > from;
    if (possessive) to -= 2;
    else if (EDGE.test(last) || isHalf(last)) to -= 1;
    else break;
  }
  while (from < to) {
    const first = letters[from] ?? '';
    const opens = OPENERS.has(first) && /^[\p{L}\p{N}_]$/u.test(letters[from + 1] ?? '');
    if (opens || (!EDGE.test(first) && !isHalf(first))) break;
    from += 1;
  }
  return letters.slice(from, to).join('');
}

/** Half of a character that a cut left behind. */
function isHalf(letter: string): boolean {
  return letter.length === 1 && letter >= '\ud800' && letter <= '\udfff';
}
