import { ERROR_FAMILIES } from '../../contracts/names';
import type { SkillDocument, SkillFailureHandling, SkillStep } from '../../contracts/skill';
import { LINES } from './markdown-out';
import { oneLine } from './one-line';
import { type Section, sectionsIn } from './sections-in';

type Part = keyof SkillDocument;

/** Headings by which a part is known, in lower case; what other tools write is known by its usual names. */
const HEADINGS: Readonly<Record<Part, readonly string[]>> = {
  purpose: ['purpose', 'overview', 'goal', 'what it does', 'summary'],
  preconditions: ['before you start', 'preconditions', 'prerequisites', 'requirements', 'setup'],
  steps: ['steps', 'instructions', 'procedure', 'workflow', 'how to', 'usage'],
  failure_handling: ['if it fails', 'failure handling', 'troubleshooting', 'error handling'],
  causes: ['why it fails', 'causes', 'root causes', 'known causes'],
};

/**
 * The document in a skill's Markdown: each section by its heading; where no heading is known, the text is
 * a body and nothing more, and what it is for is its description.
 */
export function documentIn(body: string, description: string): SkillDocument {
  const found = new Map<Part, Section>();
  for (const section of sectionsIn(body)) {
    const part = partNamed(section.title);
    if (part !== null && !found.has(part)) found.set(part, section);
  }
  const lines = (part: Part) => found.get(part)?.lines ?? [];
  const purpose = oneLine(unescaped(oneLine(lines('purpose').join(' '))));
  return {
    purpose: found.has('purpose') ? purpose : oneLine(description),
    preconditions: itemsIn(lines('preconditions')).map(({ text }) => text),
    steps: itemsIn(lines('steps')).map(stepOf),
    failure_handling: itemsIn(lines('failure_handling')).flatMap(failureOf),
    causes: itemsIn(lines('causes')).map(({ text }) => text),
  };
}

function partNamed(title: string): Part | null {
  const name = oneLine(title)
    .toLowerCase()
    .replace(/[\s:.#]+$/u, '');
  const parts = Object.keys(HEADINGS) as Part[];
  return parts.find((part) => HEADINGS[part].includes(name)) ?? null;
}

function unescaped(text: string): string {
  return text.startsWith('\\') ? text.slice(1) : text;
}

interface Item {
  text: string;
  /** The bullets below it. */
  below: string[];
}

/** Bullets and numbered lines at the margin, with what is indented below each; lines that go on join theirs. */
function itemsIn(lines: readonly string[]): Item[] {
  const items: Item[] = [];
  for (const line of lines) {
    const item = /^ ?(?:[-*+]|\d{1,9}[.)]) +(.*)$/.exec(line);
    const below = /^ {2,}(?:[-*+]|\d{1,9}[.)]) +(.*)$/.exec(line);
    const last = items.at(-1);
    if (item !== null) items.push({ text: oneLine(item[1] ?? ''), below: [] });
    else if (below !== null && last !== undefined) last.below.push((below[1] ?? '').trim());
    else if (line.trim() !== '' && last !== undefined && /^\s/.test(line)) {
      last.text = oneLine(`${last.text} ${line}`);
    }
  }
  return items.filter(({ text }) => text !== '');
}

function stepOf({ text, below }: Item): SkillStep {
  const service = named(below, LINES.service);
  const operation = named(below, LINES.operation);
  const others = below.filter((line) => !isNamed(line, LINES.service, LINES.operation));
  return {
    text: oneLine([text, ...others].join(' ')),
    ...(service === undefined ? {} : { service }),
    ...(operation === undefined ? {} : { operation }),
  };
}

/** `- When: … / - Then: …`; other tools write `problem: remedy` on one line. */
function failureOf({ text, below }: Item): SkillFailureHandling[] {
  const when = named([text], LINES.when);
  const then = named(below, LINES.then);
  if (when === undefined || then === undefined) {
    const cut = text.search(/: | → | - /u);
    const rest = [cut < 0 ? '' : text.slice(cut).replace(/^(?:: | → | - )/u, ''), ...below];
    const remedy = oneLine(rest.join(' '));
    return [{ when: oneLine(cut < 0 ? text : text.slice(0, cut)) || text, then: remedy || text }];
  }
  const family = named(below, LINES.error_family);
  const known = ERROR_FAMILIES.find((one) => one === family);
  const signature = named(below, LINES.error_signature);
  return [
    {
      when,
      then,
      ...(known === undefined ? {} : { error_family: known }),
      ...(signature === undefined ? {} : { error_signature: signature }),
    },
  ];
}

function named(lines: readonly string[], name: string): string | undefined {
  const line = lines.find((one) => isNamed(one, name));
  const value = line?.slice(name.length + 1).trim();
  return value === '' ? undefined : value;
}

function isNamed(line: string, ...names: readonly string[]): boolean {
  return names.some((name) => line.startsWith(`${name}:`));
}
