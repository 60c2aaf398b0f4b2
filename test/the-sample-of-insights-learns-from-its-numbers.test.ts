import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bookOf } from '../src/cli/sample/insights/numbers';
import type { Shown } from '../src/cli/sample/insights/shown';
import { DEEDS } from '../src/cli/sample/insights/story';
import { Program } from './support/program';

jest.setTimeout(480_000);

let dataDir: string;
let program: Program;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-sample-'));
  program = await Program.start(dataDir);
});

afterAll(async () => {
  await program?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

function sample(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const main = join(__dirname, '..', 'dist', 'cli', 'main.js');
  const { PATH = '' } = process.env;
  return spawnSync(process.execPath, [main, 'sample', 'insights', ...args], {
    encoding: 'utf8',
    env: { PATH, CAIRN_DATA_DIR: dataDir },
  });
}

interface Answer extends Shown {
  told: { numbers: number; saved: number; taken: number };
}

test('one action is promoted, one demoted and one removed, by what the numbers did', async () => {
  const first = sample('--json');
  expect(first).toMatchObject({ status: 0 });
  const one = JSON.parse(first.stdout) as Answer;
  expect(one.told).toEqual({ numbers: 234, saved: 11, taken: 10 });

  expect(one.promoted).toMatchObject([
    {
      text: expect.stringContaining('lunch cook'),
      priority: 'high',
      boost: 1.75,
      evidence: { outcomes: 3, improved: 3, unchanged: 0, worse: 0 },
      rationale: expect.stringMatching(
        /^Improved 3 of 3 times, last \d+ % less sample\.garden\.labor_percent/,
      ),
    },
  ]);
  expect(one.demoted).toMatchObject([
    {
      text: expect.stringContaining('twenty dishes'),
      priority: 'low',
      evidence: { outcomes: 2, worse: 2 },
      caution: expect.stringContaining('worse 2 of 2 times'),
    },
  ]);
  expect(one.removed).toMatchObject([
    {
      text: expect.stringContaining('dessert'),
      evidence: { outcomes: 3, worse: 3 },
      blocked: { by: 'owner', reason: 'It made things worse 3 of 3 times.' },
    },
  ]);
  expect(one.last.removed).toBe(1);
  expect(one.last.actions.map(({ priority }) => priority)).toEqual(['high', 'normal', 'low']);
  expect(JSON.stringify(one.last)).not.toContain('dessert');

  // What Cairn measured is what the numbers say: from the week of the action to the third one after it.
  const book = bookOf(DEEDS);
  const measured = one.outcomes.map(({ action }) => action.outcome);
  const expected = DEEDS.filter(({ changes }) => changes !== 'voids').map(
    ({ restaurant, changes, week }) => {
      const [before = 0, after = 0] = [week, week + 3].map(
        (at) => book[restaurant][changes][at - 1],
      );
      return { metric: `sample.${restaurant}.${changes}`, baseline: before, value: after };
    },
  );
  expect(measured).toHaveLength(expected.length);
  expect(measured).toEqual(
    expect.arrayContaining(expected.map((row) => expect.objectContaining(row))),
  );

  const second = sample('--json');
  expect(second).toMatchObject({ status: 0 });
  const { told, ...shown } = JSON.parse(second.stdout) as Answer;
  expect(told).toEqual({ numbers: 234, saved: 0, taken: 0 });
  const { told: _, ...before } = one;
  expect(shown).toEqual(before);
});

test('people read why', () => {
  const { status, stdout } = sample();
  expect(status).toBe(0);
  expect(stdout).toMatch(/Promoted:\n\n.*lunch cook.*\n\s+Improved 3 of 3 times/);
  expect(stdout).toMatch(
    /Demoted:\n\n.*twenty dishes\n\s+Caution: It made things worse 2 of 2 times/,
  );
  expect(stdout).toMatch(
    /Removed,.*\n\n.*dessert.*\n\s+Blocked by owner: It made things worse 3 of 3 times/,
  );
});
