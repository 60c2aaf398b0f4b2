import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { startApi, type TestApi } from './support/api';
import { accessLog, type Fleet, makeFleet } from './support/fleet';
import { McpSession } from './support/mcp';
import { build } from './support/program';

const PROGRAM = join(__dirname, '..', 'dist', 'cli', 'main.js');

let api: TestApi;
let fleet: Fleet;
let dataDir: string;
const sessions: McpSession[] = [];

beforeAll(async () => {
  build();
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-stdio-'));
  api = await startApi();
  fleet = await makeFleet(api);
}, 180_000);
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});
afterAll(async () => {
  await api.close();
  rmSync(dataDir, { recursive: true });
});

const environment = (more: Record<string, string>): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  CAIRN_DATA_DIR: dataDir,
  CAIRN_URL: api.url,
  ...more,
});

async function open(env: Record<string, string>, args: string[] = []): Promise<McpSession> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', ...args],
    env: environment(env),
    stderr: 'pipe',
  });
  const session = await McpSession.over(transport);
  sessions.push(session);
  return session;
}

it('lists and calls the tools of the Cairn that runs', async () => {
  const session = await open({ CAIRN_KEY: fleet.planner });
  expect(session.client.getServerVersion()).toMatchObject({ name: 'cairn' });
  expect(session.client.getInstructions()).toContain('memory_search');
  const overHttp = await McpSession.http(api, fleet.planner);
  sessions.push(overHttp);
  expect(await session.client.listTools()).toEqual(await overHttp.client.listTools());
  const text = 'The ferry leaves at six.';
  const kept = await session.call('add_memory', { text });
  const found = await session.call('memory_search', { query: 'when does the ferry leave' });
  expect(found.structured.cards[0].id).toBe(kept.structured.results[0].id);
  expect(found.text).toContain(`«${text}»`);
  const wrong = await session.call('memory_search', { query: 'x', scope: 'team' });
  expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('no such argument') });
  await expect(session.call('memory_forget')).rejects.toThrow('tools/list names them');
});

it('forwards resources and prompts, with their pages and their errors', async () => {
  const session = await open({ CAIRN_KEY: fleet.planner });
  const overHttp = await McpSession.http(api, fleet.planner);
  sessions.push(overHttp);
  for (let at = 0; at < 52; at += 1) {
    await overHttp.call('note', { key: `pier-${at}`, value: `Pier ${at}.` });
  }
  expect(Object.keys(session.client.getServerCapabilities() ?? {})).toEqual(
    Object.keys(overHttp.client.getServerCapabilities() ?? {}),
  );
  const first = await session.client.listResources();
  expect(first).toEqual(await overHttp.client.listResources());
  const cursor = first.nextCursor ?? '';
  const second = await session.client.listResources({ cursor });
  expect(second).toEqual(await overHttp.client.listResources({ cursor }));
  expect(second.resources.length).toBeGreaterThan(0);
  const uri = 'cairn://notes/pier-7';
  expect(await session.client.readResource({ uri })).toMatchObject({
    contents: [{ uri, text: expect.stringContaining('Pier 7.') }],
  });
  expect(await session.client.listResourceTemplates()).toEqual(
    await overHttp.client.listResourceTemplates(),
  );
  expect(await session.client.listPrompts()).toEqual(await overHttp.client.listPrompts());
  const task = { name: 'start_task', arguments: { task: 'paint pier 7' } };
  expect(JSON.stringify(await session.client.getPrompt(task))).toContain('Pier 7.');
  await expect(session.client.readResource({ uri: 'cairn://notes/nowhere' })).rejects.toMatchObject(
    { code: -32002 },
  );
  for (const wrong of ['nonsense', '']) {
    await expect(session.client.listResources({ cursor: wrong })).rejects.toMatchObject({
      code: -32602,
    });
  }
  await expect(session.client.getPrompt({ name: 'start_task' })).rejects.toMatchObject({
    code: -32602,
  });
});

