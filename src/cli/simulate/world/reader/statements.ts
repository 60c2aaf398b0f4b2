import type { Json, JsonObject } from '../../../../contracts/event';
import { ABSENT, type Dimension } from '../dimensions';
import { tried, withoutAsides } from './asides';
import { demandsIn } from './demands';
import type { Fact } from './facts';
import { recordOf, spoken } from './records';
import { segmentsAbout } from './segments';
import { named, valuesIn } from './values';

/** Everything that a text says about an operation whose inputs are `dimensions`. */
export function factsIn(text: string, operation: string, dimensions: readonly Dimension[]): Fact[] {
  return segmentsAbout(text, operation).flatMap((segment) => {
    const record = segment.form === 'json' ? recordOf(segment.text) : null;
    return record === null ? fromProse(segment.text, dimensions) : fromRecord(record, dimensions);
  });
}

/** What a call of one's own has just shown. */
export function factsOfFailure(
  input: JsonObject,
  error: Json,
  dimensions: readonly Dimension[],
): Fact[] {
  return failed(JSON.stringify(input), spoken(error), dimensions);
}

function fromRecord(record: JsonObject, dimensions: readonly Dimension[]): Fact[] {
  const call = JSON.stringify(record.input ?? record.arguments ?? record);
  const error = record.error;
  if (error !== undefined && error !== null) return failed(call, spoken(error), dimensions);
  return record.outcome === 'worked' || record.output !== undefined ? worked(call, dimensions) : [];
}

const FAILED = /\b(?:fail(?:s|ed|ing|ure)?|error|blocked|refused|rejected)\b|⚠/i;
const WORKED = /\b(?:works?|worked|succeed(?:s|ed)|successful(?:ly)?|went through)\b|✅/i;

function fromProse(whole: string, dimensions: readonly Dimension[]): Fact[] {
  return whole.split(/;\s+/).flatMap((part) => fromPart(part, dimensions));
}

function fromPart(whole: string, dimensions: readonly Dimension[]): Fact[] {
  const { text, facts } = withoutAsides(whole, dimensions);
  const words = text.replace(/"outcome"/g, ' ');
  const isFailure = FAILED.test(words);
  if (isFailure && WORKED.test(words)) {
    // Clauses that come together as the whole again say no more apart: it is read as a failure.
    const clauses = withVerdicts(
      words.split(/(?<=[.;!?])\s+|,? (?:but|while|whereas|and then|then)\b|, /),
    );
    if (clauses.length > 1) {
      return [...facts, ...clauses.flatMap((one) => fromPart(one, dimensions))];
    }
  }
  if (isFailure) {
    const [call, reason] = halves(words);
    const told =
      reason === null ? failedSomehow(call, dimensions) : failed(call, reason, dimensions);
    return [...facts, ...told];
  }
  return [
    ...facts,
    ...(WORKED.test(words) ? worked(words, dimensions) : demands(words, dimensions)),
  ];
}

/** What was done is said before what came of it: a clause without a verdict belongs to the next one. */
function withVerdicts(clauses: readonly string[]): string[] {
  const out: string[] = [];
  let open = '';
  for (const clause of clauses) {
    open = open === '' ? clause : `${open}, ${clause}`;
    if (!FAILED.test(clause) && !WORKED.test(clause)) continue;
    out.push(open);
    open = '';
  }
  return open === '' ? out : [...out, open];
}

const REASON_FOLLOWS =
  /\b(?:failed|fails?|error|blocked|refused|rejected)\b["'»]*\s*(?:with|because|since|as|[^.:;"]{0,40}:)|["']error["']\s*:/i;

/** The call, and why it failed (null where no reason is given): `Called … with …. It failed: the limit is 100.` */
function halves(text: string): [string, string | null] {
  const at = REASON_FOLLOWS.exec(text);
  if (at === null) return [text, null];
  return [text.slice(0, at.index), text.slice(at.index + at[0].length)];
}

/** A failure without a reason, of which one input alone is told, is laid to that input. */
function failedSomehow(text: string, dimensions: readonly Dimension[]): Fact[] {
  const facts = failed(text, text, dimensions);
  if (facts.length > 0) return facts;
  const found = tried(text, 'out', dimensions);
  return found.length === 1 ? found : [];
}

function failed(call: string, reason: string, dimensions: readonly Dimension[]): Fact[] {
  const stated = demands(reason, dimensions);
  const blamed = dimensions.filter((dimension) => isBlamed(dimension, reason, stated));
  const tried = blamed.flatMap((dimension) => {
    const values = valuesIn(dimension, call);
    const missing = dimension.kind === 'field' && values.length === 0;
    const choices = missing ? [ABSENT] : values;
    return choices.length === 0 ? [] : [{ param: dimension.param, says: 'out', choices } as const];
  });
  return [...stated, ...tried];
}

/** Which input a failure is laid to: the one that its reason speaks of. A passing fault blames none. */
function isBlamed(dimension: Dimension, reason: string, stated: readonly Fact[]): boolean {
  switch (dimension.kind) {
    case 'batch':
      return (
        /\b429\b|rate.?limit|too many|too (?:large|big)|\blimit\b/i.test(reason) ||
        stated.some(({ param }) => param === dimension.param)
      );
    case 'slot':
      return /maintenance|\b503\b|service unavailable/i.test(reason);
    case 'mode':
      return /\b403\b|forbidden/i.test(reason);
    case 'format':
    case 'field':
      return new RegExp(named(dimension.param), 'i').test(reason);
    default:
      return dimension satisfies never;
  }
}

function worked(call: string, dimensions: readonly Dimension[]): Fact[] {
  return dimensions.flatMap((dimension) => {
    const choices = valuesIn(dimension, call).filter((choice) => choice !== ABSENT);
    return choices.length === 0 ? [] : [{ param: dimension.param, says: 'works', choices }];
  });
}

function demands(text: string, dimensions: readonly Dimension[]): Fact[] {
  return dimensions.flatMap((dimension) => demandsIn(dimension, text));
}
