import { MODES, PARTS, WEEKDAYS } from './catalogue';
import type { Family } from './formats';

/** One thing about a call that its agent chooses. What can be chosen is public; what works is hidden. */
export type Dimension =
  | { kind: 'batch'; param: string }
  | { kind: 'slot'; param: string }
  | { kind: 'mode'; param: string }
  | { kind: 'format'; param: string; family: Family }
  | { kind: 'field'; param: string; values: readonly string[] };

/**
 * A choice: of `batch` the number of pieces as text, of `slot` such as `tuesday morning`, of `format` its
 * name, of `field` a value or `ABSENT`.
 */
export type Choice = string;
export const ABSENT = '';

/** What can be chosen on a weekday (0 is Monday); empty for numbers, of which there are many. */
export function choicesOf(dimension: Dimension, weekday: number): readonly Choice[] {
  switch (dimension.kind) {
    case 'batch':
      return [];
    case 'slot':
      return PARTS.map((part) => slotOf(weekday, part));
    case 'mode':
      return MODES;
    case 'format':
      return dimension.family.formats.map(({ name }) => name);
    case 'field':
      return [ABSENT, ...dimension.values];
    default:
      return dimension satisfies never;
  }
}

export function slotOf(weekday: number, part: string): Choice {
  return `${WEEKDAYS[weekday] ?? 'monday'} ${part}`;
}

/** The input that a choice becomes; null where the field is left out. `datum` is what a format writes. */
export function sentAs(
  dimension: Dimension,
  choice: Choice,
  datum: number,
): string | number | null {
  switch (dimension.kind) {
    case 'batch':
      return Number(choice);
    case 'format':
      return (
        dimension.family.formats.find(({ name }) => name === choice)?.write(datum) ?? String(datum)
      );
    case 'field':
      return choice === ABSENT ? null : choice;
    case 'slot':
    case 'mode':
      return choice;
    default:
      return dimension satisfies never;
  }
}
