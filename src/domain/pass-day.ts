import type { ScheduledPass } from '../contracts/passes';
import { wallOf } from './zone-time';

/**
 * The day that a pass is of: that of the moment for which it was planned or asked, by the clocks of the
 * workspace's zone, however late it begins. Of a monthly pass the month.
 *
 * @param at the moment it was planned for or asked at
 * @param zone IANA
 * @returns `2026-11-30`, or `2026-11` of a recalibration
 */
export function logicalDay(type: ScheduledPass, at: Date, zone: string): string {
  const day = new Date(wallOf(at.getTime(), zone)).toISOString();
  return day.slice(0, type === 'recalibration' ? 7 : 10);
}
