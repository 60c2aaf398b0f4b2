import type { Disposition } from '../../../../src/contracts/names';
import type { DispositionCounts } from '../../../../src/contracts/overview';

/** What became of captures: from the bottom of a bar to its top, what was kept first. */
export const DISPOSITION_COLORS: Record<Disposition, string> = {
  carded: 'lichen.5',
  quarantined: 'orange.6',
  pending: 'blue.5',
  duplicate_content: 'grape.4',
  transient: 'gray.5',
  sensitive: 'pink.5',
  mode_off: 'gray.6',
  mode_manual: 'gray.7',
  erased: 'dark.2',
  failed: 'red.7',
};

const ORDER = Object.keys(DISPOSITION_COLORS) as Disposition[];

export function inWords(disposition: Disposition): string {
  return disposition.replaceAll('_', ' ');
}

/** Those that happened. */
export function dispositionsIn(totals: DispositionCounts): Disposition[] {
  return ORDER.filter((name) => (totals[name] ?? 0) > 0);
}

export function sumOf(counts: DispositionCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + (count ?? 0), 0);
}

/** What a bucket of a series is called: a day of the workspace's zone, or an hour of the viewer's. */
export function bucketName(bucket: 'PT1H' | 'P1D', timezone: string): (at: string) => string {
  const format =
    bucket === 'PT1H'
      ? new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' })
      : new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: timezone });
  return (at) => format.format(new Date(at));
}

/** `3.6 %`; what is there and rounds to nothing is said so. */
export function percent(share: number): string {
  if (share === 0) return '0 %';
  if (share < 0.001) return 'under 0.1 %';
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

export const DAYS = ['1', '7', '14', '30', '90'] as const;
export const USUAL_DAYS = '7';

/** An address with another word shows what one without any does. */
export function daysOf(text: string | undefined): (typeof DAYS)[number] {
  return DAYS.find((days) => days === text) ?? USUAL_DAYS;
}

/** One day is counted by the hour, back from now; more are days of the calendar, today included. */
export function spanInWords(days: string): string {
  return days === '1' ? 'in 24 hours' : `in ${days} days`;
}
