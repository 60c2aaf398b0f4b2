import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const text = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8');

interface Point {
  name: string;
  tests: string[];
}

/** Rows of the tables that end with names of tests. */
const points: Point[] = text
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => cells.length === 5 && /^`[a-z0-9-]+`/.test(cells[3] ?? ''))
  .map((cells) => ({
    name: cells[1] ?? '',
    tests: [...(cells[3] ?? '').matchAll(/`([^`]+)`/g)].map(([, test]) => test ?? ''),
  }));

it('goes through both lists', () => {
  const named = points.map(({ name }) => name).join('\n');
  for (let point = 1; point <= 10; point += 1) expect(named).toContain(`**API${point}**`);
  for (const threat of ['T2', 'T3', 'T4', 'T5', 'T6', 'T8', 'T9', 'T10', 'T12', 'T13', 'T15']) {
    expect(named).toContain(`**${threat}**`);
  }
  expect(text).toContain('### T1 and ASI06');
  expect(text).toMatch(/T7, T11, T14 are not/);
  expect(points.length).toBeGreaterThan(25);
});

it.each(points)('$name is held by tests that there are', ({ tests }) => {
  expect(tests.length).toBeGreaterThan(0);
  const missing = tests.filter((test) => !existsSync(join(ROOT, 'test', `${test}.test.ts`)));
  expect(missing).toEqual([]);
});

it('is found from SECURITY.md', () => {
  expect(readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')).toContain('(docs/security.md)');
});

it('names every limit of the policy that is a rate or a quota', () => {
  const policy = readFileSync(join(ROOT, 'src', 'contracts', 'policy.ts'), 'utf8');
  const limits = policy.slice(policy.indexOf('interface LimitsPolicy'));
  const nullable = [...limits.matchAll(/^ {2}(\w+): number \| null;/gm)].map(([, name]) => name);
  expect(nullable.length).toBeGreaterThan(5);
  for (const name of nullable) expect(text).toContain(`\`${name}\``);
});
