import type { SkillDocument, SkillStep } from '../../contracts/skill';
import { MAX_SKILL_SUMMARY } from './limits';

/**
 * What a skill's card says, so that a recall finds it and its reader knows what to load: its name, what it is for,
 * when to use it, what has to hold before. At most 2,000 characters, whole parts only but for the first.
 */
export function skillSummary(name: string, description: string, document: SkillDocument): string {
  const { purpose, preconditions, steps } = document;
  const calls = callsOf(steps).map(({ service, operation }) => `${service}.${operation}`);
  const parts = [
    ...(purpose === '' || purpose === description ? [] : [ended(purpose)]),
    ...(preconditions.length === 0 ? [] : [ended(`Before: ${preconditions.join('; ')}`)]),
    ...(calls.length === 0 ? [] : [`Calls ${[...new Set(calls)].join(', ')}.`]),
  ];
  let summary = cut(`Skill ${name}: ${ended(description)}`, MAX_SKILL_SUMMARY);
  for (const part of parts) {
    const longer = `${summary} ${part}`;
    if ([...longer].length <= MAX_SKILL_SUMMARY) summary = longer;
  }
  return summary;
}

/** The calls that the steps name whole. */
export function callsOf(steps: readonly SkillStep[]): { service: string; operation: string }[] {
  return steps.flatMap(({ service, operation }) =>
    service === undefined || operation === undefined ? [] : [{ service, operation }],
  );
}

function ended(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}

function cut(text: string, length: number): string {
  const all = [...text];
  return all.length <= length ? text : `${all.slice(0, length - 1).join('')}…`;
}
