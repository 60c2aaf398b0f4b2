import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from './support/program';

jest.setTimeout(120_000);

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-failing-'));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const secret = { CAIRN_SECRET_KEY: 'a secret key of the tests, of at least 32 characters' };

test.each([
  ['a Temporal CLI that is none', { CAIRN_TEMPORAL_CLI: '/nowhere' }, 'CAIRN_TEMPORAL_CLI'],
  [
    'a database that is away',
    { ...secret, DATABASE_URL: 'postgres://x@127.0.0.1:1/x' },
    '127.0.0.1',
  ],
  ['an owner key that can be guessed', { CAIRN_BOOTSTRAP_KEY: 'short' }, 'CAIRN_BOOTSTRAP_KEY'],
])('%s: one sentence, an exit code, nothing left behind', async (_what, environment, said) => {
  const program = Program.spawn(dataDir, environment);
  expect(await program.exited).not.toBe(0);
  const output = program.output.join('');
  expect(output).toContain(said);
  expect(output).not.toMatch(/^\s+at /m);
});
