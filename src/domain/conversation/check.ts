import { datesIn } from './dates-in';

/** As much of a detail as the check has to know. */
export interface Kept {
  items: readonly string[];
}

const NUMBER_WORDS = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, value): [string, string] => [word, String(value)]),
);
const ISO = /^(?:(?:week|weekend) of )?\d{4}(?:-\d{2}(?:-\d{2})?)?(?: to \d{4}-\d{2}-\d{2})?$/;

/** A text as items are looked for in it: one spelling of numbers and quotes, and the dates that it names. */
export interface Searched {
  words: string;
  dates: ReadonlySet<string>;
}

/** @param at RFC 3339, of what a date without its year is read by */
export function searched(text: string, at = '2000-01-01T00:00:00Z'): Searched {
  const dates = new Set<string>();
  // Line by line: a list names more dates than one question.
  for (const line of text.split('\n')) for (const { date } of datesIn(line, at)) dates.add(date);
  return { words: ` ${comparable(text)} `, dates };
}

/** Lower case, one kind of quote and space, `1,250.00` as `1250`, `two` as `2`. */
export function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/[“”„«»「」『』]/g, '"')
    .replace(/(?<=\d)[,'](?=\d{3}(?!\d))/g, '')
    .replace(/(?<=\d)\.0+(?![\d.])/g, '')
    .replace(/(?<=[$€£¥₹₽₩]) (?=\d)/g, '')
    .replace(/(?<=\d) (?=%)/g, '')
    .replace(/\b\p{L}+\b/gu, (word) => NUMBER_WORDS.get(word) ?? word)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether an item stands in the text: a date in any of the common notations, anything else as a whole word. */
export function holds(text: Searched, item: string): boolean {
  const wanted = comparable(item).replace(/^["']|["']$/g, '');
  if (wanted === '') return true;
  if (
    ISO.test(item) &&
    (text.dates.has(item) || datesOf(item).some((date) => text.dates.has(date)))
  )
    return true;
  for (let at = text.words.indexOf(wanted); at !== -1; at = text.words.indexOf(wanted, at + 1)) {
    const before = text.words.charAt(at - 1);
    const after = text.words.slice(at + wanted.length, at + wanted.length + 2);
    if (!joins(before, wanted.charAt(0)) && !joinsOn(after, wanted.at(-1) ?? '')) return true;
  }
  return false;
}

/** A day that is told as the day is there, whatever it was called first: "week of", "weekend of". */
function datesOf(item: string): string[] {
  return [item.replace(/^(?:week|weekend) of /, '')];
}

const WORD = /[\p{L}\p{N}]/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function joins(before: string, first: string): boolean {
  if (UNSPACED.test(first) || UNSPACED.test(before)) return false;
  return WORD.test(before) && WORD.test(first);
}

/** `304` does not stand in `304.50`, and does in `304.` at the end of a sentence. */
function joinsOn(after: string, last: string): boolean {
  const [next = '', second = ''] = [...after];
  if (/\d/.test(last) && /[.,]/.test(next) && /\d/.test(second)) return true;
  if (UNSPACED.test(last) || UNSPACED.test(next)) return false;
  return WORD.test(next) && WORD.test(last);
}

/** The details of which something is not in the text, each with what of it is missing. */
export function missingFrom<Detail extends Kept>(
  summary: string,
  details: readonly Detail[],
): { detail: Detail; items: string[] }[] {
  const text = searched(summary);
  return details.flatMap((detail) => {
    const items = detail.items.filter((item) => !holds(text, item));
    return items.length === 0 ? [] : [{ detail, items }];
  });
}
