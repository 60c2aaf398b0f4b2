import type {
  ReplayReason,
  ReplayResult,
  SkillCase,
  SkillDocument,
  SkillStep,
  TraceStep,
} from '../../contracts/skill';
import { literally } from '../literally';
import { answersFailure } from './answers-failure';

/** What of a version is tested. */
export interface TestedVersion {
  description: string;
  document: SkillDocument;
  body: string;
}

export type NumberedCase = { id: string } & SkillCase;

type Verdict = Pick<ReplayResult, 'passed' | 'why' | 'at'>;

/**
 * Holds a version to its cases, without a model and without calling anything:
 *
 * - `origin`: its steps contain the operations of the trace that worked, in their order;
 * - `failure`: what it says before, about and after a failure answers each failed call of the trace, and one of
 *   its steps makes that call;
 * - `manual`: it mentions what it must, and nothing that it must not.
 */
export function replay(version: TestedVersion, cases: readonly NumberedCase[]): ReplayResult[] {
  return cases.map((one) => ({ id: one.id, kind: one.kind, ...verdictOf(version, one) }));
}

/** The cases that one version passes and the other does not: what it would be a step back by. */
export function regressions(
  before: readonly ReplayResult[],
  after: readonly ReplayResult[],
): string[] {
  const held = new Set(before.filter(({ passed }) => passed).map(({ id }) => id));
  return after.filter(({ id, passed }) => !passed && held.has(id)).map(({ id }) => id);
}

function verdictOf(version: TestedVersion, one: SkillCase): Verdict {
  switch (one.kind) {
    case 'origin':
      return followed(version.document.steps, one.trace);
    case 'failure':
      return answered(version.document, one.trace);
    case 'manual':
      return mentioned(version, one);
    default:
      return one satisfies never;
  }
}

const passed = (why: ReplayReason): Verdict => ({ passed: true, why, at: null });
const failed = (why: ReplayReason, at: string | null): Verdict => ({ passed: false, why, at });

const nameOf = ({ service, operation }: TraceStep) => `${service}.${operation}`;

/** Several calls in a row of one operation are one step that was repeated. */
function followed(steps: readonly SkillStep[], trace: readonly TraceStep[]): Verdict {
  const worked = trace.filter(({ outcome }) => outcome === 'worked');
  const calls = worked.filter((call, at) => {
    const before = worked[at - 1];
    return before === undefined || nameOf(before) !== nameOf(call);
  });
  if (calls.length === 0) return passed('nothing_to_check');
  let from = 0;
  for (const call of calls) {
    const at = steps.findIndex((step, index) => index >= from && makes(step, call));
    if (at < 0) {
      const isThere = steps.some((step) => makes(step, call));
      return failed(isThere ? 'steps_out_of_order' : 'step_missing', nameOf(call));
    }
    from = at + 1;
  }
  return passed('steps_follow_the_trace');
}

function answered(document: SkillDocument, trace: readonly TraceStep[]): Verdict {
  const failures = trace.filter(({ outcome }) => outcome === 'failed' || outcome === 'blocked');
  if (failures.length === 0) return passed('nothing_to_check');
  for (const failure of failures) {
    if (!document.steps.some((step) => makes(step, failure))) {
      return failed('operation_not_in_steps', nameOf(failure));
    }
    if (!answersFailure(document, failure)) return failed('failure_not_answered', nameOf(failure));
  }
  return passed('failure_answered');
}

/** By its labels; a step without them makes the call that its text names. */
export function makes(step: SkillStep, call: Pick<TraceStep, 'service' | 'operation'>): boolean {
  if (step.operation !== undefined) {
    return (
      step.operation === call.operation &&
      (step.service === undefined || step.service === call.service)
    );
  }
  if (step.service !== undefined && step.service !== call.service) return false;
  return namesWord(step.text, call.operation);
}

/** As a whole: `send` is not named by `send_batch`, nor by `sending`. */
function namesWord(text: string, word: string): boolean {
  const quoted = literally(word);
  return new RegExp(`(?<![\\p{L}\\p{N}_])${quoted}(?![\\p{L}\\p{N}_])`, 'iu').test(text);
}

function mentioned(
  { description, body }: TestedVersion,
  wanted: Extract<SkillCase, { kind: 'manual' }>,
): Verdict {
  const text = plain(`${description}\n${body}`);
  const missing = wanted.must_mention.find((word) => !text.includes(plain(word)));
  if (missing !== undefined) return failed('word_missing', missing);
  const unwanted = wanted.must_not_mention.find((word) => text.includes(plain(word)));
  if (unwanted !== undefined) return failed('word_not_wanted', unwanted);
  const count = wanted.must_mention.length + wanted.must_not_mention.length;
  return passed(count === 0 ? 'nothing_to_check' : 'words_as_asked');
}

function plain(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();
}
