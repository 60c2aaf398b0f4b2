import { type Failure, failuresOf } from '../consolidation/failure-lesson';
import { contrastOf } from '../consolidation/input-contrast';
import { fieldName } from '../distill/changed-fields';
import { clip, finish } from '../distill/plain-text';
import { type FactCandidate, MOST_SOURCES } from './candidate';
import {
  byTime,
  callOf,
  eventsOf,
  groupedBy,
  type ReflectionCard,
  type ReflectionEdge,
} from './card';
import { factOf, headOf, LEAST, tells } from './fact';
import { warningsByLimit } from './limits';
import { remedyFact } from './remedies';

const CLAUSE_LIMIT = 200;
/** Of what failed and of what worked, so that both are among the sources. */
const MOST_OF_A_SIDE = MOST_SOURCES / 2;
/** Of each side, where nothing but the inputs tells what it was. */
const LEAST_UNNAMED = 3;
/** What `contrastOf` puts around names and values. */
const CONTRAST_WORDS = /\b(?:without|with|failed|worked|more|less|given|it|or)\b/g;

/**
 * What cards of one call agree on, at least two of different events: a failure that one and the same change resolved;
 * a value that every success has and every failure lacks; a limit that several warnings name. Each is one sentence
 * that says what to do or to expect.
 *
 * @param cards of one member and one set of readers
 */
export function factsOf(
  cards: readonly ReflectionCard[],
  edges: readonly ReflectionEdge[],
): FactCandidate[] {
  const calls = groupedBy([...cards].sort(byTime), callOf);
  return [...calls].flatMap(([call, all]) => {
    const told = failuresOf(call, all).map((failure) => ({
      failure,
      fact: remedyFact(failure, edges) ?? contrastFact(failure),
    }));
    const rest = told.flatMap(({ failure, fact }) => (fact === null ? failure.failed : []));
    return [
      ...told.flatMap(({ fact }) => fact ?? []),
      ...limitFacts(call, rest as ReflectionCard[]),
    ];
  });
}

function contrastFact(failure: Failure): FactCandidate | null {
  const [failed, worked] = [failure.failed, failure.worked] as ReflectionCard[][];
  if (failed === undefined || worked === undefined) return null;
  if (eventsOf(failed) < LEAST || eventsOf(worked) < LEAST) return null;
  const clause = contrastOf(failed, worked, failure.told.reason).find((one) =>
    speaksFor(one, failure),
  );
  if (clause === undefined) return null;
  const counts = `${failed.length} failed and ${worked.length} worked`;
  const text = finish(`${headOf(failure)}: ${clip(clause, CLAUSE_LIMIT)} (${counts})`);
  const mark = clause.replace(/\d[\d.,]*/g, '#');
  const sides = [...failed.slice(-MOST_OF_A_SIDE), ...worked.slice(-MOST_OF_A_SIDE)];
  return factOf(failure, text, `contrast|${mark}`, sides);
}

/**
 * Inputs of few calls differ in something by chance. One that the error names is meant; where it names none of them,
 * only many calls can tell.
 */
function speaksFor(clause: string, failure: Failure): boolean {
  const [failed, worked] = [failure.failed, failure.worked] as ReflectionCard[][];
  const why = failure.told.reason;
  if (tells(why, clause.replace(CONTRAST_WORDS, ' '))) return true;
  const names = (failed ?? []).flatMap(({ input_fields }) =>
    Object.keys(input_fields).map(fieldName),
  );
  if (names.some((name) => tells(why, name))) return false;
  return eventsOf(failed ?? []) >= LEAST_UNNAMED && eventsOf(worked ?? []) >= LEAST_UNNAMED;
}

/** Of failures that nothing else tells of. */
function limitFacts(call: string, warnings: readonly ReflectionCard[]): FactCandidate[] {
  return [...warningsByLimit(warnings).values()]
    .filter(({ cards: naming }) => eventsOf(naming) >= LEAST)
    .map(({ limit, cards: naming }) => {
      const text = finish(
        `${call} takes ${limit.text}: ${naming.length} of ${warnings.length} failed calls were told so`,
      );
      const [failure] = failuresOf(call, naming);
      const marked = { label: call, told: { mark: '' }, failed: failure?.failed ?? naming };
      return factOf(marked, text, `limit|${limit.mark}`, naming);
    });
}
