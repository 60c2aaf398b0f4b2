import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations';
import { readDate, wholeMonths } from './time-date';
import {
  countOf,
  monthOf,
  ordinalOf,
  seasonStart,
  type TimeWord,
  weekdayNamed,
  yearOf,
} from './time-words';
import { dateOfDay, dayNumber, weekdayOf } from './zone-time';

/** Half open, in wall time (`zone-time.ts`); `exact` in epoch milliseconds instead. */
export interface Span {
  from: number;
  until: number;
  exact?: true;
}

export interface Period {
  /** Where the year is left open, the span in a given year; null where that year has none. */
  span: Span | ((year: number) => Span | null);
  /** Index of the word after it. */
  next: number;
  confident: boolean;
  /** It describes a thing of that time ("the May release", "last week's outage"), maybe. */
  describes: boolean;
}

export interface Today {
  now: number;
  /** Day of the zone's calendar, and the time on its clocks. */
  day: number;
  wall: number;
  /** Whether summer is in January; null where the zone does not tell. Asked for only by seasons. */
  southern: () => boolean | null;
}

/** Words before a period that make a doubtful name one. */
const LEADS = new Set(
  (
    'in during on of throughout within over for from since until till before after between to through around early late ' +
    'mid by and or year as'
  ).split(' '),
);
const THIS = new Set(['this', 'current']);
const LAST = new Set(['last', 'previous']);
const NEXT = new Set(['next', 'coming', 'upcoming']);
const UNITS = new Map<string, Unit>(
  (['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const).flatMap((unit) => [
    [unit, unit],
    [`${unit}s`, unit],
  ]),
);
type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/** Hours of the day, generously. */
const DAY_PARTS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['morning', [0, 12]],
  ['afternoon', [12, 18]],
  ['evening', [17, 24]],
  ['night', [18, 30]],
]);

/** What begins at a word, if a period does. */
export function readPeriod(words: readonly TimeWord[], at: number, today: Today): Period | null {
  const start = opening(words, at);
  const word = words[start];
  if (word === undefined) return null;
  const before = words[at - 1];
  const led = start > at + 1 || (before !== undefined && LEADS.has(before.text));
  const period =
    readRelative(words, start, today) ??
    readAgo(words, start, today) ??
    readPartOf(words, start) ??
    readDate(words, start, { led, article: start > at }) ??
    readNamed(words, start, today, led);
  if (period === null) return null;
  const last = words[period.next - 1];
  return last?.possessive ? { ...period, describes: true } : period;
}

/** Past "the", "early", "the end of": a part of a period is read as the whole of it. */
function opening(words: readonly TimeWord[], at: number): number {
  let next = at;
  const text = (offset = 0) => words[next + offset]?.text ?? '';
  if (text() === 'the') next += 1;
  if (/^(?:beginning|start|middle|end)$/.test(text()) && text(1) === 'of') next += 2;
  else if (/^(?:early|late|mid)$/.test(text())) next += text(1) === '-' ? 2 : 1;
  if (text() === 'the') next += 1;
  if (text() === 'year' && yearOf(text(1)) !== null) next += 1;
  if (/^(?:this|these)$/.test(text()) && /^(?:last|past)$/.test(text(1))) next += 1;
  return next;
}

function sure(span: Span, next: number): Period {
  return { span, next, confident: true, describes: false };
}

function days(from: number, count: number): Span {
  return { from: from * DAY_MS, until: (from + count) * DAY_MS };
}

/** `yesterday`, `last week`, `this month`, `the past three days`. */
function readRelative(words: readonly TimeWord[], at: number, today: Today): Period | null {
  const text = (offset = 0) =>
    (offset > 0 && !words[at + offset]?.joined ? '' : words[at + offset]?.text) ?? '';
  const shift = { today: 0, yesterday: -1, tomorrow: 1 }[text()];
  if (text() === 'tonight') return { ...dayOrPart(today.day, 'night', at), next: at + 1 };
  if (shift !== undefined) return dayOrPart(today.day + shift, text(1), at);
  if (text() === 'day' && text(1) === 'before' && text(2) === 'yesterday')
    return sure(days(today.day - 2, 1), at + 3);
  if (text() === 'day' && text(1) === 'after' && text(2) === 'tomorrow')
    return sure(days(today.day + 2, 1), at + 3);
  if (text(1) === 'before' && text(2) === 'last' && isCalendarUnit(text())) {
    return sure(calendar(UNITS.get(text()) as Unit, -2, today), at + 3);
  }
  const step = THIS.has(text()) ? 0 : LAST.has(text()) ? -1 : NEXT.has(text()) ? 1 : null;
  const past = text() === 'past';
  if (step === null && !past) return null;
  const what = text(1);
  if ((step === 0 || step === -1) && DAY_PARTS.has(what)) {
    return dayOrPart(today.day + step, what, at);
  }
  const counted = /^(?:few|several)$/.test(what) ? 5 : countOf(what);
  const many = UNITS.get(text(2));
  if (counted !== null && many !== undefined && (past || step === -1)) {
    return { ...sure(rolling(many, counted, today), at + 3), confident: countOf(what) !== null };
  }
  if (text(2) === 'of') return null;
  const unit = UNITS.get(what);
  if (past && unit !== undefined && !what.endsWith('s'))
    return sure(rolling(unit, 1, today), at + 2);
  if (step === null && !(past && what === 'weekend')) return null;
  return stepped(what, step ?? -1, at + 2, today);
}

