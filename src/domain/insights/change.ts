/** A change beyond this many times what there was says no more than this. */
export const MOST_CHANGE = 1_000_000;

/**
 * Change relative to where it stood: 80 → 60 is −0.25, −100 → −50 is 0.5. Null where it stood at 0, or a number is none.
 * Within ±{@link MOST_CHANGE}.
 */
export function relativeChange(from: number, to: number): number | null {
  if (from === 0 || !Number.isFinite(from) || !Number.isFinite(to)) return null;
  // Divided first: the difference of two large numbers may be none.
  const change = to / Math.abs(from) - Math.sign(from);
  return Math.min(MOST_CHANGE, Math.max(-MOST_CHANGE, change)) + 0;
}

/** `12 % less`, `3.5 % more`; whole percents from 10 on. */
export function changeInWords(change: number): string {
  const percent = Math.abs(change) * 100;
  const shown = percent >= 10 ? percent.toFixed(0) : percent.toFixed(1).replace(/\.0$/, '');
  if (shown === '0') return 'no change of';
  return `${shown} % ${change < 0 ? 'less' : 'more'}`;
}
