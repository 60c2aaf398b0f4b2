import { DAY_MS, HOUR_MS } from './durations';

/** Epoch milliseconds of an RFC 3339 time. @throws RangeError when it is none. */
export function epochMs(time: string): number {
  const value = Date.parse(time);
  if (Number.isNaN(value)) throw new RangeError(`not a time: ${time}`);
  return value;
}

/**
 * Days of the calendar (UTC) from a time until `now` (epoch milliseconds), never below 0. Counted by
 * midnights and not by 24 hours, so that a recall repeated on the same day gives the same bytes
 * (design §4): by hours each card would grow older at another time of the day.
 */
export function wholeDays(since: string, now: number): number {
  return Math.max(0, Math.floor(now / DAY_MS) - Math.floor(epochMs(since) / DAY_MS));
}

/** Whole hours, for the `episodic` profile, whose decay is by the hour. */
export function wholeHours(since: string, now: number): number {
  return Math.max(0, Math.floor((now - epochMs(since)) / HOUR_MS));
}

/** `today`, `1 day ago`, `14 days ago`. */
export function ageInWords(since: string, now: number): string {
  const days = wholeDays(since, now);
  if (days === 0) return 'today';
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

/** The later of the times given; null ones are passed over. */
export function latestOf(first: string, ...others: (string | null)[]): string {
  return others.reduce<string>(
    (latest, time) => (time !== null && epochMs(time) > epochMs(latest) ? time : latest),
    first,
  );
}
