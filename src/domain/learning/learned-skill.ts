import type { SkillCase, SkillDocument } from '../../contracts/skill';
import { looksLikeInstruction } from '../distill/instruction-like';
import { clip } from '../distill/plain-text';
import { answersFailure } from '../skills/answers-failure';
import { MAX_ITEMS } from '../skills/limits';
import { oneLine } from '../skills/one-line';
import { replay } from '../skills/replay';
import { mergedSkill } from './merged-skill';
import { type SkillDraft, slug } from './skill-of-task';
import { hasFailed, isDone, overcome, replayTrace, type TaskStep } from './task-step';

/** A test of a learned skill, and what it was taken from. */
export interface LearnedCase {
  case: SkillCase;
  event: string | null;
  card: string | null;
}

/** Of the failures on the way; a skill is held to the whole of the work besides. */
const FAILURE_CASES = 10;
const LINE_LIMIT = 240;

/**
 * The tests that a task gives its skill: the whole of it, done in that order; and each failure that was overcome in a
 * call which is one of its steps, to be answered.
 */
export function casesOf(
  steps: readonly TaskStep[],
  ending: { event_id: string; card_id: string },
): LearnedCase[] {
  const retries = overcome(steps);
  const trace = replayTrace(
    steps.filter((step) => isDone(step) || hasFailed(step)),
    retries,
  );
  const failures = retries.slice(0, FAILURE_CASES).map(
    ({ failed }): LearnedCase => ({
      case: { kind: 'failure', trace: replayTrace([failed], []) },
      event: failed.event_id,
      card: failed.card_id,
    }),
  );
  return [
    { case: { kind: 'origin', trace }, event: ending.event_id, card: ending.card_id },
    ...failures,
  ];
}

/** What a model says of a failure: `source` is the number of the step that it comes from. */
interface WordedFailure {
  when: string;
  then: string;
  source: number | null;
}

/** A skill in a model's words, redacted. */
export interface WordedSkill extends Omit<SkillDraft, 'document'> {
  document: Omit<SkillDocument, 'failure_handling'> & { failure_handling: WordedFailure[] };
}

/**
 * A model's skill, held to what happened: its lines are lines, its failures have the family and signature of the step
 * that they come from, and where its steps leave out something that the work took, or it says nothing of a failure
 * that was overcome, that is put back from the rules' skill.
 */
export function groundedSkill(
  worded: WordedSkill,
  byRule: SkillDraft,
  steps: readonly TaskStep[],
  cases: readonly LearnedCase[],
): SkillDraft {
  const { document } = worded;
  const line = (text: string) => clip(oneLine(text), LINE_LIMIT);
  const said: SkillDocument = {
    purpose: line(document.purpose) || byRule.document.purpose,
    preconditions: lines(document.preconditions),
    steps: document.steps
      .slice(0, MAX_ITEMS)
      .map((step) => ({ ...step, text: line(step.text) }))
      .filter(({ text }) => text !== ''),
    failure_handling: document.failure_handling.slice(0, MAX_ITEMS).flatMap((one) => {
      const when = line(one.when);
      const then = line(one.then);
      if (when === '' || then === '') return [];
      const step = one.source === null ? undefined : steps[one.source - 1];
      if (step === undefined || !hasFailed(step)) return [{ when, then }];
      const { error_family: family, error_signature: signature } = step;
      return [
        {
          when,
          then,
          ...(family === null ? {} : { error_family: family }),
          ...(signature === null ? {} : { error_signature: signature }),
        },
      ];
    }),
    causes: lines(document.causes),
  };
  const description = line(worded.description) || said.purpose;
  const body = '';
  const numbered = cases.map((one, at) => ({ ...one.case, id: String(at) }));
  const missing = replay({ description, document: said, body }, numbered).some(
    ({ kind, passed }) => kind === 'origin' && !passed,
  );
  const whole = missing
    ? (mergedSkill({ ...said, causes: [] }, { ...byRule.document, causes: [] })?.steps ??
      byRule.document.steps)
    : said.steps;
  const unanswered = byRule.document.failure_handling.filter(
    (one) => !answersFailure({ ...said, steps: whole }, one),
  );
  return {
    name: slug(worded.name) || byRule.name,
    description,
    document: {
      ...said,
      steps: whole,
      failure_handling: [...said.failure_handling, ...unanswered].slice(0, MAX_ITEMS),
    },
  };
}

function lines(texts: readonly string[]): string[] {
  const all = texts.map((text) => clip(oneLine(text), LINE_LIMIT)).filter((text) => text !== '');
  return [...new Set(all)].slice(0, MAX_ITEMS);
}

/** Whether one of its lines speaks to the machine that reads it. */
export function isInstructionLikeSkill({
  description,
  document,
}: Omit<SkillDraft, 'name'>): boolean {
  const { purpose, preconditions, steps, failure_handling: handled, causes } = document;
  return [
    description,
    purpose,
    ...preconditions,
    ...steps.map(({ text }) => text),
    ...handled.flatMap(({ when, then }) => [when, then]),
    ...causes,
  ].some((text) => looksLikeInstruction(text, 'told'));
}
