import type { SkillDocument, SkillFailureHandling, SkillStep } from '../../contracts/skill';
import { MAX_ITEMS } from '../skills/limits';

/** By its call, or where it has none by its words. */
function keyOf({ text, service, operation }: SkillStep): string {
  return operation === undefined ? text.toLowerCase() : `${service ?? ''}.${operation}`;
}

/** Lengths of the longest common subsequences of each two endings. */
function lengths(left: readonly string[], right: readonly string[]): number[][] {
  const table = Array.from({ length: left.length + 1 }, () =>
    new Array<number>(right.length + 1).fill(0),
  );
  const at = (i: number, j: number) => table[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const row = table[i] as number[];
      row[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return table;
}

/**
 * How much of two procedures is the same steps in the same order: twice the longest common subsequence by the sum of
 * their lengths, 0–1, symmetric, 1 for the same sequence. What stands in for cosine where there are no vectors.
 */
export function stepOverlap(left: readonly SkillStep[], right: readonly SkillStep[]): number {
  const [a, b] = [left.map(keyOf), right.map(keyOf)];
  if (a.length + b.length === 0) return 0;
  return (2 * (lengths(a, b)[0]?.[0] ?? 0)) / (a.length + b.length);
}

/**
 * One procedure of two: the steps of both, each in its own order (a shortest common supersequence), so that whoever
 * follows it does all that either needs; what is required, handled and known of both. The words of `known` stay.
 * @returns null where it would be too long for one skill
 */
export function mergedSkill(known: SkillDocument, learned: SkillDocument): SkillDocument | null {
  const merged: SkillDocument = {
    purpose: known.purpose,
    preconditions: united(known.preconditions, learned.preconditions),
    steps: mergedSteps(known.steps, learned.steps),
    failure_handling: unitedFailures(known.failure_handling, learned.failure_handling),
    causes: united(known.causes, learned.causes),
  };
  const { preconditions, steps, failure_handling, causes } = merged;
  const longest = Math.max(
    ...[preconditions, steps, failure_handling, causes].map(({ length }) => length),
  );
  return longest > MAX_ITEMS ? null : merged;
}

/** Whether the second says nothing that the first does not: no step, and no failure that it would handle. */
export function saysNothingNew(known: SkillDocument, merged: SkillDocument): boolean {
  return (
    merged.steps.length === known.steps.length &&
    merged.failure_handling.length === known.failure_handling.length &&
    merged.preconditions.length === known.preconditions.length &&
    merged.causes.length === known.causes.length
  );
}

function mergedSteps(left: readonly SkillStep[], right: readonly SkillStep[]): SkillStep[] {
  const [a, b] = [left.map(keyOf), right.map(keyOf)];
  const table = lengths(a, b);
  const steps: SkillStep[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [one, other] = [left[i], right[j]];
    if (one !== undefined && other !== undefined && a[i] === b[j]) {
      steps.push(one);
      i += 1;
      j += 1;
    } else if (
      other === undefined ||
      (one !== undefined && (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0))
    ) {
      if (one !== undefined) steps.push(one);
      i += 1;
    } else {
      steps.push(other);
      j += 1;
    }
  }
  return steps;
}

/** The same thing with another reason or value behind it is the same thing. */
function united(left: readonly string[], right: readonly string[]): string[] {
  const known = new Set(left.map(matterOf));
  return [...left, ...right.filter((text) => !known.has(matterOf(text)))];
}

function matterOf(text: string): string {
  return (text.split(': ')[0] ?? text).toLowerCase();
}

function unitedFailures(
  left: readonly SkillFailureHandling[],
  right: readonly SkillFailureHandling[],
): SkillFailureHandling[] {
  const known = new Set(left.map(failureKey));
  return [...left, ...right.filter((one) => !known.has(failureKey(one)))];
}

/** By what fails and how; of one error the first remedy stands, unless another one helped. */
function failureKey({ when, then, error_signature: signature }: SkillFailureHandling): string {
  const [call = ''] = when.split(' ');
  return signature === undefined ? `${when}|${then}`.toLowerCase() : `${call}|${signature}`;
}
