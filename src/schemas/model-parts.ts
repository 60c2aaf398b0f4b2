import { z } from 'zod';
import { looksLikeInstruction } from '../domain/distill/instruction-like';
import { clip } from '../domain/distill/plain-text';
import { fitting, isDump, plainWords } from './model-words';

/** Nobody asked for more; what a model says beyond is not read. */
const MOST_ITEMS_READ = 200;
const BULLET = /^(?:[-*•–]|\d{1,2}[.)])\s+/;

/**
 * Plain words of a model on one line: trimmed, clean, without mark-up or the mark of a list, and clipped.
 * What is shorter than `least` characters, is a record, or speaks to its reader as a planted instruction
 * does is refused.
 */
export function wordsOf(least: number, most: number) {
  return z
    .string('must be a string')
    .transform((text) => plainWords(text).replace(BULLET, ''))
    .refine((text) => text.length >= least, `must have at least ${least} characters`)
    .refine((text) => !isDump(text), 'must be plain words, not JSON or a record')
    .refine(
      (text) => !looksLikeInstruction(text, 'told'),
      'must not address its reader as an instruction',
    )
    .transform((text) => clip(text, most));
}

/**
 * The items that fit, at most so many; what does not fit is left out.
 * @param none what becomes of a list of which no item fits; an empty one is always taken
 */
export function itemsOf<T>(
  item: z.ZodType<T>,
  most: number,
  none: 'refused' | 'taken' = 'refused',
) {
  return z.array(z.unknown(), 'must be an array').transform((items, context) => {
    const fits = items.slice(0, MOST_ITEMS_READ).map((value) => fitting(item, value));
    const kept = fits.flatMap((fit) => ('value' in fit ? [fit.value] : []));
    const [first] = fits;
    if (none === 'refused' && kept.length === 0 && first !== undefined && 'problem' in first) {
      context.addIssue({ code: 'custom', message: `has no item that fits: ${first.problem}` });
    }
    return kept.slice(0, most);
  });
}

/** What a skill can do without: what does not fit is left out, be it all of it. */
export function optionalItemsOf<T>(item: z.ZodType<T>, most: number) {
  return itemsOf(item, most).catch([]);
}

/** A number, or its digits in quotes. */
export function numberFrom(least: number, most: number) {
  const rule = `must be a number from ${least} to ${most}`;
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,3}(?:\.\d{1,6})?$/)
          .transform(Number),
      ],
      rule,
    )
    .refine((value) => value >= least && value <= most, rule);
}

/** One of the numbers that the question gave its items, or null. */
export function numberAmong(numbers: ReadonlySet<number>) {
  return z
    .unknown()
    .transform((value) => (typeof value === 'string' && value !== '' ? Number(value) : value))
    .transform((value) => (typeof value === 'number' && numbers.has(value) ? value : null));
}

/** Those of the numbers that the question gave its items, each once and in order. */
export function sourcesAmong(numbers: ReadonlySet<number>, least: number) {
  return z
    .array(numberAmong(numbers), 'must be an array of numbers')
    .transform((found) =>
      [...new Set(found.filter((value) => value !== null))].sort((a, b) => a - b),
    )
    .refine((found) => found.length >= least, `must name ${least} or more of the numbers given`);
}
