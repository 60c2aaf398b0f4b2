import type { ErrorFamily } from '../contracts/names';
import type { TeamStep } from '../contracts/proposal';
import { clip } from './distill/plain-text';

/** A warning behind a fix, as far as the template needs it. */
export interface FixWarning {
  error_family: ErrorFamily | null;
  error_signature: string | null;
}

export interface FixDraft {
  title: string;
  summary: string;
  /** What to change, in a sentence. */
  fix: string;
}

/** What helps against a kind of error, whoever meets it. */
const REMEDIES: Readonly<Record<ErrorFamily, string>> = {
  not_found:
    'look up or list what exists before asking for it by name, and stop where it is not there',
  permission: 'give the agent the right it lacks, or take this step out of its plan',
  rate_limit:
    'send fewer requests at once and wait for as long as the service asks before the next one',
  timeout: 'raise the deadline, or ask for less at once',
  validation: 'check the input against what the service accepts before it is sent',
  conflict: 'read the current state again right before changing it',
  insufficient:
    'check the balance, quota or stock before this step, and ask where it does not suffice',
  syntax: 'check the command or query with a parser or a dry run before it is executed',
  auth: 'renew the credential that this step uses, and check that it is the right one',
  unavailable: 'retry with a growing delay, and go on without the service where it stays away',
  unfinished: 'give this step more turns or a smaller task, and a clear sign of when it is done',
  other: 'look at the warnings behind this, and change what they have in common',
};

const SIGNATURE_LENGTH = 120;
const SIGNATURES = 3;

/**
 * Words for a configuration fix where no model writes them: the step, how often it failed, how, and what
 * helps against that kind of error. Deterministic; the order of the warnings does not matter.
 */
export function templateFix(
  step: TeamStep,
  warnings: readonly FixWarning[],
  strikes: number,
): FixDraft {
  const name = `${step.step} of ${step.workflow}`;
  const family = commonest(warnings.map((warning) => warning.error_family)) ?? 'other';
  const signatures = ranked(warnings.map((warning) => warning.error_signature)).slice(
    0,
    SIGNATURES,
  );
  const how =
    signatures.length === 0
      ? ''
      : ` Seen: ${signatures.map((text) => `“${clip(text, SIGNATURE_LENGTH)}”`).join(', ')}.`;
  const fix = `For ${name}: ${REMEDIES[family]}.`;
  return {
    title: `${name} failed ${strikes} times in team ${step.team}`,
    summary: `${name} failed ${strikes} times, mostly ${family.replace('_', ' ')}.${how} ${fix}`,
    fix,
  };
}

/** By how often it occurs, then by name. */
function ranked<Value extends string>(values: readonly (Value | null)[]): Value[] {
  const counts = new Map<Value, number>();
  for (const value of values) {
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts.entries()]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : a > b ? 1 : 0))
    .map(([value]) => value);
}

function commonest<Value extends string>(values: readonly (Value | null)[]): Value | null {
  return ranked(values)[0] ?? null;
}
