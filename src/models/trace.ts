import type { Outcome } from '../contracts/names';
import { shortLine } from './shortened';

/** A call or step of a task, redacted, in the order in which it settled. */
export interface ToldStep {
  /** What a step of a skill names it by: whole, and its own within the trace. */
  n: number;
  service: string | null;
  operation: string | null;
  outcome: Outcome;
  summary: string;
  /** Its error or that error's signature. */
  error?: string;
}

/** Of a longer trace the beginning and the end are shown: what was meant, and what it came to. */
const STEPS_SHOWN = 60;
const SUMMARY_LIMIT = 300;
const ERROR_LIMIT = 160;
const NAME_LIMIT = 120;

/** The steps that a model gets to see. */
export function shownOf(trace: readonly ToldStep[]): ToldStep[] {
  if (trace.length <= STEPS_SHOWN) return [...trace];
  return [...trace.slice(0, STEPS_SHOWN / 2), ...trace.slice(-STEPS_SHOWN / 2)];
}

/** One line a step, each opening with its number in brackets; a gap is named. */
export function traceText(trace: readonly ToldStep[]): string {
  const shown = shownOf(trace);
  const lines = shown.map(lineOf);
  const left = trace.length - shown.length;
  if (left > 0) lines.splice(STEPS_SHOWN / 2, 0, `… ${left} steps left out …`);
  return lines.join('\n');
}

function lineOf({ n, service, operation, outcome, summary, error }: ToldStep): string {
  const step = [service, operation].filter((name) => name !== null && name !== '').join('.');
  const marks = [...(step === '' ? [] : [shortLine(step, NAME_LIMIT)]), outcome].join(', ');
  const why = error === undefined ? '' : ` Error: ${shortLine(error, ERROR_LIMIT)}`;
  return `[${n}] (${marks}) ${shortLine(summary, SUMMARY_LIMIT)}${why}`;
}
