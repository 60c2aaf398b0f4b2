const PATTERN =
  /^P(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

const UNITS_MS = [WEEK_MS, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS] as const;

/**
 * Milliseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds (contract: `P30D`,
 * `PT2S`). Years and months are refused, because their length depends on a calendar.
 *
 * @throws RangeError for anything else.
 */
export function durationMs(iso: string): number {
  const match = PATTERN.exec(iso);
  const parts = match?.slice(1) ?? [];
  if (!match || parts.every((part) => part === undefined) || iso.endsWith('T')) {
    throw new RangeError(`not an ISO 8601 duration of weeks, days and time: ${iso}`);
  }
  const total = UNITS_MS.reduce((sum, unit, index) => sum + Number(parts[index] ?? 0) * unit, 0);
  return Math.round(total);
}

/** Whether `durationMs` would accept it; for schemas. */
export function isDuration(iso: string): boolean {
  try {
    return Number.isFinite(durationMs(iso));
  } catch {
    return false;
  }
}
