import { z } from 'zod';

/**
 * A whole number in a query. Digits only: an empty value, a blank, `0x10` or `1e2` is no number that
 * anybody meant.
 *
 * @example limit: wholeNumber(1, 500).default(50)
 */
export function wholeNumber(least: number, most: number) {
  const rule = `must be a whole number from ${least} to ${most}`;
  return z
    .string(rule)
    .regex(/^\d{1,9}$/, rule)
    .transform(Number)
    .pipe(z.int().min(least, rule).max(most, rule))
    .meta({ type: 'integer', minimum: least, maximum: most, pattern: undefined });
}
