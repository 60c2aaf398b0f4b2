/** A word or number of a query, as the readers of time see it. */
export interface TimeWord {
  /** Lower case, without a possessive ending. */
  text: string;
  start: number;
  end: number;
  capital: boolean;
  possessive: boolean;
  /** Only a space or a comma stands between it and the word before. */
  joined: boolean;
}

/** What is read of a query: a question longer than this names its time early or not at all. */
const READ_LIMIT = 4_000;

const WORD =
  /\d{4}-\d{1,2}(?:-\d{1,2})?(?![\p{L}\p{N}-])|\d{1,4}\/\d{1,2}\/\d{1,4}(?![\p{L}\p{N}/])|\d[\p{L}\p{N}_]*|\p{L}[\p{L}\p{M}\p{N}_]*(?:['’]\p{L}{1,4})?|[-–—]/gu;
const QUOTED = /"[^"]{0,200}"|“[^”]{0,200}”/gu;

/** Words in order. A quoted title names no time, so that "Summer 2023" in quotes is passed over. */
export function timeWordsOf(query: string): TimeWord[] {
  const text = query.slice(0, READ_LIMIT).replace(QUOTED, (title) => '\n'.repeat(title.length));
  const words: TimeWord[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const raw = match[0];
    const possessive = /['’](?:s|S)?$/u.test(raw);
    const lower = raw.toLowerCase();
    words.push({
      text: possessive ? lower.replace(/['’]s?$/u, '') : lower,
      start: match.index,
      end: match.index + raw.length,
      capital: /^\p{Lu}/u.test(raw),
      possessive,
      joined: /^(?:[\s,]{0,3}|\. ?)$/u.test(text.slice(end, match.index).replaceAll('\n', ';')),
    });
    end = match.index + raw.length;
  }
  return words;
}

const MONTHS: ReadonlyMap<string, number> = new Map(
  'january february march april may june july august september october november december'
    .split(' ')
    .flatMap((name, month): [string, number][] => [
      [name, month],
      [name.slice(0, 3), month],
      ...(month === 8 ? [['sept', month] as [string, number]] : []),
    ]),
);
const WEEKDAYS: ReadonlyMap<string, number> = new Map(
  'monday tuesday wednesday thursday friday saturday sunday'
    .split(' ')
    .map((name, day) => [name, day]),
);
/** Month in which a season begins in the north. */
const SEASONS: ReadonlyMap<string, number> = new Map([
  ['spring', 2],
  ['summer', 5],
  ['autumn', 8],
  ['fall', 8],
  ['winter', 11],
]);
const NUMBERS: ReadonlyMap<string, number> = new Map(
  'one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((name, index) => [name, index + 1]),
);
const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** From 0; null when it is no month's name. */
export function monthOf(word: string): number | null {
  return MONTHS.get(word) ?? null;
}

/** A month's name that is a verb too, or cut short to something that may be another word. */
export function isDoubtfulMonth(word: string): boolean {
  return word === 'may' || word === 'march' || word.length <= 4;
}

/** From 0, Monday. */
export function weekdayNamed(word: string): number | null {
  return WEEKDAYS.get(word) ?? null;
}

export function seasonStart(word: string): number | null {
  return SEASONS.get(word) ?? null;
}

/** A whole number, in digits or as a word up to twelve. */
export function countOf(word: string): number | null {
  if (/^\d{1,4}$/.test(word)) return Number(word);
  return NUMBERS.get(word) ?? null;
}

/** 1 for `first`, 2 for `second` and so on to 4. */
export function ordinalOf(word: string): number | null {
  const at = ORDINALS.indexOf(word);
  return at === -1 ? null : at + 1;
}

/** 1–31, with or without its ending. */
export function dayOfMonth(word: string): number | null {
  const match = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word);
  const day = match ? Number(match[1]) : 0;
  return day >= 1 && day <= 31 ? day : null;
}

export function yearOf(word: string): number | null {
  return /^(?:19|20|21)\d\d$/.test(word) ? Number(word) : null;
}

const TIME_WORD =
  /^(?:\d.*|q[1-4]|today|yesterday|tomorrow|tonight|ago|(?:minute|hour|day|night|week|weekend|month|quarter|year)s?|morning|afternoon|evening)$/;

/** A query without any such word speaks of no time; most have none. */
export function mayNameTime(word: string): boolean {
  return MONTHS.has(word) || WEEKDAYS.has(word) || SEASONS.has(word) || TIME_WORD.test(word);
}
