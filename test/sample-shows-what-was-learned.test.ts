import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from './support/program';

jest.setTimeout(300_000);

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

function cairn(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const main = join(__dirname, '..', 'dist', 'cli', 'main.js');
  const { PATH = '' } = process.env;
  return spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    env: { PATH, CAIRN_DATA_DIR: dataDir },
  });
}

interface Stop {
  name: string;
  [field: string]: unknown;
}

test('the sample is loaded once, and shows the same each time', () => {
  const first = cairn('sample', '--json');
  expect(first).toMatchObject({ status: 0 });
  const one = JSON.parse(first.stdout) as { import: Record<string, unknown>; tour: Stop[] };
  expect(one.import).toMatchObject({
    accepted: 39,
    duplicates: 0,
    refused: 0,
    dispositions: { carded: 37, transient: 2 },
    unsettled: 0,
  });
  const stops = Object.fromEntries(one.tour.map((stop) => [stop.name, stop]));
  expect(stops.act).toMatchObject({ kind: 'constraint', via: 'ancestor' });
  expect(stops.resolved).toMatchObject({
    warning: expect.any(String),
    reason: expect.stringContaining('batch size 4200 → 400'),
  });
  expect(stops.act?.first).not.toBe(stops.resolved?.warning);
  expect(stops.conflict).toMatchObject({ reason: 'conflict', winner: expect.any(String) });
  expect(stops.competence).toMatchObject({
    ranked: [{ agent: 'clerk-ada' }, { agent: 'clerk-bo' }],
  });
  expect(stops.redacted).toMatchObject({
    events: [{ redactions: { email: 2, phone: 1 } }, { redactions: { email: 1, token: 1 } }],
  });
  expect(stops.kept_out).toMatchObject({
    transient: expect.arrayContaining(['sample-scratch-01', 'sample-sre-09']),
    flags: ['instruction_like'],
  });
  expect(stops.strikes).toMatchObject({ strikes: 3 });
  expect(stops.note).toMatchObject({ value: expect.stringContaining('250 EUR') });

  const second = cairn('sample', '--json');
  expect(second).toMatchObject({ status: 0 });
  const two = JSON.parse(second.stdout) as typeof one;
  expect(two.import).toMatchObject({ accepted: 0, duplicates: 39, refused: 0 });
  expect(two.tour).toEqual(one.tour);
});

test('what runs is found by itself, and the doctor is content', () => {
  const doctor = cairn('doctor', '--json');
  const { status, checks } = JSON.parse(doctor.stdout) as { status: string; checks: Stop[] };
  expect(checks.filter((check) => check.status === 'fail')).toEqual([]);
  expect(doctor.status).toBe(0);
  expect(['ok', 'warn']).toContain(status);
  expect(checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'lock',
      'runtime.json',
      'API',
      'postgres',
      'temporal',
      'workers',
      'key',
      'embedder',
    ]),
  );
});

test('people read the same, and only answers go to stdout', () => {
  const sample = cairn('sample');
  expect(sample.status).toBe(0);
  expect(sample.stdout).toContain('0 new, 39 known');
  expect(sample.stdout).not.toContain('Policy:');
  expect(sample.stderr).toContain('Policy: as it should be.');
  const recall = cairn('recall', 'send the spring issue', '--agent', 'herald', '--intent', 'act');
  expect(recall.stdout).toContain('Things to avoid');
});