it('is the agent that CAIRN_AGENT names, headless unless it is told otherwise', async () => {
  await api.call('PUT', '/v1/people/ada', { body: { name: 'Ada', role: 'member' } });
  const planner = await open({ CAIRN_KEY: fleet.runtime, CAIRN_AGENT: 'planner' });
  const { structured } = await planner.call('note', { key: 'tide', value: 'High at noon.' });
  await planner.call('share', { id: structured.note.card_id, agent: 'coder' });
  const coder = await open({ CAIRN_KEY: fleet.runtime, CAIRN_AGENT: 'planner' }, [
    '--agent',
    'coder',
  ]);
  expect((await coder.call('note', { key: 'tide' })).text).toContain('High at noon.');
  expect((await accessLog(api)).at(-1)).toMatchObject({ agent: 'coder', person: null });
  const forAda = await open({ CAIRN_KEY: fleet.runtime, CAIRN_AGENT: 'coder' }, [
    '--person',
    'ada',
    '--execution-mode',
    'interactive',
  ]);
  await forAda.call('note', { key: 'tide' });
  expect((await accessLog(api)).at(-1)).toMatchObject({ agent: 'coder', person: 'ada' });
  const inferred = await open({ CAIRN_KEY: fleet.runtime, CAIRN_AGENT: 'coder' }, [
    '--person',
    'ada',
  ]);
  expect(await inferred.call('note', { key: 'tide' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('Cairn-Execution-Mode: interactive'),
  });
});

it('sees a revoke, a restriction and a revoked key at the very next call', async () => {
  const made = await api.call('POST', '/v1/keys', {
    body: { principal: { kind: 'agent', id: 'coder' } },
  });
  const session = await open({ CAIRN_KEY: made.body.key });
  const planner = await open({ CAIRN_KEY: fleet.planner });
  const key = 'lamp';
  const { structured } = await planner.call('note', { key, value: 'The lamp is green.' });
  const id = structured.note.card_id;
  const query = 'which colour has the lamp';
  const beside: [string, () => Promise<unknown>][] = [
    ['resources/list', () => session.client.listResources()],
    [
      'resources/read',
      () => session.client.readResource({ uri: 'cairn://notes/lamp' }).catch(() => null),
    ],
    [
      'prompts/get',
      () => session.client.getPrompt({ name: 'start_task', arguments: { task: query } }),
    ],
  ];
  for (const [name, read] of beside) {
    const shows = async () => JSON.stringify(await read()).includes('lamp is green');
    await planner.call('share', { id, agent: 'coder' });
    expect([name, await shows()]).toEqual([name, true]);
    await planner.call('unshare', { id, agent: 'coder' });
    expect([name, await shows()]).toEqual([name, false]);
  }
  for (const [name, args] of [
    ['memory_search', { query }],
    ['search_memories', { query }],
    ['read_notes', {}],
    ['note', { key }],
  ] as const) {
    const shows = async () => JSON.stringify(await session.call(name, args)).includes(id);
    await planner.call('share', { id, agent: 'coder' });
    expect([name, await shows()]).toEqual([name, true]);
    await planner.call('unshare', { id, agent: 'coder' });
    expect([name, await shows()]).toEqual([name, false]);
  }

  expect(await session.tools()).toContain('add_memory');
  await api.call('PUT', '/v1/agents/coder', { body: { team: 'red', restricted: true } });
  expect((await session.call('add_memory', { text: 'No.' })).text).toContain('reads only');
  expect(await session.tools()).not.toContain('add_memory');

  await api.call('DELETE', `/v1/keys/${made.body.id}`);
  const refused = await session.call('memory_search', { query });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('revoked') });
  await expect(session.tools()).rejects.toThrow('revoked');
  await expect(session.client.listResources()).rejects.toThrow('revoked');
  await expect(session.client.getPrompt({ name: 'end_task' })).rejects.toThrow('revoked');
});

/** An address at which nothing answers until it is started there. */
async function later() {
  const placeholder = createServer().listen(0, '127.0.0.1');
  await once(placeholder, 'listening');
  const { port } = placeholder.address() as { port: number };
  placeholder.close();
  const target = Number(new URL(api.url).port);
  const start = async () => {
    const late = createServer((socket) => {
      const onward = connect(target, '127.0.0.1');
      socket.on('error', () => onward.destroy()).pipe(onward);
      onward.on('error', () => socket.destroy()).pipe(socket);
    }).listen(port, '127.0.0.1');
    await once(late, 'listening');
    return late;
  };
  return { port, start };
}

/** Which lists a client is told to ask for again. */
function toldOf({ client }: McpSession): string[] {
  const told: string[] = [];
  const schemas = [
    ToolListChangedNotificationSchema,
    ResourceListChangedNotificationSchema,
    PromptListChangedNotificationSchema,
  ];
  for (const schema of schemas) {
    client.setNotificationHandler(schema, ({ method }) => {
      told.push(method);
    });
  }
  return told;
}

