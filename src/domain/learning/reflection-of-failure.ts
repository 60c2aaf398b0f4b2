import { toldOf } from '../consolidation/told-failure';
import { adviceAtEnd } from '../distill/advice-at-end';
import { clip, finish, lowerFirst, sentences } from '../distill/plain-text';
import { whatHelped } from './handled-failures';
import { callOf, hasFailed, overcome, type TaskStep } from './task-step';

/** Of the sentence in characters. */
export const REFLECTION_LIMIT = 240;
/** Of a card's text (contract, Card). */
const SUMMARY_LIMIT = 2_000;

const OPENING = 'Next time';

/**
 * One sentence on what to do differently, from the last trouble of a task that failed: what made the call work in
 * the end, or what the error's family advises.
 * @returns null where no step of it failed: then its card has said all that is known
 */
export function reflectionOf(steps: readonly TaskStep[]): string | null {
  const failures = steps.filter(hasFailed);
  const retries = overcome(steps);
  const resolved = new Set(retries.map(({ failed }) => `${callOf(failed)}|${markOf(failed)}`));
  const open = failures.filter((step) => !resolved.has(`${callOf(step)}|${markOf(step)}`));
  for (const step of open.reverse()) {
    const told = tell(step);
    if (told.advice === '') continue;
    const what = lowerFirst(told.advice.replace(/[.\s]+$/, ''));
    const why = told.reason === '' ? '' : `: ${told.reason}`;
    return sentence(`${OPENING}, ${what}; ${callOf(step)} failed${why}`);
  }
  const last = retries.at(-1);
  if (last === undefined) return null;
  const what = lowerFirst(whatHelped(last).replace(/[.\s]+$/, ''));
  return sentence(`${OPENING}, before ${callOf(last.failed)}, ${what}`);
}

/**
 * The text of a card with the sentence as its last one. Advice by rule that stands there gives way; said again it
 * changes nothing. What would be too long loses its end, never the sentence.
 */
export function withReflection(summary: string, reflection: string): string {
  if (summary.endsWith(reflection)) return summary;
  const bare = adviceAtEnd(summary).bare;
  const kept = bare.trim() === '' ? summary : bare;
  return `${finish(clip(kept, SUMMARY_LIMIT - reflection.length - 2))} ${reflection}`.trim();
}

/** The first sentence of what a model or a rule said, ended as one. */
export function oneSentence(text: string): string {
  const [first = ''] = sentences(text.replace(/\s+/g, ' ').trim());
  return first === '' ? '' : sentence(first);
}

function sentence(text: string): string {
  const whole = finish(text);
  return whole.length <= REFLECTION_LIMIT ? whole : clip(whole, REFLECTION_LIMIT);
}

function tell({ summary, error_family, error_signature }: TaskStep) {
  return toldOf({ summary, hints: { error_family, error_signature } });
}

function markOf(step: TaskStep): string {
  return step.error_signature ?? tell(step).mark;
}
