import type { SkillDocument, SkillFailureHandling, TraceStep } from '../../contracts/skill';
import { typicalInputs } from '../consolidation/input-contrast';
import { toldOf } from '../consolidation/told-failure';
import { changedClause } from '../distill/changed-fields';
import { clip, finish, nameList, upperFirst } from '../distill/plain-text';
import { inputChanges } from '../input-changes';
import { MOST_SOURCES, type SkillCandidate } from './candidate';
import { byTime, callOf, groupedBy, type ReflectionCard, weigh } from './card';

/** A task of fewer steps is no procedure, one of more is several. */
const STEPS = { least: 3, most: 12 };
const LEAST_TASKS = 2;
const TOLD_TASKS = 3;
const FAILURES = 6;
const NAME_LENGTH = 64;
/** A procedure that another task has borne out is as sure as its cards, one more task makes it surer. */
const SHARE_OF_TWO = 0.9;

/** A task that ended well, as the calls of its cards. */
interface Done {
  cards: ReflectionCard[];
  /** What worked, in order; a call that was made again at once is one step. */
  steps: { call: string; card: ReflectionCard }[];
  failures: ReflectionCard[];
}

/**
 * Sequences of calls that worked in at least two tasks, with what failed on the way and what helped then.
 *
 * @param cards of one member and one set of readers
 */
export function skillsOf(cards: readonly ReflectionCard[]): SkillCandidate[] {
  const tasks = groupedBy([...cards].sort(byTime), (card) => card.task ?? card.session);
  const done = [...tasks.values()].map(doneOf).filter((task) => task !== null);
  const alike = groupedBy(done, ({ steps }) => steps.map(({ call }) => call).join(' > '));
  return [...alike]
    .filter(([, same]) => same.length >= LEAST_TASKS)
    .map(([sequence, same]) => skillOf(sequence, same));
}

function doneOf(cards: ReflectionCard[]): Done | null {
  const calls = cards.filter((card) => callOf(card) !== null && card.kind !== 'delegation');
  const worked = calls.filter(({ sign }) => sign === 'worked');
  const steps = worked
    .map((card) => ({ call: callOf(card) ?? '', card }))
    .filter(({ call }, at, all) => call !== all[at - 1]?.call);
  const different = new Set(steps.map(({ call }) => call)).size;
  const endedWell = cards.at(-1)?.sign !== 'failed';
  if (!endedWell || different < STEPS.least || steps.length > STEPS.most) return null;
  return { cards, steps, failures: calls.filter(({ sign }) => sign === 'failed') };
}

function skillOf(sequence: string, same: readonly Done[]): SkillCandidate {
  const told = same.slice(-TOLD_TASKS);
  const document = documentOf(told);
  const sources = told
    .flatMap(({ steps, failures }) => [...steps.map(({ card }) => card), ...failures])
    .sort(byTime)
    .slice(-MOST_SOURCES);
  const share = same.length > LEAST_TASKS ? 1 : SHARE_OF_TWO;
  return {
    type: 'skill',
    name: nameOf(told),
    text: document.purpose,
    document,
    matter: `steps|${sequence}`,
    sources: sources.map(({ id }) => id),
    cases: told.map(caseOf),
    ...weigh(sources, share),
  };
}

function documentOf(tasks: readonly Done[]): SkillDocument {
  const [last] = tasks.slice(-1);
  const steps = (last?.steps ?? []).map(({ card, call }, at) => {
    const inputs = typicalInputs(
      tasks.flatMap((task) => task.steps[at]?.card ?? []),
      'mostly with',
    );
    const { service, operation } = card.hints;
    return {
      text: finish(`Call ${call}${inputs === '' ? '' : `, ${inputs}`}`),
      ...(service === null ? {} : { service }),
      ...(operation === null ? {} : { operation }),
    };
  });
  const calls = [...new Set((last?.steps ?? []).map(({ call }) => call))];
  const failures = tasks.flatMap((task) => task.failures.map((card) => ({ card, task })));
  const handling = [
    ...groupedBy(failures, ({ card }) => `${callOf(card)} ${toldOf(card).mark}`).values(),
  ]
    .flatMap((alike) => alike.slice(-1))
    .slice(0, FAILURES)
    .map(({ card, task }) => handlingOf(card, task));
  const kind = taskTypeOf(tasks);
  return {
    purpose: finish(
      `${kind === null ? 'Call' : `${upperFirst(kind.replaceAll(/[_-]+/g, ' '))}: call`} ${nameList(calls, calls.length, 4)} in this order; so it worked in ${tasks.length} tasks`,
    ),
    preconditions: [],
    steps,
    failure_handling: handling,
    causes: [...new Set(failures.map(({ card }) => toldOf(card).reason))]
      .filter((reason) => reason !== '')
      .slice(0, FAILURES)
      .map((reason) => finish(upperFirst(reason))),
  };
}

function handlingOf(card: ReflectionCard, task: Done): SkillFailureHandling {
  const { reason, advice } = toldOf(card);
  const later = task.steps.find(
    (step) => step.call === callOf(card) && byTime(card, step.card) < 0,
  )?.card;
  const change =
    later === undefined ? null : changedClause(inputChanges(card.input_fields, later.input_fields));
  const then = change === null ? advice : `Change the input: it worked with ${change}`;
  const { error_family: family, error_signature: signature } = card.hints;
  return {
    when: finish(`${callOf(card)} fails${reason === '' ? '' : `: ${clip(reason, 140)}`}`),
    then: finish(then === '' ? 'Look at the inputs before calling again' : then),
    ...(family === null ? {} : { error_family: family }),
    ...(signature === null ? {} : { error_signature: signature }),
  };
}

function caseOf({ cards, steps, failures }: Done): SkillCandidate['cases'][number] {
  const seen = new Set([...steps.map(({ card }) => card.id), ...failures.map(({ id }) => id)]);
  const trace = cards
    .filter(({ id }) => seen.has(id))
    .map(
      (card): TraceStep => ({
        service: card.hints.service ?? '',
        operation: card.hints.operation ?? '',
        outcome: card.sign,
      }),
    );
  const last = steps.at(-1)?.card;
  return { case: { kind: 'origin', trace }, event: last?.event ?? null, card: last?.id ?? null };
}

/** Of the task's type where all have one, else of its first and last call. */
function nameOf(tasks: readonly Done[]): string {
  const steps = tasks.at(-1)?.steps ?? [];
  const words = taskTypeOf(tasks) ?? `${steps[0]?.call} to ${steps.at(-1)?.card.hints.operation}`;
  const name = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_LENGTH)
    .replace(/^-+|-+$/g, '');
  return /[a-z]{2}/.test(name) ? name : 'steps-that-worked';
}

function taskTypeOf(tasks: readonly Done[]): string | null {
  const types = new Set(
    tasks.flatMap(({ cards }) => cards.flatMap(({ hints }) => hints.task_type ?? [])),
  );
  const [only] = types;
  return types.size === 1 && only !== undefined ? only : null;
}
