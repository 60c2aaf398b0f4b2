import type { Page } from '../contracts/run';
import type {
  FoundSkill,
  Skill,
  SkillDiff,
  SkillEntry,
  SkillSectionDiff,
  SkillTestResult,
} from '../contracts/skill';
import { counted } from './inbox-text';
import { oneLine, printable, table, wrapped } from './terminal';

/** Of a description on its line. */
const DESCRIPTION = 70;

/** A line each; with scores where a query found them. */
export function skillsText(page: Page<SkillEntry | FoundSkill>): string {
  if (page.items.length === 0) return 'No skills.';
  const rows = page.items.map((skill) => [
    printable(skill.name),
    skill.version === null ? '–' : String(skill.version),
    skill.status,
    `${skill.scope.type}:${printable(skill.scope.id)}`,
    ...('score' in skill && typeof skill.score === 'number' ? [skill.score.toFixed(2)] : []),
    oneLine(skill.description, DESCRIPTION),
  ]);
  const isFound = rows[0]?.length === 6;
  const head = [
    'name',
    'version',
    'status',
    'scope',
    ...(isFound ? ['score'] : []),
    'what it is for',
  ];
  return `${table([head, ...rows])}\n\n${counted(page)}`;
}

/** One version, whole. */
export function skillText(skill: Skill, width: number): string {
  const { current_version: current, provenance, replaced_by } = skill;
  const { kind, id } = provenance.writer;
  const inUse = current === skill.version ? 'in use' : skill.version_status;
  const fields: string[][] = [
    ['  version', `${skill.version} of ${skill.latest_version}, ${inUse}`],
    ['  status', skill.status + (replaced_by === null ? '' : `; use ${printable(replaced_by)}`)],
    ['  scope', `${skill.scope.type} ${printable(skill.scope.id)}`],
    ['  card', skill.card_id],
    ['  written', `${skill.version_created_at}, by ${kind} ${printable(id)}`],
    ['  tests', skill.tests.length === 0 ? 'none' : testedText(skill.test_result)],
  ];
  return [
    printable(skill.name),
    '',
    wrapped(printable(skill.description), width, '  '),
    '',
    table(fields),
    '',
    ...skill.body.split('\n').map((line) => `  ${printable(line)}`.trimEnd()),
  ].join('\n');
}

function testedText(result: SkillTestResult | null): string {
  return result === null ? 'not run' : `${result.passed} passed, ${result.failed} failed`;
}

/** What came of testing a version, and each test that it failed. */
export function testsText(skill: Skill): string {
  const { test_result: result } = skill;
  const outcome =
    skill.current_version === skill.version
      ? `Version ${skill.version} of ${skill.name} is in use`
      : `Version ${skill.version} of ${skill.name} is ${skill.version_status}; ${inUseText(skill)}`;
  const held =
    skill.reason === undefined ? [] : [`Held back (${skill.reason}): a person tests it.`];
  const failed = (result?.results ?? []).flatMap((one) => {
    if (one.passed) return [];
    const back = result?.regressions.includes(one.id) ? ', a step back' : '';
    const at = one.at === null ? '' : `: ${oneLine(one.at, DESCRIPTION)}`;
    return [`  ${one.id}  ${one.kind}  ${one.why.replaceAll('_', ' ')}${at}${back}`];
  });
  return [`${printable(outcome)}. Tests: ${testedText(result)}.`, ...held, ...failed].join('\n');
}

function inUseText({ current_version: current }: Skill): string {
  return current === null ? 'none is in use' : `version ${current} is in use`;
}

export function diffText(diff: SkillDiff, width: number): string {
  const head = `${printable(diff.name)}, version ${diff.from} to ${diff.to}`;
  if (diff.sections.length === 0) return `${head}: no difference.`;
  return [head, ...diff.sections.map((section) => sectionText(section, width))].join('\n\n');
}

function sectionText(section: SkillSectionDiff, width: number): string {
  const { removed = [], added = [], before, after } = section;
  const marked = (mark: string, text: string) =>
    text.split('\n').map((line) => wrapped(printable(line), width, `${mark} `));
  return [
    section.section.replaceAll('_', ' '),
    ...(before === undefined ? [] : marked('-', before)),
    ...(after === undefined ? [] : marked('+', after)),
    ...removed.flatMap((text) => marked('-', text)),
    ...added.flatMap((text) => marked('+', text)),
    ...(section.reordered === true ? ['  in another order'] : []),
  ].join('\n');
}
