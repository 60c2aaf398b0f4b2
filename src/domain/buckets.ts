import { DAY_MS, HOUR_MS } from './durations';
import { instantOf, wallOf } from './zone-time';

/** More days than this are counted by the day. */
const DAYS_BY_THE_HOUR = 2;

export interface Buckets {
  step: 'PT1H' | 'P1D';
  /** When each begins, in epoch milliseconds, rising; the last one holds `now`. */
  starts: number[];
}

/**
 * The last days in equal parts: hours of UTC, or days as the clocks of the zone have them, so that one may have 23
 * hours. Today is one of the days.
 *
 * @param now epoch milliseconds
 * @param days 1 or more
 * @param zone IANA
 */
export function bucketsOf(now: number, days: number, zone: string): Buckets {
  if (days <= DAYS_BY_THE_HOUR) {
    const last = Math.floor(now / HOUR_MS);
    return { step: 'PT1H', starts: lastOf(24 * days, last).map((hour) => hour * HOUR_MS) };
  }
  const today = Math.floor(wallOf(now, zone) / DAY_MS);
  return { step: 'P1D', starts: lastOf(days, today).map((day) => instantOf(day * DAY_MS, zone)) };
}

function lastOf(n: number, last: number): number[] {
  return Array.from({ length: n }, (_, at) => last - n + 1 + at);
}
