import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Program } from './support/program';

jest.setTimeout(300_000);

const ROOT = join(__dirname, '..');
const START = 'npm start\n';

/** The fenced blocks of a page, or of one of its sections, in their order. */
function blocksOf(page: string, section?: string): { language: string; text: string }[] {
  const whole = readFileSync(join(ROOT, page), 'utf8');
  const from = section === undefined ? 0 : whole.indexOf(`\n## ${section}\n`);
  if (from < 0) throw new Error(`${page} has no section ${section}`);
  return [...whole.slice(from).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', text = '']) => ({ language, text }),
  );
}

let dataDir: string;
let program: Program;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-quickstart-'));
  program = await Program.start(dataDir);
});
afterAll(async () => {
  await program?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** As in a second terminal; a user stands in the directory that `.cairn` is in, the test's own is elsewhere. */
async function run(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    cwd: ROOT,
    env: {
      ...process.env,
      CAIRN_DATA_DIR: dataDir,
      CAIRN_URL: program.runtime.url,
      CAIRN_KEY: program.ownerKey,
    },
  });
  return stdout;
}

test('curl: the page is its script, and prints what it says', async () => {
  const page = blocksOf('docs/quickstart-curl.md');
  const textsOf = (language: string) =>
    page.filter((block) => block.language === language).map(({ text }) => text);
  const [start, ...commands] = textsOf('sh');
  expect(start).toBe(START);
  const script = readFileSync(join(ROOT, 'examples/curl/quickstart.sh'), 'utf8');
  expect(commands.join('\n')).toBe(script);

  const readme = blocksOf('examples/curl/README.md').map(({ text }) => text);
  const [, command = '', printed] = readme;
  expect(readme).toEqual([START, command, textsOf('text').join('')]);
  expect(await run(command)).toBe(printed);
});

test.each([
  ['LangGraph JS', 'examples/langgraph/README.md'],
  ['AI SDK', 'examples/ai-sdk/README.md'],
])('%s: what the pages say to run prints what they say', async (section, readme) => {
  const texts = blocksOf(readme).map(({ text }) => text);
  const [start, command = '', printed] = texts;
  expect(start).toBe(START);
  const inDocs = blocksOf('docs/adapters.md', section).map(({ text }) => text);
  expect(inDocs.slice(0, 3)).toEqual(texts);
  expect(await run(command)).toBe(printed);
  // A second time, nothing is fresh any more.
  expect(await run(command)).toBe(printed);
});