/** `last`, `this` or `next` of something that comes again. */
function stepped(what: string, step: number, next: number, today: Today): Period | null {
  if (what === 'hour' && step === -1) return sure(rolling('hour', 1, today), next);
  if (isCalendarUnit(what)) return sure(calendar(UNITS.get(what) as Unit, step, today), next);
  if (what === 'weekend') {
    return sure(days(today.day - weekdayOf(today.day) + 5 + 7 * step, 2), next);
  }
  const weekday = weekdayNamed(what);
  if (weekday !== null) {
    const thisWeek = today.day - weekdayOf(today.day) + weekday;
    if (step === 0) return sure(days(thisWeek, 1), next);
    if (step < 0) return sure(days(thisWeek < today.day ? thisWeek : thisWeek - 7, 1), next);
    // Some mean the one to come, some that of next week.
    const coming = thisWeek > today.day ? thisWeek : thisWeek + 7;
    return { ...sure(days(coming, 1), next), confident: false };
  }
  const named = monthOf(what) ?? seasonMonth(what, today);
  // Cut short, "last mar" is as likely a slip as a month.
  if (named === null || (monthOf(what) !== null && what.length === 3 && what !== 'may'))
    return null;
  const length = monthOf(what) === null ? 3 : 1;
  const confident = length === 1 || today.southern() !== null;
  const { year } = dateOfDay(today.day);
  const candidates = [-2, -1, 0, 1, 2].map((offset) => wholeMonths(year + offset, named, length));
  const span =
    step < 0
      ? candidates.filter((one) => one.until <= today.wall).at(-1)
      : step > 0
        ? candidates.find((one) => one.from > today.wall)
        : (candidates.find((one) => one.from <= today.wall && today.wall < one.until) ??
          candidates.find((one) => dateOfDay(one.from / DAY_MS).year === year));
  return span === undefined ? null : { ...sure(span, next), confident };
}

function isCalendarUnit(word: string): boolean {
  return /^(?:week|month|quarter|year)$/.test(word);
}

/** The week from Monday, month, quarter or year so many after the present one. */
function calendar(unit: Unit, step: number, today: Today): Span {
  const { year, month } = dateOfDay(today.day);
  if (unit === 'week') return days(today.day - weekdayOf(today.day) + 7 * step, 7);
  if (unit === 'month') return wholeMonths(year, month + step, 1);
  if (unit === 'quarter') return wholeMonths(year, month - (month % 3) + 3 * step, 3);
  if (unit === 'year') return wholeMonths(year + step, 0, 12);
  return days(today.day + step, 1);
}

/** Up to and with now. Whole days are counted from the midnight that opens the first. */
function rolling(unit: Unit, count: number, today: Today): Span {
  if (unit === 'minute' || unit === 'hour') {
    const length = count * (unit === 'hour' ? HOUR_MS : MINUTE_MS);
    return { from: today.now - length, until: today.now + 1, exact: true };
  }
  const { year, month, day } = dateOfDay(today.day);
  const from =
    unit === 'day'
      ? today.day - count
      : unit === 'week'
        ? today.day - 7 * count
        : monthsBack(
            year,
            month,
            day,
            count * (unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12),
          );
  return { from: from * DAY_MS, until: (today.day + 1) * DAY_MS };
}

/** The same day so many months earlier, or that month's last. */
function monthsBack(year: number, month: number, day: number, count: number): number {
  return Math.min(dayNumber(year, month - count, day), dayNumber(year, month - count + 1, 0));
}

function dayOrPart(day: number, part: string, at: number): Period {
  const hours = DAY_PARTS.get(part);
  if (hours === undefined) return sure(days(day, 1), at + 1);
  const from = day * DAY_MS;
  return sure({ from: from + hours[0] * HOUR_MS, until: from + hours[1] * HOUR_MS }, at + 2);
}

