import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi, type TestApi } from './support/api';
import { runCommand } from './support/cli';
import { type Fleet, makeFleet } from './support/fleet';
import { NEWSLETTER, ORIGIN, Skills } from './support/skills';

let api: TestApi;
let fleet: Fleet;
let dir: string;
beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
  dir = mkdtempSync(join(tmpdir(), 'cairn-skills-'));
});
afterAll(async () => {
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

const cairn = (args: string[], key = api.ownerKey) =>
  runCommand(['skills', ...args], { CAIRN_URL: api.url, CAIRN_KEY: key });
const json = async (args: string[], key?: string) => {
  const { code, out } = await cairn([...args, '--json'], key);
  return { code, body: JSON.parse(out) };
};
const fileOf = (name: string, text: string) => {
  const file = join(dir, name);
  writeFileSync(file, text);
  return file;
};
const FOREIGN = `---
name: moor-the-boat
description: Moors a boat at a free berth.
license: MIT
---

# Moor the boat

## Steps

1. Call list_berths
2. Call moor with the first free one
`;

it('lists, shows and finds skills', async () => {
  expect((await cairn([])).out).toBe('No skills.\n');
  await new Skills(api, { key: fleet.planner }).made({ ...NEWSLETTER, tests: [ORIGIN] });
  const listed = await cairn([]);
  expect(listed.out).toMatch(
    /^send-the-newsletter +1 +current +agent:planner +Sends the newsletter/m,
  );
  expect(listed.out).toContain('1 of 1');
  expect((await cairn(['list', '--query', 'newsletter'])).out).toMatch(
    /agent:planner +1\.00 +Sends/,
  );
  expect((await cairn(['list', '--as', 'outsider'])).out).toBe('No skills.\n');
  expect((await json(['list', '--status', 'deprecated'])).body.total).toBe(0);
  const shown = await cairn(['show', 'send-the-newsletter']);
  expect(shown.out).toContain('1 of 1, in use');
  expect(shown.out).toContain('tests    1 passed, 0 failed');
  expect(shown.out).toContain('  1. Fetch the readers.\n     - Service: mailer');
  const { body } = await json(['show', 'send-the-newsletter', '--as', 'coder']);
  expect(body.error.code).toBe('not_found');
});

it('takes in a file, tells what differs, and puts out the same file', async () => {
  const file = fileOf('SKILL.md', FOREIGN);
  const nowhere = await cairn(['import', file]);
  expect([nowhere.code, nowhere.out]).toEqual([1, '']);
  expect(nowhere.err).toContain('scope');
  const made = await cairn(['import', file, '--team', 'red']);
  expect(made.out).toBe('Version 1 of moor-the-boat is in use. Tests: 0 passed, 0 failed.\n');
  const exported = await cairn(['export', 'moor-the-boat']);
  expect(exported.out).toBe(FOREIGN.replace('license: MIT\n', 'version: 1\nstatus: current\n'));

  const next = fileOf('next.md', exported.out.replace('list_berths', 'list_free_berths'));
  const again = await cairn(['import', next, '--team', 'red']);
  expect([again.code, again.out]).toEqual([
    0,
    'Version 2 of moor-the-boat is in use. Tests: 0 passed, 0 failed.\n',
  ]);
  const diff = await cairn(['diff', 'moor-the-boat', '1', '2']);
  expect(diff.out).toContain('steps\n- Call list_berths\n+ Call list_free_berths');
  expect((await cairn(['diff', 'moor-the-boat'])).out).toContain('version 2 to 2: no difference');
  expect((await json(['export', 'moor-the-boat', '--version', '1'])).body.skill_md).toBe(
    exported.out.replace('status: current', 'status: deprecated'),
  );
  expect(readFileSync(file, 'utf8')).toBe(FOREIGN);
});

it('tests, rolls back and deprecates, and tells the shell of a step back', async () => {
  const planner = new Skills(api, { key: fleet.planner });
  const { document } = NEWSLETTER;
  await planner.made({ ...NEWSLETTER, name: 'tried', tests: [ORIGIN] });
  await planner.post('/tried/versions', { document: { ...document, steps: [document.steps[1]] } });
  await planner.post('/tried/versions', { document: { ...document, causes: [] } });
  const worse = await cairn(['test', 'tried', '2']);
  expect(worse.code).toBe(1);
  expect(worse.out).toMatch(
    /^Version 2 of tried is failed; version 1 is in use\. Tests: 0 passed, 1 failed\.$/m,
  );
  expect(worse.out).toMatch(/origin {2}step missing: mailer\.list_readers, a step back/);
  expect((await json(['test', 'tried', '3', '--dry-run'])).body.current_version).toBe(1);
  expect((await cairn(['test', 'tried', '3'])).out).toContain('Version 3 of tried is in use');
  expect((await cairn(['rollback', 'tried'])).out).toContain('Version 1 of tried is in use');
  const advised = await cairn(['deprecate', 'tried', '--replaced-by', 'send-the-newsletter']);
  expect(advised.out).toContain('deprecated; use send-the-newsletter');
  expect((await cairn(['rollback', 'tried', '3'])).code).toBe(0);
});

it('says what is wrong with how it was asked', async () => {
  const twice = await cairn(['show', 'tried', '--team', 'red', '--workspace']);
  expect([twice.code, twice.err]).toEqual([2, expect.stringContaining('Say whose')]);
  const none = await cairn(['import', join(dir, 'none.md')]);
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('cannot be read')]);
  const plain = await cairn(['import', fileOf('plain.md', '# Just text')]);
  expect([plain.code, plain.err]).toEqual([1, expect.stringContaining('no SKILL.md')]);
  expect((await cairn(['diff', 'tried', 'one'])).code).toBe(2);
});
