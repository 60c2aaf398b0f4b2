import { MODES, PARTS, WEEKDAYS } from '../catalogue';
import { ABSENT, type Choice, type Dimension, slotOf } from '../dimensions';

const DAY = `(?:${WEEKDAYS.join('|')})`;
const PART = `(?:${PARTS.join('|')})`;
/** What may stand between the name of an input and its value, in prose and in JSON alike. */
const GAP = `["'\`]?\\s*(?::|=|≤|<=|is|was|of|to|as)?\\s*["'“\`]?`;

/** `batch_size` as text writes it: with an underscore, a space, a hyphen, or plural. */
export function named(param: string): string {
  return `(?<![\\w])${param.replace(/_/g, '[_ -]?')}s?(?![\\w])`;
}

/** The choices of a dimension that stand in a text as values, whatever is said of them. */
export function valuesIn(dimension: Dimension, text: string): Choice[] {
  switch (dimension.kind) {
    case 'batch':
      return unique([
        ...all(new RegExp(`${named(dimension.param)}${GAP}(\\d+)`, 'gi'), text),
        ...all(/\bbatch(?:es)? (?:of|above|over|below) (\d+)/gi, text),
      ]);
    case 'slot':
      return slotsIn(text);
    case 'mode': {
      // A card may name the mode without saying that it is one.
      const bare = new RegExp(`(?<![\\w-])(${MODES.join('|')})(?![\\w-])`, 'gi');
      return unique(all(bare, text).map((mode) => mode.toLowerCase()));
    }
    case 'format': {
      const param = new RegExp(`${named(dimension.param)}${GAP}([^\\s"'”\`,;)}]+)`, 'gi');
      const found = all(param, text).map((value) => value.replace(/[.:]$/, ''));
      const dates = dimension.param === 'due_date' ? all(DATES, text) : [];
      return unique(
        [...found, ...dates].flatMap((value) =>
          dimension.family.formats.filter(({ looks }) => looks.test(value)).map(({ name }) => name),
        ),
      );
    }
    case 'field': {
      const values = dimension.values.join('|');
      const given = new RegExp(`${named(dimension.param)}${GAP}(${values})(?![\\w-])`, 'gi');
      const none = new RegExp(`\\b(?:no|without)(?: an?| any)? ${named(dimension.param)}`, 'i');
      return unique([
        ...all(given, text).map((value) => value.toLowerCase()),
        ...(none.test(text) ? [ABSENT] : []),
      ]);
    }
    default:
      return dimension satisfies never;
  }
}

/** A day that is said to be due; other days are ages and times of calls. */
const DATES =
  /\bdue (?:on |by )?(\d{4}-\d{2}-\d{2}|\d{2}\.\d{2}\.\d{4}|\d{2}\/\d{2}\/\d{4})(?![\w/:-])/gi;

/** `tuesday morning`, `monday to thursday, morning`, `mornings from monday to thursday`. */
function slotsIn(text: string): Choice[] {
  const out: Choice[] = [];
  const spans = new RegExp(
    `(${DAY})s? ?(?:to|through|until|till|-|–) ?(${DAY})s?,? (?:in the )?(${PART})s?|` +
      `(${PART})s?,? (?:from )?(${DAY})s? ?(?:to|through|until|till|-|–) ?(${DAY})`,
    'gi',
  );
  const rest = text.replace(spans, (_all, a, b, part, part2, a2, b2) => {
    const from = dayIndex(a ?? a2);
    const to = dayIndex(b ?? b2);
    for (let day = from; day <= to; day += 1) out.push(slotOf(day, lower(part ?? part2)));
    return ' ';
  });
  for (const found of rest.matchAll(new RegExp(`(${DAY})s?,? (${PART})s?`, 'gi'))) {
    out.push(slotOf(dayIndex(found[1]), lower(found[2])));
  }
  return unique(out);
}

function dayIndex(day: string | undefined): number {
  return (WEEKDAYS as readonly string[]).indexOf(lower(day));
}

function lower(text: string | undefined): string {
  return (text ?? '').toLowerCase();
}

function all(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].map((found) => found[1] ?? '');
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)];
}
