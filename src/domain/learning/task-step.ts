import type { ErrorFamily, Outcome } from '../../contracts/names';
import type { TraceStep } from '../../contracts/skill';
import { compareInputs } from '../alike-inputs';
import type { ChangedField } from '../distill/changed-fields';
import { readOperationName } from '../distill/operation-name';
import { inputChanges } from '../input-changes';
import type { InputFields } from '../input-fields';
import { holdsAll } from './text-holds';

/** A call of a task, as its card tells of it. */
export interface TaskStep {
  card_id: string;
  version: number;
  event_id: string | null;
  service: string;
  operation: string;
  outcome: Outcome;
  summary: string;
  error_family: ErrorFamily | null;
  error_signature: string | null;
  input_fields: InputFields;
  /** RFC 3339. */
  at: string;
  agent: string | null;
  /** What it answered, as text; null where that is kept no more. */
  output: string | null;
}

/** A call that failed, and the later one of the same kind that worked. */
export interface Overcome {
  failed: TaskStep;
  worked: TaskStep;
  /** By path; empty where the same call worked later. */
  changed: ChangedField[];
  /** Calls between the two whose answer had what was changed; of the same call again, those that changed something. */
  between: TaskStep[];
}

/** As alike as two calls have to be for the one to be another try of the other: the policy's `link.alike.satisfies`. */
const LEAST_ALIKE = 0.5;

/** `slack.send_message` */
export function callOf(step: Pick<TaskStep, 'service' | 'operation'>): string {
  return `${step.service}.${step.operation}`;
}

export function hasFailed({ outcome }: Pick<TaskStep, 'outcome'>): boolean {
  return outcome === 'failed' || outcome === 'blocked';
}

/** Whether it brought the task on: it worked, or it changed something and had nothing to answer. */
export function isDone({ outcome, operation }: Pick<TaskStep, 'outcome' | 'operation'>): boolean {
  if (outcome === 'worked') return true;
  return outcome === 'neutral' && readOperationName(operation).verb?.act === 'write';
}

/** By its name: a call that no verb is known for may change anything. */
export function changesAnything({ operation }: Pick<TaskStep, 'operation'>): boolean {
  const { verb } = readOperationName(operation);
  return verb === null || verb.act === 'write';
}

/** What was done, in order, several calls in a row of one operation as one: the last of them. */
export function doneSteps(steps: readonly TaskStep[]): TaskStep[] {
  const done = steps.filter(isDone);
  return done.filter((step, at) => {
    const next = done[at + 1];
    return next === undefined || callOf(next) !== callOf(step);
  });
}

/**
 * The failures that were followed by a success of the same call on the same thing, each with the first such
 * success. Of several failures in a row before one success, the last one tells what was missing.
 */
export function overcome(steps: readonly TaskStep[]): Overcome[] {
  const found = steps.flatMap((failed, at) => {
    if (!hasFailed(failed)) return [];
    const later = steps.slice(at + 1);
    const end = later.findIndex((step) => isDone(step) && isRetryOf(step, failed));
    const worked = later[end];
    if (worked === undefined) return [];
    const changed = inputChanges(failed.input_fields, worked.input_fields);
    const given = changed.map(({ after }) => after).filter((value) => value !== '');
    const meanwhile = later.slice(0, end).filter((step) => callOf(step) !== callOf(failed));
    const between =
      changed.length === 0
        ? meanwhile.filter((step) => isDone(step) && changesAnything(step))
        : meanwhile.filter(
            ({ output }) => output !== null && given.some((value) => holdsAll(output, [value])),
          );
    return [{ failed, worked, changed, between }];
  });
  return found.filter(
    ({ failed, worked }, at) =>
      !found
        .slice(at + 1)
        .some(
          (other) =>
            other.worked.card_id === worked.card_id &&
            other.failed.error_signature === failed.error_signature,
        ),
  );
}

function isRetryOf(step: TaskStep, failed: TaskStep): boolean {
  if (callOf(step) !== callOf(failed)) return false;
  const { nearThing, alike } = compareInputs(failed.input_fields, step.input_fields);
  return nearThing && alike >= LEAST_ALIKE;
}

/** As a test of a skill keeps it: no texts of the work. */
export function replayTrace(steps: readonly TaskStep[], retries: readonly Overcome[]): TraceStep[] {
  return steps.map((step) => {
    const { service, operation, outcome, error_family: family, error_signature: signature } = step;
    const answer = retries.find(({ worked }) => worked.card_id === step.card_id);
    const fields = answer?.changed.map(({ field }) => field) ?? [];
    return {
      service,
      operation,
      outcome,
      ...(family === null ? {} : { error_family: family }),
      ...(signature === null ? {} : { error_signature: signature }),
      ...(fields.length === 0 ? {} : { what_changed: fields.join(', ') }),
    };
  });
}
