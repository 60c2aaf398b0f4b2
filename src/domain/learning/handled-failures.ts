import type { SkillFailureHandling } from '../../contracts/skill';
import { toldOf } from '../consolidation/told-failure';
import { type ChangedField, fieldName } from '../distill/changed-fields';
import {
  clip,
  finish,
  humanize,
  lowerFirst,
  nameList,
  plain,
  withArticle,
} from '../distill/plain-text';
import { callOf, hasFailed, type Overcome, overcome, type TaskStep } from './task-step';

/** What the trouble of one task says about the next. */
export interface LearnedFromTrouble {
  preconditions: string[];
  failure_handling: SkillFailureHandling[];
  causes: string[];
}

const LINE_LIMIT = 240;
const VALUE_LIMIT = 40;
const FIELDS_SHOWN = 2;
const CALLS_SHOWN = 2;
/** Where the first words of a text input are kept. */
const WORDS_FIELD = 'word';

/** By the failures on the way: those overcome tell what is required and what helps, the others what to expect. */
export function learnedFromTrouble(steps: readonly TaskStep[]): LearnedFromTrouble {
  const retries = overcome(steps);
  const learned: LearnedFromTrouble = { preconditions: [], failure_handling: [], causes: [] };
  for (const retry of retries) {
    learned.failure_handling.push(handlingOf(retry.failed, whatHelped(retry)));
    const needed = requirementOf(retry);
    if (needed !== null) learned.preconditions.push(needed);
    const cause = causeOf(retry);
    if (cause !== null) learned.causes.push(cause);
  }
  const done = new Set(retries.map(({ failed }) => markOf(failed)));
  for (const failed of steps.filter(hasFailed)) {
    if (done.has(markOf(failed))) continue;
    done.add(markOf(failed));
    const { advice, reason } = told(failed);
    if (advice === '' && reason === '') continue;
    learned.failure_handling.push(
      handlingOf(failed, advice === '' ? 'Go on another way: the task worked without it.' : advice),
    );
  }
  return {
    preconditions: [...new Set(learned.preconditions)],
    failure_handling: distinct(learned.failure_handling),
    causes: [...new Set(learned.causes)],
  };
}

/** What made a call work that had failed, as a sentence: `Correct the payment amount (304 failed, 608 worked).` */
export function whatHelped({ changed, between }: Overcome): string {
  const first = [...new Set(between.map(callOf))];
  const before =
    first.length === 0 ? '' : `call ${nameList(first, first.length, CALLS_SHOWN)} first, then `;
  const fields = changed.filter(({ field }) => field !== WORDS_FIELD);
  if (fields.length === 0) {
    const other = changed.length > 0 ? 'with other words' : 'with the same inputs';
    return sentence(`${before}try again: ${other} it worked`);
  }
  return sentence(`${before}${nameList(fields.slice(0, FIELDS_SHOWN).map(correctionOf))}`);
}

function correctionOf({ field, before, after }: ChangedField): string {
  const name = fieldName(field);
  if (before === '') return `give the ${name} (it worked with ${shown(after)})`;
  if (after === '') return `leave out the ${name}`;
  return `correct the ${name} (${shown(before)} failed, ${shown(after)} worked)`;
}

function handlingOf(failed: TaskStep, then: string): SkillFailureHandling {
  const { reason } = told(failed);
  const when = `${callOf(failed)} fails${reason === '' ? '' : `: ${reason}`}`;
  return {
    when: clip(when, LINE_LIMIT),
    then: clip(then, LINE_LIMIT),
    ...(failed.error_family === null ? {} : { error_family: failed.error_family }),
    ...(failed.error_signature === null ? {} : { error_signature: failed.error_signature }),
  };
}

/** Of errors that say that something was missing or wrong; a service that was away requires nothing. */
const REQUIRING = new Set([
  'not_found',
  'permission',
  'validation',
  'conflict',
  'insufficient',
  'auth',
]);

function requirementOf({ failed, changed, between }: Overcome): string | null {
  if (changed.length === 0 || !REQUIRING.has(failed.error_family ?? '')) return null;
  const names = changed
    .filter(({ field, after }) => field !== WORDS_FIELD && after !== '')
    .slice(0, FIELDS_SHOWN)
    .map(({ field }) => `the ${fieldName(field)}`);
  const calls = [...new Set(between.map(callOf))];
  if (names.length === 0 && calls.length === 0) return null;
  const what = [
    ...(calls.length === 0 ? [] : [`call ${nameList(calls)}`]),
    ...(names.length === 0 ? [] : [`get ${nameList([...new Set(names)])} right`]),
  ];
  const { reason } = told(failed);
  const why = reason === '' ? '' : `: otherwise ${reason}`;
  return sentence(`Before ${callOf(failed)}, ${what.join(' and ')}${why}`);
}

function causeOf({ failed, changed }: Overcome): string | null {
  const { reason } = told(failed);
  const [field] = changed.filter(({ field, before }) => field !== WORDS_FIELD && before !== '');
  if (field === undefined || reason === '') return null;
  return finish(
    clip(
      `${callOf(failed)} got ${withArticle(fieldName(field.field))} that did not fit: ${reason}`,
      LINE_LIMIT,
    ),
  );
}

function told({ summary, error_family, error_signature }: TaskStep) {
  return toldOf({ summary, hints: { error_family, error_signature } });
}

function markOf(step: TaskStep): string {
  return `${callOf(step)}|${step.error_signature ?? told(step).mark}`;
}

/** One entry an error of a call; the last one knows most. */
function distinct(entries: readonly SkillFailureHandling[]): SkillFailureHandling[] {
  const byWhen = new Map(entries.map((entry) => [`${entry.when}|${entry.then}`, entry]));
  return [...byWhen.values()];
}

function sentence(text: string): string {
  const line = finish(text);
  return clip(line.charAt(0).toUpperCase() + line.slice(1), LINE_LIMIT);
}

function shown(value: string): string {
  const said = lowerFirst(plain(humanize(value))).replace(/, (?=[^,]*$)/, ' and ');
  return clip(said, VALUE_LIMIT) || 'nothing';
}
