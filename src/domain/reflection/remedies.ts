import type { ErrorFamily } from '../../contracts/names';
import type { Failure } from '../consolidation/failure-lesson';
import { type ChangedField, changedClause, fieldName } from '../distill/changed-fields';
import { finish, isPlural, nameList } from '../distill/plain-text';
import { inputChanges } from '../input-changes';
import type { FactCandidate } from './candidate';
import { eventsOf, type ReflectionCard, type ReflectionEdge } from './card';
import { CLAUSE, factOf, headOf, LEAST, tells } from './fact';

const WORDS_FIELD = 'word';
/** What a service gets over by itself. */
const PASSING: ReadonlySet<ErrorFamily> = new Set([
  'rate_limit',
  'timeout',
  'unavailable',
  'conflict',
]);

/** A failure, the success that answered it, and what was different then. */
interface Remedy {
  warning: ReflectionCard;
  success: ReflectionCard;
  changes: ChangedField[];
}

/**
 * What helped with one failure: one and the same change of the inputs, or with a service that gets over it by itself
 * nothing but time. At least two different events have to show it.
 */
export function remedyFact(
  failure: Failure,
  edges: readonly ReflectionEdge[],
): FactCandidate | null {
  const failed = failure.failed as ReflectionCard[];
  const remedies = failed.flatMap((warning) => remedyOf(warning, failure, edges));
  const fields = agreedFields(remedies);
  const agreeing = remedies.filter(({ changes }) =>
    fields.length === 0
      ? changes.length === 0
      : fields.every((name) => changes.some(({ field }) => fieldName(field) === name)),
  );
  if (eventsOf(agreeing.map(({ warning }) => warning)) < LEAST) return null;
  if (fields.length === 0 && !passesBy(failure)) return null;
  const text = `${headOf(failure)}; ${agreeing.length} of ${failed.length} such failures worked ${whatHelped(fields, agreeing)}`;
  const sources = agreeing.flatMap(({ warning, success }) => [warning, success]);
  const share = agreeing.length / remedies.length;
  return factOf(failure, finish(text), `remedy|${fields.join(' ')}`, sources, share);
}

/**
 * What changed in most of them, at least in two: of such fields those that the error names, by their name or by what
 * was given, where it names one.
 */
function agreedFields(remedies: readonly Remedy[]): string[] {
  const counts = new Map<string, number>();
  for (const name of remedies.flatMap(({ changes }) => namesOf(changes))) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  if (most < LEAST) return [];
  const agreed = [...counts].flatMap(([name, count]) => (count === most ? [name] : [])).sort();
  const named = agreed.filter((name) =>
    remedies.some(({ warning, changes }) => {
      const given = changes.flatMap(({ field, before }) =>
        fieldName(field) === name ? [before] : [],
      );
      return tells(warning.summary, [name, ...given].join(' '));
    }),
  );
  return named.length === 0 ? agreed : named;
}

/** `once payment amount was changed (payment amount 304 → 608): check it before calling`. */
function whatHelped(fields: readonly string[], agreeing: readonly Remedy[]): string {
  if (fields.length === 0) return 'later with the same inputs: try again after a while';
  const of = (changes: readonly ChangedField[]) =>
    changes.filter(({ field }) => fields.includes(fieldName(field)));
  const changes = agreeing.flatMap((remedy) => of(remedy.changes));
  const done = changes.every(({ before }) => before === '')
    ? 'given'
    : changes.every(({ after }) => after === '')
      ? 'left out'
      : 'changed';
  const one = fields.length === 1 && !isPlural(fields[0] ?? '');
  const clause = changedClause(of(agreeing.at(-1)?.changes ?? []));
  const example = clause === null || clause.length > CLAUSE ? '' : ` (${clause})`;
  return `once ${nameList(fields)} ${one ? 'was' : 'were'} ${done}${example}: check ${one ? 'it' : 'them'} before calling`;
}

function passesBy({ failed }: Failure): boolean {
  return failed.some(({ hints }) => hints.error_family !== null && PASSING.has(hints.error_family));
}

/** Only where its success was read too: the reason of an edge tells what both of its ends were given. */
function remedyOf(
  warning: ReflectionCard,
  failure: Failure,
  edges: readonly ReflectionEdge[],
): Remedy[] {
  const answers = new Set(
    edges.flatMap(({ type, from, to }) =>
      type === 'satisfies' && to === warning.id ? [from] : [],
    ),
  );
  const [success] = (failure.worked as ReflectionCard[]).filter(({ id }) => answers.has(id));
  if (success === undefined) return [];
  const changes = inputChanges(warning.input_fields, success.input_fields);
  return [{ warning, success, changes: changes.filter(({ field }) => field !== WORDS_FIELD) }];
}

function namesOf(changes: readonly ChangedField[]): string[] {
  return [...new Set(changes.map(({ field }) => fieldName(field)))];
}
