import { DAY_MS } from './durations';
import type { Period, Span } from './time-period';
import {
  dayOfMonth,
  isDoubtfulMonth,
  monthOf,
  ordinalOf,
  type TimeWord,
  yearOf,
} from './time-words';
import { dateOfDay, dayNumber } from './zone-time';

/** How a date is introduced: by a preposition of time, or by "the" alone. */
export interface Introduced {
  led: boolean;
  article: boolean;
}

/** A date, a month, a quarter or a year of the calendar, written out or in numbers. */
export function readDate(
  words: readonly TimeWord[],
  at: number,
  introduced: Introduced,
): Period | null {
  return (
    inNumbers(words, at) ??
    dayAndMonth(words, at, introduced) ??
    monthFirst(words, at, introduced) ??
    quarter(words, at) ??
    bareYear(words, at, introduced)
  );
}

export function wholeMonths(year: number, month: number, count: number): Span {
  return {
    from: dayNumber(year, month, 1) * DAY_MS,
    until: dayNumber(year, month + count, 1) * DAY_MS,
  };
}

function oneDay(year: number, month: number, day: number): Span | null {
  const number = dayNumber(year, month, day);
  const real = dateOfDay(number);
  if (real.month !== month || real.day !== day) return null;
  return { from: number * DAY_MS, until: (number + 1) * DAY_MS };
}

function dated(span: Span | null, next: number): Period | null {
  return span && { span, next, confident: true, describes: false };
}

function yearless(span: (year: number) => Span | null, next: number, describes = false): Period {
  return { span, next, confident: false, describes };
}

/** `2023-05-07`, `2023-05`, `2023/5/7`, `25/5/2023`; which of 5/7/2023 is the month, nobody knows. */
function inNumbers(words: readonly TimeWord[], at: number): Period | null {
  const parts = (words[at]?.text ?? '').split(/[-/]/);
  if (parts.length < 2 || parts.some((part) => !/^\d+$/.test(part))) return null;
  const [first = '', second = '', third] = parts;
  const yearFirst = yearOf(first);
  if (yearFirst !== null && Number(second) >= 1 && Number(second) <= 12) {
    const month = Number(second) - 1;
    const span =
      third === undefined
        ? wholeMonths(yearFirst, month, 1)
        : oneDay(yearFirst, month, Number(third));
    return dated(span, at + 1);
  }
  const year = yearOf(third ?? '');
  if (year === null) return null;
  const [a, b] = [Number(first), Number(second)];
  if (a > 12 && b <= 12) return dated(oneDay(year, b - 1, a), at + 1);
  if (b > 12 && a <= 12) return dated(oneDay(year, a - 1, b), at + 1);
  return null;
}

/** `7 May`, `7th of May, 2023`. */
function dayAndMonth(words: readonly TimeWord[], at: number, { led }: Introduced): Period | null {
  const day = dayOfMonth(words[at]?.text ?? '');
  if (day === null) return null;
  const monthAt = words[at + 1]?.text === 'of' ? at + 2 : at + 1;
  const named = words[monthAt];
  const month = monthOf(named?.text ?? '');
  if (named === undefined || month === null || !named.joined) return null;
  const year = followingYear(words, monthAt + 1);
  if (year !== null)
    return dated(oneDay(year, month, day), monthAt + (words[monthAt + 1]?.text === 'of' ? 3 : 2));
  // "If 7 may fail" is no date.
  if (isDoubtfulMonth(named.text) && !led && !named.capital && monthAt === at + 1) return null;
  return yearless((inYear) => oneDay(inYear, month, day), monthAt + 1);
}

/** `May 7`, `May 7th, 2023`, `May 2023`, `in May`. */
function monthFirst(
  words: readonly TimeWord[],
  at: number,
  { led, article }: Introduced,
): Period | null {
  const named = words[at];
  const month = monthOf(named?.text ?? '');
  if (named === undefined || month === null) return null;
  const doubtful = isDoubtfulMonth(named.text);
  const follower = words[at + 1];
  const day = follower?.joined ? dayOfMonth(follower.text) : null;
  if (day !== null && (!doubtful || led || named.capital)) {
    const year = followingYear(words, at + 2);
    if (year !== null) return dated(oneDay(year, month, day), at + 3);
    return yearless((inYear) => oneDay(inYear, month, day), at + 2);
  }
  const year = followingYear(words, at + 1);
  if (year !== null && (!doubtful || led || article || named.capital)) {
    return dated(wholeMonths(year, month, 1), at + (follower?.text === 'of' ? 3 : 2));
  }
  const before = words[at - 1]?.text ?? '';
  // "Photographed by June", "and may", "to march": none of these leads to a month by itself.
  const reallyLed =
    led &&
    !(doubtful && /^(?:by|and|or|to|as|of|mid|for|through|around)$/.test(before) && !named.capital);
  if (!reallyLed && !(article && named.capital)) return null;
  return yearless((inYear) => wholeMonths(inYear, month, 1), at + 1, before === 'the');
}

/** The year right after a date, or after "of". */
function followingYear(words: readonly TimeWord[], at: number): number | null {
  const word = words[at];
  if (word === undefined || !word.joined) return null;
  if (word.text !== 'of') return yearOf(word.text);
  const next = words[at + 1];
  return next?.joined ? yearOf(next.text) : null;
}

/** `Q3`, `Q3 2023`, `the third quarter of 2023`. */
function quarter(words: readonly TimeWord[], at: number): Period | null {
  const text = words[at]?.text ?? '';
  const short = /^q([1-4])$/.exec(text);
  const spoken = words[at + 1]?.text === 'quarter' ? ordinalOf(text) : null;
  const nth = short ? Number(short[1]) : spoken;
  if (nth === null) return null;
  const end = short ? at + 1 : at + 2;
  const year = followingYear(words, end);
  const first = 3 * (nth - 1);
  if (year === null) return yearless((inYear) => wholeMonths(inYear, first, 3), end);
  return dated(wholeMonths(year, first, 3), end + (words[end]?.text === 'of' ? 2 : 1));
}

/** Words that may follow a year; "in 2000 orders" counts orders. */
const AFTER_YEAR = new Set(
  'and or to until till for with by at on the a an was were did do does is are we i you they it he she that which when where who how after before about of'.split(
    ' ',
  ),
);

function bareYear(words: readonly TimeWord[], at: number, { led }: Introduced): Period | null {
  const word = words[at];
  const year = yearOf(word?.text ?? '');
  if (word === undefined || year === null) return null;
  const introduced = led || words[at - 1]?.text === 'year';
  if (!introduced) return null;
  const follower = words[at + 1];
  const counts = follower?.joined === true && !AFTER_YEAR.has(follower.text) && !word.possessive;
  return {
    span: wholeMonths(year, 0, 12),
    next: at + 1,
    confident: !counts,
    describes: counts,
  };
}
