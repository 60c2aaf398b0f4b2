import { DAY_MS } from '../durations';
import { type Period, readPeriod, type Span, type Today } from '../time-period';
import { countOf, mayNameTime, type TimeWord, timeWordsOf, weekdayNamed } from '../time-words';
import { dateOfDay, dayNumber, weekdayOf } from '../zone-time';

/** A time of the calendar that a text names, read on the day that it was said. */
export interface DateSaid {
  start: number;
  end: number;
  /** As it stands there: `yesterday`, `5 May 2023`. */
  phrase: string;
  /** What it is: `2023-05-07`, `2023-05`, `2023`, `week of 2023-05-01`. */
  date: string;
  /** Whether the words say it only to whoever knows the day that they were said on. */
  relative: boolean;
}

const MONDAY = 0;
/** Days; a season is told by its name. */
const LONGEST_RANGE = 14;

/** Numbers alone: there is nothing in them to be resolved. */
const IN_CJK = /(\d{4})\s?年\s?(\d{1,2})\s?月(?:\s?(\d{1,2})\s?[日号])?/gu;
const DOTTED = /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d|\.\d)/gu;

/**
 * The dates in a text, in order. A day without its year is the nearest one; days and weeks are those of UTC.
 *
 * @param at RFC 3339, of when it was said
 * @example datesIn('I went there yesterday', '2023-05-08T13:56:00Z') // [{ phrase: 'yesterday', date: '2023-05-07', … }]
 */
export function datesIn(text: string, at: string): DateSaid[] {
  const found = [...inNumbers(text), ...inWords(text, at)].sort((a, b) => a.start - b.start);
  return found.filter((one, index) => index === 0 || one.start >= (found[index - 1]?.end ?? 0));
}

function inNumbers(text: string): DateSaid[] {
  const cjk = [...text.matchAll(IN_CJK)].map((match) =>
    said(match, [match[1], match[2], match[3]]),
  );
  const dotted = [...text.matchAll(DOTTED)].map((match) =>
    said(match, [match[3], match[2], match[1]]),
  );
  return [...cjk, ...dotted].flatMap((one) => one ?? []);
}

function said(match: RegExpMatchArray, parts: (string | undefined)[]): DateSaid | null {
  const [year = '', month = '', day] = parts;
  if (Number(month) < 1 || Number(month) > 12 || Number(day ?? 1) < 1 || Number(day ?? 1) > 31) {
    return null;
  }
  const start = match.index ?? 0;
  const date = [year, month, day].flatMap((part) => part?.padStart(2, '0') ?? []).join('-');
  return { start, end: start + match[0].length, phrase: match[0], date, relative: false };
}

function inWords(text: string, at: string): DateSaid[] {
  const time = Date.parse(at);
  const words = timeWordsOf(text);
  if (Number.isNaN(time) || !words.some((word) => mayNameTime(word.text))) return [];
  const today: Today = {
    now: time,
    wall: time,
    day: Math.floor(time / DAY_MS),
    southern: () => false,
  };
  const found: DateSaid[] = [];
  for (let index = 0; index < words.length; ) {
    const read = aheadAt(words, index, today) ?? periodAt(words, index, today);
    if (read === null || read.date === null) {
      index = Math.max(read?.next ?? 0, index + 1);
      continue;
    }
    const start = words[index]?.start ?? 0;
    const end = words[read.next - 1]?.end ?? start;
    const phrase = text.slice(start, end);
    const date = read.date === '' ? phrase : read.date;
    found.push({
      start,
      end,
      phrase,
      date,
      relative: read.date !== '' && isRelative(read, phrase),
    });
    index = read.next;
  }
  return found;
}

interface ReadDate {
  /** Null where it comes to no date; empty where only its words are sure. */
  date: string | null;
  next: number;
  open: boolean;
}

function periodAt(words: readonly TimeWord[], at: number, today: Today): ReadDate | null {
  const period = readPeriod(words, at, today);
  if (period === null) return null;
  const { next } = period;
  const open = typeof period.span === 'function';
  // "Friday" by itself is the last one or the next.
  if (next === at + 1 && weekdayNamed(words[at]?.text ?? '') !== null) {
    return { date: '', next, open };
  }
  return { date: dateOf(period, today), next, open };
}

const DAYS_OF: Readonly<Record<string, number>> = { day: 1, days: 1, week: 7, weeks: 7 };

/** `next Friday`, which is the one that comes next; `in two weeks`. */
function aheadAt(words: readonly TimeWord[], at: number, today: Today): ReadDate | null {
  const text = (offset: number) => words[at + offset]?.text ?? '';
  const weekday = weekdayNamed(text(1));
  if (/^(?:next|coming|upcoming)$/.test(text(0)) && weekday !== null) {
    const ahead = (weekday - weekdayOf(today.day) + 6) % 7;
    return { date: isoDay(today.day + ahead + 1), next: at + 2, open: false };
  }
  const count = /^(?:an?|one)$/.test(text(1)) ? 1 : countOf(text(1));
  const days = DAYS_OF[text(2)];
  if (text(0) !== 'in' || count === null || days === undefined || text(3) === 'of') return null;
  return { date: isoDay(today.day + count * days), next: at + 3, open: false };
}

/** What names its own year needs nobody's calendar. */
function isRelative({ open, date }: ReadDate, phrase: string): boolean {
  return open || !phrase.includes(date?.match(/\d{4}/)?.[0] ?? '');
}

function dateOf(period: Period, today: Today): string | null {
  // "A few weeks ago" is no date.
  if (typeof period.span !== 'function' && !period.confident && !period.describes) return null;
  const span = typeof period.span === 'function' ? nearest(period.span, today) : period.span;
  return span === null || span.exact === true ? null : nameOf(span);
}

function nearest(span: (year: number) => Span | null, today: Today): Span | null {
  const { year } = dateOfDay(today.day);
  const far = (one: Span) => Math.abs((one.from + one.until) / 2 - today.wall);
  const spans = [year - 1, year, year + 1].flatMap((one) => span(one) ?? []);
  return spans.sort((a, b) => far(a) - far(b))[0] ?? null;
}

/** A week by its Monday, a weekend by its Saturday, a month and a year by their numbers. */
function nameOf({ from, until }: Span): string | null {
  const first = Math.floor(from / DAY_MS);
  const count = Math.ceil(until / DAY_MS) - first;
  const { year, month, day } = dateOfDay(first);
  if (count === 1 || (count === 2 && from % DAY_MS !== 0)) return isoDay(first);
  if (count === 2) return `weekend of ${isoDay(first)}`;
  if (count === 7) return weekdayOf(first) === MONDAY ? `week of ${isoDay(first)}` : null;
  if (day === 1 && first + count === dayNumber(year, month + 1, 1))
    return isoDay(first).slice(0, 7);
  if (day === 1 && month === 0 && first + count === dayNumber(year + 1, 0, 1)) return String(year);
  return count > LONGEST_RANGE ? null : `${isoDay(first)} to ${isoDay(first + count - 1)}`;
}

function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The text with what a relative date comes to behind it: `yesterday (2023-05-07)`. */
export function withDates(text: string, dates: readonly DateSaid[]): string {
  let written = '';
  let from = 0;
  for (const { end, date, relative } of dates) {
    if (!relative || text.slice(end).startsWith(` (${date})`)) continue;
    written += `${text.slice(from, end)} (${date})`;
    from = end;
  }
  return written + text.slice(from);
}
