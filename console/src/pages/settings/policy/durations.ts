/** Durations of ISO 8601 as a person says them; those of one unit can be set by number and unit. */

export const UNITS = ['minutes', 'hours', 'days', 'weeks'] as const;
export type Unit = (typeof UNITS)[number];

const SIMPLE = /^P(?:(?:(\d+)W)|(?:(\d+)D)|(?:T(?:(\d+)H|(\d+)M)))$/;
const PARTS = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** @returns null for what has several parts */
export function simple(iso: string): { amount: number; unit: Unit } | null {
  const [, weeks, days, hours, minutes] = SIMPLE.exec(iso) ?? [];
  if (weeks !== undefined) return { amount: Number(weeks), unit: 'weeks' };
  if (days !== undefined) return { amount: Number(days), unit: 'days' };
  if (hours !== undefined) return { amount: Number(hours), unit: 'hours' };
  if (minutes !== undefined) return { amount: Number(minutes), unit: 'minutes' };
  return null;
}

export function isoOf(amount: number, unit: Unit): string {
  const letter = { minutes: 'M', hours: 'H', days: 'D', weeks: 'W' }[unit];
  return `P${unit === 'minutes' || unit === 'hours' ? 'T' : ''}${amount}${letter}`;
}

export function durationInWords(iso: string): string {
  const parts = PARTS.exec(iso);
  if (parts === null) return iso;
  const names = ['week', 'day', 'hour', 'minute', 'second'];
  const told = names.flatMap((name, at) => {
    const amount = Number(parts[at + 1] ?? 0);
    return amount === 0 ? [] : [`${amount.toLocaleString()} ${name}${amount === 1 ? '' : 's'}`];
  });
  return told.length === 0 ? 'no time' : told.join(' ');
}
