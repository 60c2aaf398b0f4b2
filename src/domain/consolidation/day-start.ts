import { instantOf } from '../zone-time';

/**
 * When a day begins by the clocks of a zone: what was recorded before belongs to the pass of that day.
 *
 * @param day `2026-11-30`
 * @param zone IANA
 */
export function dayStart(day: string, zone: string): Date {
  return new Date(instantOf(Date.parse(`${day}T00:00:00Z`), zone));
}
