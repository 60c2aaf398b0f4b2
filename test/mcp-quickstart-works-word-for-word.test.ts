import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { McpSession } from './support/mcp';
import { Program } from './support/program';

jest.setTimeout(180_000);

const ROOT = join(__dirname, '..');
const DOC = readFileSync(join(ROOT, 'docs', 'mcp.md'), 'utf8');

let dataDir: string;
let program: Program;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-quickstart-'));
  program = await Program.start(dataDir);
}, 180_000);
afterAll(async () => {
  await program.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** What its readers put into their files; of the paths and the key in it they put in their own. */
function servers(): { stdio: Stdio; http: Http } {
  const blocks = [...DOC.matchAll(/```json\n([\s\S]*?)```/g)].map(([, block = '']) => {
    const own = block
      .replaceAll('/path/to/cairn/.cairn', dataDir)
      .replaceAll('/path/to/cairn', ROOT)
      .replaceAll('http://127.0.0.1:4747', program.runtime.url)
      .replaceAll('cairn_…', program.ownerKey);
    return (JSON.parse(own) as { mcpServers: { cairn: Stdio | Http } }).mcpServers.cairn;
  });
  const stdio = blocks.find((one) => 'command' in one);
  const http = blocks.find((one) => 'url' in one);
  if (stdio === undefined || http === undefined) throw new Error('the page has lost a block');
  return { stdio: stdio as Stdio, http: http as Http };
}

interface Stdio {
  command: string;
  args: string[];
  env: Record<string, string>;
}

interface Http {
  type: string;
  url: string;
  headers: Record<string, string>;
}

it('a client that starts what the page says remembers, in one conversation and in another', async () => {
  const { stdio, http } = servers();
  const open = () => {
    const env = { PATH: process.env.PATH ?? '', ...stdio.env };
    return McpSession.over(new StdioClientTransport({ ...stdio, env, stderr: 'inherit' }));
  };
  const first = await open();
  const text = 'The newsletter goes out on Tuesdays.';
  expect((await first.call('add_memory', { text })).isError).toBe(false);
  await first.close();

  const second = await open();
  const query = 'When does the newsletter go out?';
  expect((await second.call('memory_search', { query })).text).toContain(`«${text}»`);
  const task = { name: 'start_task', arguments: { task: 'Send the newsletter' } };
  expect(JSON.stringify(await second.client.getPrompt(task))).toContain(text);
  await second.close();

  expect(http.type).toBe('http');
  const { origin } = new URL(http.url);
  const { Authorization = '', ...more } = http.headers;
  const third = await McpSession.http({ url: origin }, Authorization.replace('Bearer ', ''), more);
  expect((await third.call('search_memories', { query })).text).toContain(text);
  await third.close();
});

it('the page names every tool, resource and prompt that there is, and no other', async () => {
  const headers = { 'cairn-agent': 'desk-assistant' };
  const session = await McpSession.http({ url: program.runtime.url }, program.ownerKey, headers);
  const named = (section: string, pattern: RegExp) => {
    const [, rest = ''] = DOC.split(`\n## ${section}\n`);
    const [part = ''] = rest.split('\n## ');
    return [...part.matchAll(pattern)].map(([, name]) => name).sort();
  };
  const first = /^\| `([^` ]+)`/gm;
  expect(named('The tools', first)).toEqual((await session.tools()).sort());
  const { prompts } = await session.client.listPrompts();
  expect(named('Prompts', first)).toEqual(prompts.map(({ name }) => name).sort());
  const { resourceTemplates } = await session.client.listResourceTemplates();
  expect(named('Resources', first)).toEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort(),
  );
  await session.close();
});
