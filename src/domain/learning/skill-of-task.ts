import type { SkillDocument } from '../../contracts/skill';
import { nameWords } from '../distill/operation-name';
import { clip, finish, nameList, sentences, upperFirst } from '../distill/plain-text';
import { learnedFromTrouble } from './handled-failures';
import { changesAnything, doneSteps, type TaskStep } from './task-step';
import { inputsClause } from './value-sources';

/** A skill before it has a place: its name, its line in a list, and what it says. */
export interface SkillDraft {
  name: string;
  description: string;
  document: SkillDocument;
}

/** A task that ended well, redacted. */
export interface FinishedTask {
  /** What its kind of work is called; null where nobody named one. */
  task_type: string | null;
  /** The text of its last event's card; empty where it may not be told. */
  goal: string;
  /** What was asked, in whole; empty where that is not known. */
  asked: string;
  steps: readonly TaskStep[];
}

const NAME_LIMIT = 64;
const GOAL_LIMIT = 140;
const LINE_LIMIT = 240;

/**
 * The skill that a task's own steps teach, without a model: what was done in order and where each input came from,
 * without repeats and detours; what failed on the way becomes preconditions, failures that it handles, and causes.
 */
export function skillOfTask({ task_type: type, goal, asked, steps }: FinishedTask): SkillDraft {
  const done = doneSteps(steps);
  const { preconditions, failure_handling, causes } = learnedFromTrouble(steps);
  const purpose = purposeOf(done, type, goal);
  const request = asked === '' ? (sentences(goal)[0] ?? '') : asked;
  return {
    name: nameOf(done, type),
    description: purpose,
    document: {
      purpose,
      preconditions,
      steps: done.map((step, at) => {
        const { service, operation } = step;
        const inputs = inputsClause(step, request, done.slice(0, at));
        const text = `${upperFirst(wordsOf(step))}${inputs === '' ? '' : ` ${inputs}`}`;
        return { text: clip(finish(text), LINE_LIMIT), service, operation };
      }),
      failure_handling,
      causes,
    },
  };
}

/** The last two things that it changes; of one alone, with what it began with; else its first and last step. */
function mainOf(done: readonly TaskStep[]): TaskStep[] {
  const byCall = [...new Map(done.map((step) => [step.operation, step])).values()];
  const changing = byCall.filter(changesAnything);
  if (changing.length > 1) return changing.slice(-2);
  const [first] = byCall;
  const last = changing[0] ?? byCall.at(-1);
  return [...new Set([first, last])].filter((step) => step !== undefined);
}

function nameOf(done: readonly TaskStep[], type: string | null): string {
  const words = type === null ? mainOf(done).map(wordsOf).join(' and ') : type;
  return slug(words) || 'a-task';
}

/** What may be the name of a skill, from any words. */
export function slug(words: string): string {
  const whole = words
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (whole.length <= NAME_LIMIT) return whole;
  const cut = whole.slice(0, NAME_LIMIT);
  return cut.slice(0, Math.max(cut.lastIndexOf('-'), 1));
}

function purposeOf(done: readonly TaskStep[], type: string | null, goal: string): string {
  const what = workOf(done);
  const kind = type === null ? '' : ` (${type})`;
  const asked = goalOf(goal);
  return finish(asked === '' ? `${what}${kind}` : `${what}${kind}, for a request like “${asked}”`);
}

/** What steps do in the main, by their names: `Book reservation and send receipt`. */
export function workOf(steps: readonly TaskStep[]): string {
  return upperFirst(nameList(mainOf(steps).map(wordsOf)));
}

/** A name of one word says little without where it is done. */
function wordsOf({ service, operation }: TaskStep): string {
  const words = nameWords(operation);
  const place = nameWords(service).join(' ');
  if (words.length === 0) return `call ${place}`;
  return words.length > 1 || place === '' ? words.join(' ') : `${words[0]} in ${place}`;
}

const LEADS =
  /^(?:For .{1,60}?, )?(?:\S{1,60} was|Was) (?:to|asked:) |^(?:A|The) (?:customer|user|person) (?:asked|wanted) to /;

/** What a card says after what was asked; one that ends in a figure, `at most 20. It worked.`, runs into it. */
const VERDICT =
  /(?<=[.!?…”"’')\]]) (?:It (?:worked|failed|was blocked|ended)|No verdict was)\b.*$/s;

/** What was asked, as a clause: the first sentence of the text, without who was asked. */
export function goalOf(text: string): string {
  const [first = ''] = sentences(text.replace(VERDICT, ''));
  const bare = first.replace(LEADS, '').replace(/[“”"]/g, "'");
  return clip(bare.replace(/[.\s]+$/, '').replace(/^'(.*)'$/s, '$1'), GOAL_LIMIT);
}
