import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const PROJECT = join(__dirname, '..');
let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-verify-')));
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
  execFileSync('git', ['init', '--quiet'], { cwd: root });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

function check(script: string): { status: number | null; output: string } {
  const path = join(PROJECT, 'scripts', script);
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, root], {
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

const STORE = { 'src/store/pool.ts': 'export const pool = 1;\nexport type Pool = number;\n' };
const ACTIVITIES = {
  'src/activities/file.ts': 'export const file = 1;\nexport type File = typeof file;\n',
};

describe('zones', () => {
  it.each([
    ['domain-imports-only-contracts', 'src/domain/a.ts', "export { pool } from '../store/pool';\n"],
    [
      'domain-imports-only-contracts',
      'src/domain/a.ts',
      "import type { Pool } from '../store/pool';\nexport type A = Pool;\n",
    ],
    [
      'activities-in-workflows-are-types',
      'src/workflows/a.ts',
      "import { file } from '../activities/file';\nexport const a = file;\n",
    ],
    ['sandbox-has-no-node', 'src/workflows/a.ts', "import 'node:fs';\n"],
    [
      'sandbox-has-no-servers',
      'src/domain/a.ts',
      "import type { z } from 'zod';\nexport type A = z;\n",
    ],
    ['sql-lives-in-store', 'src/api/a.ts', "import { Pool } from 'pg';\nexport const a = Pool;\n"],
    ['no-circles', 'src/store/a.ts', "import { b } from './b';\nexport const a = () => b;\n"],
    ['imports-exist', 'src/store/a.ts', "import './nowhere';\n"],
  ])('%s is broken by %s', (rule, file, text) => {
    write({
      ...STORE,
      ...ACTIVITIES,
      'src/store/b.ts': "import { a } from './a';\nexport const b = () => a;\n",
      'src/store/a.ts': 'export const a = 1;\n',
      [file]: text,
    });
    const { status, output } = check('zones.mjs');
    expect(output).toContain(`${rule}: `);
    expect(status).toBe(1);
  });

  it('forgives types where the design says so, however the import is written', () => {
    write({
      ...STORE,
      ...ACTIVITIES,
      'src/workflows/a.ts':
        "import { type File } from '../activities/file';\nexport type A = File;\n",
      'src/workflows/b.ts':
        "import type { File } from '../activities/file';\nexport type B = File;\n",
      'src/api/c.ts': "import type { Pool } from 'pg';\nexport type C = Pool;\n",
    });
    expect(check('zones.mjs')).toEqual({
      status: 0,
      output: expect.stringContaining('0 forbidden'),
    });
  });
});

describe('house rules', () => {
  // Put together here, so that this file does not itself break the rules it tests.
  const environment = ['process', 'env'].join('.');
  const only = ['it', 'only'].join('.');
  const skip = ['it', 'skip'].join('.');

  it.each([
    ['environment-in-config', 'src/api/a.ts', `\nexport const a = ${environment}.HOME;\n`],
    [
      'cards-by-visible-cards',
      'src/store/recall.ts',
      '\nconst sql = `SELECT 1\n  FROM cards c`;\n',
    ],
    [
      'cards-by-visible-cards',
      'src/store/a.sql',
      '\nSELECT 1 FROM edges e JOIN cards c ON true;\n',
    ],
    [
      'insights-by-one-path',
      'src/store/import.ts',
      '\nconst sql = `INSERT INTO insights (id) VALUES ($1)`;\n',
    ],
    ['deterministic', 'src/domain/a.ts', '\nexport const a = () => Date.now();\n'],
    ['no-focused-tests', 'test/a.test.ts', `\n${only}('a', () => undefined);\n`],
    ['skips-say-why', 'test/a.test.ts', `\n${skip}('a', () => undefined);\n`],
  ])('%s is broken by line 2 of %s', (rule, file, text) => {
    write({ [file]: text });
    const { status, output } = check('house-rules.mjs');
    expect(output).toContain(`${file}:2  ${rule}: `);
    expect(status).toBe(1);
  });

  it('short-files is broken by the line after the last allowed one', () => {
    write({ 'src/store/a.ts': '// line\n'.repeat(401) });
    expect(check('house-rules.mjs').output).toContain('src/store/a.ts:401  short-files');
  });

  it('no-place-of-ours is broken by the path of the folder itself', () => {
    write({ 'README.md': `see ${root}/docs\n` });
    expect(check('house-rules.mjs').output).toContain('README.md:1  no-place-of-ours');
  });

  it('lets through what it should', () => {
    write({
      'src/config/a.ts': `export const a = ${environment}.HOME;\n`,
      'src/store/recall.ts':
        'const sql = `SELECT 1 FROM visible_cards($1) v JOIN cards c ON true`;\n',
      'src/store/filing.ts': 'const sql = `SELECT 1 FROM cards`;\n',
      'src/store/b.ts': '// reads FROM cards\nconst sql = `SELECT 1 FROM cards_archive`;\n',
      'src/api/c.ts': `// ${environment} is read elsewhere\n`,
      'test/a.test.ts': `// needs two machines\n${skip}('a', () => undefined);\n`,
      'src/store/d.ts': '// line\n'.repeat(400),
    });
    expect(check('house-rules.mjs')).toEqual({
      status: 0,
      output: expect.stringContaining('0 findings'),
    });
  });
});
