import type { SkillDocument, SkillFailureHandling, SkillStep } from '../../contracts/skill';

/** Titles of the sections as they are written; `markdown-in.ts` knows others too. */
export const TITLES = {
  purpose: 'Purpose',
  preconditions: 'Before you start',
  steps: 'Steps',
  failure_handling: 'If it fails',
  causes: 'Why it fails',
} as const;

/** Names of the lines below a step and below a failure. Each value runs to the end of its line. */
export const LINES = {
  service: 'Service',
  operation: 'Operation',
  when: 'When',
  then: 'Then',
  error_family: 'Error family',
  error_signature: 'Error signature',
} as const;

/**
 * The Markdown of a document, in which every part stands on a line of its own: `documentIn` reads the same
 * document back. Texts are one line each, as `oneLine` makes them.
 *
 * @example
 * markdownOf({ purpose: 'Send a batch.', steps: [{ text: 'Split it.' }], … })
 * // '## Purpose\n\nSend a batch.\n\n## Steps\n\n1. Split it.'
 */
export function markdownOf(document: SkillDocument): string {
  const { purpose, preconditions, steps, failure_handling: failures, causes } = document;
  return [
    section(TITLES.purpose, purpose === '' ? [] : [escaped(purpose)]),
    section(TITLES.preconditions, preconditions.map(bullet)),
    section(TITLES.steps, steps.flatMap(stepLines)),
    section(TITLES.failure_handling, failures.flatMap(failureLines)),
    section(TITLES.causes, causes.map(bullet)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}`;
}

const bullet = (text: string) => `- ${text}`;

function stepLines({ text, service, operation }: SkillStep, at: number): string[] {
  return [
    `${at + 1}. ${text}`,
    ...(service === undefined ? [] : [`   - ${LINES.service}: ${service}`]),
    ...(operation === undefined ? [] : [`   - ${LINES.operation}: ${operation}`]),
  ];
}

function failureLines(failure: SkillFailureHandling): string[] {
  const { when, then, error_family: family, error_signature: signature } = failure;
  return [
    `- ${LINES.when}: ${when}`,
    `  - ${LINES.then}: ${then}`,
    ...(family === undefined ? [] : [`  - ${LINES.error_family}: ${family}`]),
    ...(signature === undefined ? [] : [`  - ${LINES.error_signature}: ${signature}`]),
  ];
}

/** A paragraph that would be read as a heading, a list or a fence begins with a backslash instead. */
function escaped(text: string): string {
  return /^[\\#`~>*+-]|^\d+[.)]/.test(text) ? `\\${text}` : text;
}
