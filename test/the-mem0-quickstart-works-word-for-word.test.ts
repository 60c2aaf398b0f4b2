import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startApi, type TestApi } from './support/api';

const ROOT = resolve(__dirname, '..');
const page = readFileSync(join(ROOT, 'docs/mem0.md'), 'utf8');

let api: TestApi;
let dir: string;
beforeAll(async () => {
  api = await startApi();
  dir = mkdtempSync(join(tmpdir(), 'cairn-mem0-'));
  // What `npm install mem0ai` brings is there already.
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
});
afterAll(async () => {
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

/** The blocks of the page's quickstart, each with its language. */
function blocks(): { language: string; text: string }[] {
  const [, section = ''] = page.split('## Quickstart');
  const [quickstart = ''] = section.split('\n## ');
  return [...quickstart.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(
    ([, language = '', text = '']) => ({
      language,
      text,
    }),
  );
}

it('prints what the page says that it prints', async () => {
  const [, program, run, printed] = blocks();
  if (program?.language !== 'js' || run?.language !== 'sh' || printed?.language !== '') {
    throw new Error('the quickstart has other blocks than it had');
  }
  const [file] = /(?<=^\/\/ )\S+/.exec(program.text) ?? [''];
  writeFileSync(join(dir, file), program.text);
  const named = [...run.text.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const env = {
    ...Object.fromEntries(named),
    PATH: process.env.PATH,
    CAIRN_URL: api.url,
    CAIRN_KEY: api.ownerKey,
  };
  expect(run.text.trim().split('\n').at(-1)).toBe(`node ${file}`);
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: dir, env });
  expect(stdout).toBe(printed.text);
});

it('names every method of the client', () => {
  const { MemoryClient } = require('mem0ai') as { MemoryClient: { prototype: object } };
  const methods = Object.getOwnPropertyNames(MemoryClient.prototype).filter(
    (name) => name !== 'constructor' && !name.startsWith('_'),
  );
  expect(methods.length).toBeGreaterThan(20);
  const [, table = ''] = page.split('## The methods');
  for (const method of methods) expect(table).toContain(`\`${method}\``);
});
