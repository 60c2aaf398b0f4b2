import { DAY_MS } from './durations';

/**
 * Local time of an IANA zone. "Wall" time is what a clock there shows, written as the epoch
 * milliseconds that UTC would have at that reading; it is only ever compared and turned back here.
 */
const formats = new Map<string, Intl.DateTimeFormat>();

/** More than the zones that exist; the names come from policies, whose spelling may vary. */
const MOST_FORMATS = 1_000;

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(zone, format);
  return format;
}

/**
 * Milliseconds by which the zone's clocks are ahead of UTC at an instant.
 *
 * @throws RangeError when the zone is unknown or the instant is none.
 */
export function zoneOffset(instant: number, zone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const seconds = Math.floor(instant / 1_000) * 1_000;
  return Date.UTC(year, month - 1, day, hour, minute, second) - seconds;
}

export function wallOf(instant: number, zone: string): number {
  return instant + zoneOffset(instant, zone);
}

/**
 * The first instant at which the zone's clocks show this reading or, where they skip it, go past it.
 * So the start of a day exists where midnight does not, and days neither overlap nor leave a gap.
 */
export function instantOf(wall: number, zone: string): number {
  // No zone is a day ahead or behind, so the two offsets hold on either side of a change, if any.
  const before = zoneOffset(wall - DAY_MS, zone);
  const after = zoneOffset(wall + DAY_MS, zone);
  const shown = [wall - before, wall - after].filter((at) => wallOf(at, zone) === wall);
  if (shown.length > 0) return Math.min(...shown);
  let low = wall - Math.max(before, after);
  let high = wall - Math.min(before, after);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (wallOf(middle, zone) > wall) high = middle;
    else low = middle;
  }
  return high;
}

/** Days since 1 January 1970; months from 0, and beyond 11 in the years after. */
export function dayNumber(year: number, month: number, day: number): number {
  return Date.UTC(year, month, day) / DAY_MS;
}

export function dateOfDay(day: number): { year: number; month: number; day: number } {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}

/** 0 is Monday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}