it('starts without a Cairn, says so in its answers, and finds it once it runs', async () => {
  const { port, start } = await later();
  const session = await open({ CAIRN_KEY: fleet.planner, CAIRN_URL: `http://127.0.0.1:${port}` });
  const away = await session.call('read_notes');
  expect(away).toMatchObject({ isError: true, text: expect.stringContaining('no Cairn answers') });
  const late = await start();
  expect(await session.call('read_notes')).toMatchObject({ isError: false });
  late.close();
  const nowhere = await open({ CAIRN_KEY: fleet.planner, CAIRN_URL: '' });
  const none = await nowhere.call('read_notes');
  expect(none).toMatchObject({ isError: true, text: expect.stringContaining('npm start') });
  expect(await nowhere.tools()).toContain('memory_search');
});

it('lists its tools and prompts before Cairn runs, and says which lists to ask for again then', async () => {
  const { port, start } = await later();
  const url = { CAIRN_URL: `http://127.0.0.1:${port}` };
  await api.call('PUT', '/v1/agents/planner', { body: { team: 'red' } });
  const restricted = { body: { parent_agent: 'planner', restricted: true } };
  await api.call('PUT', '/v1/agents/child', restricted);
  const session = await open({ CAIRN_KEY: fleet.planner, ...url });
  const child = await open({ CAIRN_KEY: fleet.child, ...url });
  const [told, childTold] = [toldOf(session), toldOf(child)];
  const overHttp = await McpSession.http(api, fleet.planner);
  sessions.push(overHttp);
  const { client } = session;
  const [tools, prompts, templates, ofChild] = await Promise.all([
    client.listTools(),
    client.listPrompts(),
    client.listResourceTemplates(),
    child.tools(),
    expect(client.listResources()).rejects.toThrow('no Cairn answers'),
    expect(client.listTools({ cursor: 'x' })).rejects.toThrow('no Cairn answers'),
  ]);
  expect(tools).toEqual(await overHttp.client.listTools());
  expect(prompts).toEqual(await overHttp.client.listPrompts());
  expect(templates).toEqual(await overHttp.client.listResourceTemplates());
  expect(ofChild).toEqual(tools.tools.map(({ name }) => name));
  expect(told).toEqual([]);

  const late = await start();
  // The client checks it against the schema that was listed before Cairn ran.
  const text = 'The barge is called Beatrice.';
  const kept = await session.call('add_memory', { text });
  expect(kept.structured.results[0].memory).toBe(text);
  expect([...told].sort()).toEqual([
    'notifications/prompts/list_changed',
    'notifications/resources/list_changed',
    'notifications/tools/list_changed',
  ]);
  expect((await client.listResources()).resources).toEqual(expect.any(Array));
  expect((await child.call('add_memory', { text })).text).toContain('reads only');
  expect(childTold).toEqual(['notifications/tools/list_changed']);
  expect(await child.tools()).not.toContain('add_memory');
  expect(told).toHaveLength(3);
  for (const list of ['tools', 'resources', 'prompts'] as const) {
    expect(client.getServerCapabilities()?.[list]?.listChanged).toBe(true);
  }
  late.close();
});

describe('the streams', () => {
  const run = (env: Record<string, string>) => {
    const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env: environment(env) });
    const heard = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      heard.out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      heard.err += chunk.toString();
    });
    return { child, heard, ended: once(child, 'close') };
  };
  const line = (id: number, method: string, params: unknown = {}) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const START = line(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'a-test', version: '1' },
  });

  it('stdout carries the protocol alone; what is in hand is answered before it ends with 0', async () => {
    const { child, heard, ended } = run({ CAIRN_KEY: fleet.planner, CAIRN_LOG_LEVEL: 'trace' });
    const call = line(3, 'tools/call', { name: 'read_notes', arguments: {} });
    child.stdin.end(
      `${START}this is no message\n{"jsonrpc":"2.0"}\n${line(2, 'tools/list')}${call}`,
    );
    expect(await ended).toEqual([0, null]);
    const messages = heard.out
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(messages.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    expect(messages.every((message) => message.result !== undefined)).toBe(true);
    expect(heard.err).toContain('no message of the protocol');
    expect(heard.err).not.toContain('this is no message');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('%s ends it with 0', async (signal) => {
    const { child, heard, ended } = run({ CAIRN_KEY: fleet.planner });
    child.stdin.write(START);
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(heard.out.trimEnd().split('\n')).toHaveLength(1);
  });

  it('a message without an end is not taken in for ever', async () => {
    const { child, heard, ended } = run({ CAIRN_KEY: fleet.planner });
    child.stdin.on('error', () => undefined);
    child.stdin.write('x'.repeat(2 * 1024 * 1024));
    expect(await ended).toEqual([1, null]);
    expect(heard.out).toBe('');
    expect(heard.err).toContain('a message is longer than');
  });
});