/** `two weeks ago` is that week, `a month ago` that month; a few is as vague as it sounds. */
function readAgo(words: readonly TimeWord[], at: number, today: Today): Period | null {
  const text = (offset: number) => words[at + offset]?.text ?? '';
  let next = 0;
  let vague = false;
  let count = countOf(text(0));
  if (/^an?$/.test(text(0))) {
    next = 1;
    count = 1;
  }
  if (/^(?:couple|few)$/.test(text(next)) && (next === 1 || text(next) === 'few')) {
    vague = text(next) === 'few';
    count = vague ? 5 : 2;
    next += text(next + 1) === 'of' ? 2 : 1;
  } else if (text(next) === 'several') {
    vague = true;
    count = 5;
    next += 1;
  } else if (next === 0) {
    next = 1;
  }
  const unit = UNITS.get(text(next));
  if (count === null || unit === undefined || text(next + 1) !== 'ago') return null;
  const end = at + next + 2;
  if (vague) return { ...sure(rolling(unit, 2 * count, today), end), confident: false };
  if (unit === 'minute' || unit === 'hour') {
    const length = unit === 'hour' ? HOUR_MS : MINUTE_MS;
    const middle = today.now - count * length;
    return sure(
      { from: middle - length, until: Math.min(middle + length, today.now + 1), exact: true },
      end,
    );
  }
  return sure(calendar(unit, -count, today), end);
}

/** `the first week of May 2023`, `the last weekend of June`, `the week of 7 May`. */
function readPartOf(words: readonly TimeWord[], at: number): Period | null {
  const text = (offset: number) => words[at + offset]?.text ?? '';
  if (text(0) === 'week' && text(1) === 'of') {
    const date = readDate(words, at + 2, { led: true, article: false });
    return date && { ...date, span: mapped(date.span, weekAround) };
  }
  const nth = text(0) === 'last' ? -1 : ordinalOf(text(0));
  if (nth === null || text(1) !== 'week' || text(2) !== 'of') return null;
  const month = readDate(words, at + 3, { led: true, article: false });
  return month && { ...month, span: mapped(month.span, (span) => nthWeek(span, nth)) };
}

function mapped(span: Period['span'], change: (span: Span) => Span): Period['span'] {
  if (typeof span !== 'function') return change(span);
  return (year) => {
    const found = span(year);
    return found && change(found);
  };
}

function weekAround(span: Span): Span {
  const day = Math.floor(span.from / DAY_MS);
  return span.exact ? span : days(day - weekdayOf(day), 7);
}

/** Seven days at a time; the last seven for -1. */
function nthWeek(span: Span, nth: number): Span {
  const first = span.from / DAY_MS;
  const last = span.until / DAY_MS;
  const from = nth === -1 ? last - 7 : first + 7 * (nth - 1);
  return days(Math.max(first, from), 7);
}

/** A weekday, a weekend or a season by its name alone. */
function readNamed(
  words: readonly TimeWord[],
  at: number,
  today: Today,
  led: boolean,
): Period | null {
  const word = words[at];
  const before = words[at - 1]?.text ?? '';
  if (word === undefined || /^(?:every|each|any)$/.test(before)) return null;
  const weekday = weekdayNamed(word.text);
  if (weekday !== null && words[at + 1]?.text !== 'of') {
    const back = (weekdayOf(today.day) - weekday + 7) % 7;
    return { ...sure(days(today.day - back, 1), at + 1), confident: led };
  }
  if (led && word.text === 'weekend') {
    const saturday = today.day - ((weekdayOf(today.day) - 5 + 7) % 7);
    return sure(days(saturday, 2), at + 1);
  }
  const season = seasonMonth(word.text, today);
  if (season === null) return null;
  const after = words[at + 1]?.text === 'of' ? at + 2 : at + 1;
  const year = yearOf(words[after]?.text ?? '');
  const confident = today.southern() !== null && word.text !== 'winter';
  if (year !== null) return { ...sure(wholeMonths(year, season, 3), after + 1), confident };
  if (!led || after === at + 2) return null;
  return {
    span: (inYear) => wholeMonths(inYear, season, 3),
    next: at + 1,
    confident: false,
    describes: false,
  };
}

/** Summer is in January in the south; a zone that shifts its clocks says on which side it is. */
function seasonMonth(word: string, today: Today): number | null {
  const month = seasonStart(word);
  return month === null ? null : today.southern() === true ? (month + 6) % 12 : month;
}
