import { DAY_MS } from './durations';
import { type Period, readPeriod, type Span, type Today } from './time-period';
import { dayOfMonth, mayNameTime, type TimeWord, timeWordsOf } from './time-words';
import { dateOfDay, dayNumber, instantOf, wallOf, zoneOffset } from './zone-time';

export interface TimeAsked {
  /** Epoch milliseconds; null where it is open. */
  from: number | null;
  /** The first instant that is no longer meant; null where it is open. */
  until: number | null;
  /** The words it was read from, as they stand in the query. */
  phrase: string;
  /**
   * An explicit date, a month or year with its number, or a plain relative period ("last week"). False
   * where the year was guessed, the words are vague, or the query names several times.
   */
  confident: boolean;
}

/** What the calendar functions are sure of; a clock outside this is no clock. */
const EARLIEST = Date.UTC(1900, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

/**
 * The time a query speaks of, read in a zone: `last week`, `in May 2023`, `since March`, `between May
 * and July`. A period means the whole of it, weeks begin on Monday, and where the year is left out it
 * is the latest that has begun. English only. A question that asks for a time ("when did …?") and
 * names none gives null, and so does whatever is not surely a time.
 *
 * A reading may be wrong, so it must never hide an answer: recall raises what lies within the period,
 * narrows to it only when it is `confident`, and falls back to the whole when too little is left.
 *
 * @param now epoch milliseconds; the only clock there is.
 * @param timezone an IANA name.
 * @throws RangeError when the zone is unknown.
 * @example timeAsked('what broke in May 2023?', now, 'UTC')
 *   // { from: 1682899200000, until: 1685577600000, phrase: 'in May 2023', confident: true }
 */
export function timeAsked(query: string, now: number, timezone: string): TimeAsked | null {
  if (!(now >= EARLIEST && now < LATEST)) return null;
  const words = timeWordsOf(query);
  const today = todayIn(now, timezone);
  if (!words.some((word) => mayNameTime(word.text))) return null;
  const found: TimeAsked[] = [];
  for (let at = 0; at < words.length; ) {
    const read = readTime(words, at, today);
    const asked = read && inEpoch(read, timezone);
    if (read && asked) {
      const start = startOf(words, read.at);
      const phrase = query.slice(start, words[read.next - 1]?.end);
      found.push({ ...asked, phrase, confident: read.confident });
    }
    at = read ? Math.max(read.next, at + 1) : at + 1;
  }
  return oneOf(found, query);
}

function todayIn(now: number, zone: string): Today {
  const wall = wallOf(now, zone);
  const day = Math.floor(wall / DAY_MS);
  const southern = () => {
    const { year } = dateOfDay(day);
    const january = zoneOffset(dayNumber(year, 0, 1) * DAY_MS, zone);
    const july = zoneOffset(dayNumber(year, 6, 1) * DAY_MS, zone);
    return january === july ? null : january > july;
  };
  return { now, day, wall, southern };
}

interface Read {
  from: Edge | null;
  until: Edge | null;
  at: number;
  next: number;
  confident: boolean;
}
interface Edge {
  time: number;
  exact: boolean;
}

type Bound = 'since' | 'after' | 'before' | 'until';
const BOUNDS: ReadonlyMap<string, Bound> = new Map([
  ['since', 'since'],
  ['after', 'after'],
  ['following', 'after'],
  ['before', 'before'],
  ['until', 'until'],
  ['till', 'until'],
  ['by', 'until'],
]);
const UP_TO = /^(?:to|until|till|through|thru|and|-|–|—)$/;

/** A time that begins at this word, with the word that bounds it. */
function readTime(words: readonly TimeWord[], at: number, today: Today): Read | null {
  const text = words[at]?.text ?? '';
  const range = readRange(words, at, today);
  if (range !== null) return range;
  const { bound, first } = boundAt(words, at);
  if (bound !== null) {
    const period = readPeriod(words, first, today);
    const span = period && latestBegun(period, today);
    if (!period || !span || (text === 'by' && period.describes)) return null;
    return { ...bounded(bound, span, period.describes), at, ...endOf(period) };
  }
  const period = readPeriod(words, at, today);
  const span = period && latestBegun(period, today);
  if (!period || !span) return null;
  const next = words[period.next]?.text;
  const onwards =
    next === 'onwards' || next === 'onward' || (next === 'on' && words[at - 1]?.text === 'from');
  if (onwards)
    return { ...bounded('since', span, false), at, ...endOf(period), next: period.next + 1 };
  return { from: fromOf(span), until: untilOf(span), at, ...endOf(period) };
}

function boundAt(words: readonly TimeWord[], at: number): { bound: Bound | null; first: number } {
  const text = words[at]?.text ?? '';
  const pair = `${text} ${words[at + 1]?.text ?? ''}`;
  if (pair === 'prior to') return { bound: 'before', first: at + 2 };
  if (pair === 'up to' || pair === 'up until') return { bound: 'until', first: at + 2 };
  if (pair === 'starting in' || pair === 'starting from') return { bound: 'since', first: at + 2 };
  return { bound: BOUNDS.get(text) ?? null, first: at + 1 };
}

/** Of a thing of that time ("after the March outage") it is known only that it lies within. */
function bounded(bound: Bound, span: Span, within: boolean): Pick<Read, 'from' | 'until'> {
  switch (bound) {
    case 'since':
      return { from: fromOf(span), until: null };
    case 'after':
      return { from: within ? fromOf(span) : untilOf(span), until: null };
    case 'before':
      return { from: null, until: within ? untilOf(span) : fromOf(span) };
    case 'until':
      return { from: null, until: untilOf(span) };
    default:
      return bound satisfies never;
  }
}

function fromOf(span: Span): Edge {
  return { time: span.from, exact: span.exact === true };
}

function untilOf(span: Span): Edge {
  return { time: span.until, exact: span.exact === true };
}

function endOf(period: Period): { next: number; confident: boolean } {
  return { next: period.next, confident: period.confident && !period.describes };
}

/** `between May and July 2023`, `from 3 to 7 May`, `May 2023 - July 2023`. */
function readRange(words: readonly TimeWord[], at: number, today: Today): Read | null {
  const opener = words[at]?.text;
  const opened = opener === 'between' || opener === 'from';
  const start = opened ? at + 1 : at;
  const first = readPeriod(words, start, today) ?? (opened ? bareDay(words, start, today) : null);
  const link = first === null ? undefined : words[first.next]?.text;
  if (first === null || link === undefined || !UP_TO.test(link)) return null;
  // "In May and June" is a range only where one follows the other: both months are meant, whole.
  if (link === 'and' && opener !== 'between' && typeof first.span !== 'function') return null;
  const second = readPeriod(words, first.next + 1, today);
  if (second === null) return null;
  const spans = ordered(first, second, today);
  if (spans === null) return null;
  const confident = typeof second.span !== 'function' && second.confident && !first.describes;
  return { from: fromOf(spans[0]), until: untilOf(spans[1]), at, next: second.next, confident };
}

/** The 3 of `between 3 and 7 May`. */
function bareDay(words: readonly TimeWord[], at: number, today: Today): Period | null {
  const day = dayOfMonth(words[at]?.text ?? '');
  const second = readPeriod(words, at + 2, today);
  const last = second && latestBegun(second, today);
  if (day === null || !second || !last || last.until - last.from !== DAY_MS) return null;
  const { month } = dateOfDay(last.from / DAY_MS);
  const span = (year: number) => {
    const from = dayNumber(year, month, day) * DAY_MS;
    return { from, until: from + DAY_MS };
  };
  return { span, next: at + 1, confident: second.confident, describes: false };
}

/** A year that one end leaves out is the nearest that keeps the ends in order. */
function ordered(first: Period, second: Period, today: Today): readonly [Span, Span] | null {
  const year = dateOfDay(today.day).year;
  if (typeof second.span !== 'function') {
    const last = second.span;
    if (typeof first.span !== 'function')
      return last.until > first.span.from ? [first.span, last] : null;
    const from = latestWhere(
      first.span,
      dateOfDay(Math.floor(last.from / DAY_MS)).year,
      (one) => one.from <= last.from,
    );
    return from && [from, last];
  }
  const from =
    typeof first.span === 'function'
      ? latestWhere(first.span, year, (one) => one.from <= today.wall)
      : first.span;
  if (from === null) return null;
  const openYear = dateOfDay(Math.floor(from.from / DAY_MS)).year;
  for (let ahead = 0; ahead <= MOST_YEARS; ahead += 1) {
    const until = second.span(openYear + ahead);
    if (until !== null && until.from >= from.from) return [from, until];
  }
  return null;
}

/** 29 February comes every eighth year at the least. */
const MOST_YEARS = 8;

function latestBegun(period: Period, today: Today): Span | null {
  if (typeof period.span !== 'function') return period.span;
  return latestWhere(period.span, dateOfDay(today.day).year, (one) => one.from <= today.wall);
}

function latestWhere(
  span: (year: number) => Span | null,
  year: number,
  fits: (span: Span) => boolean,
): Span | null {
  for (let back = 0; back <= MOST_YEARS; back += 1) {
    const one = span(year - back);
    if (one !== null && fits(one)) return one;
  }
  return null;
}

/** Null for a span that the zone does not have, as the day that Samoa left out. */
function inEpoch(read: Read, zone: string): Pick<TimeAsked, 'from' | 'until'> | null {
  const epoch = (edge: Edge | null) =>
    edge && (edge.exact ? edge.time : instantOf(edge.time, zone));
  const from = epoch(read.from);
  const until = epoch(read.until);
  return from !== null && until !== null && from >= until ? null : { from, until };
}

/** Where the phrase begins: with the preposition before it, if any. */
function startOf(words: readonly TimeWord[], at: number): number {
  const before = words[at - 1];
  const led =
    before !== undefined &&
    words[at]?.joined &&
    /^(?:in|on|during|over|from|within|throughout|of|around)$/.test(before.text);
  return (led ? before : words[at])?.start ?? 0;
}

/**
 * Several readings are one where they bound the same time from both sides ("since March until
 * yesterday"); else the first sure one stands, no longer sure.
 */
function oneOf(found: readonly TimeAsked[], query: string): TimeAsked | null {
  const [first, second] = found;
  if (first === undefined || second === undefined) return first ?? null;
  const from = first.from ?? second.from;
  const until = first.until ?? second.until;
  const halves =
    (first.from === null) !== (second.from === null) &&
    (first.until === null) !== (second.until === null);
  if (found.length === 2 && halves && from !== null && until !== null && from < until) {
    const start = query.indexOf(first.phrase);
    const end = query.indexOf(second.phrase, start) + second.phrase.length;
    const confident = first.confident && second.confident;
    return { from, until, phrase: query.slice(start, end), confident };
  }
  return { ...(found.find((one) => one.confident) ?? first), confident: false };
}
