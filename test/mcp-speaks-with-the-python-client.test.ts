import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet, writeCard } from './support/fleet';
import { build } from './support/program';
import { describeWithPythonMcp, PythonMcp, type Where } from './support/python-mcp';
import { plantSkills } from './support/surfaces/skilled';

describeWithPythonMcp('the official Python client', (home) => {
  let api: TestApi;
  let fleet: Fleet;
  let dataDir: string;
  beforeAll(async () => {
    build();
    dataDir = mkdtempSync(join(tmpdir(), 'cairn-python-'));
    api = await startApi();
    fleet = await makeFleet(api);
  }, 180_000);
  afterAll(async () => {
    await api.close();
    rmSync(dataDir, { recursive: true });
  });

  const WAYS: [string, (key: string) => Where][] = [
    [
      'streamable HTTP',
      (key) => ({
        url: new URL('/mcp', api.url).href,
        headers: { authorization: `Bearer ${key}` },
      }),
    ],
    [
      'stdio',
      (key) => ({
        command: process.execPath,
        args: [join(__dirname, '..', 'dist', 'cli', 'main.js'), 'mcp'],
        env: {
          PATH: process.env.PATH ?? '',
          CAIRN_DATA_DIR: dataDir,
          CAIRN_URL: api.url,
          CAIRN_KEY: key,
        },
      }),
    ],
  ];

  describe.each(WAYS)('over %s', (way, where) => {
    let planner: PythonMcp;
    let coder: PythonMcp;
    beforeAll(() => {
      planner = new PythonMcp(home, where(fleet.planner));
      coder = new PythonMcp(home, where(fleet.coder));
    });
    afterAll(async () => {
      await planner.close();
      await coder.close();
    });
    const call = (session: PythonMcp, name: string, args: object = {}) =>
      session.do('call', { name, args });

    it('calls every tool, and finds its answers as their schemas say', async () => {
      expect(await planner.do('about')).toMatchObject({ name: 'cairn' });
      const tools = (await planner.do('tools')).map(({ name }: { name: string }) => name);
      const text = `The ferry over ${way} leaves at six.`;
      const query = `when does the ferry over ${way} leave`;
      const saved = await call(planner, 'memory_manage', { action: 'save', text });
      const { id } = saved.structuredContent;
      await plantSkills(api.database, 'default', [id]);
      const calls: [string, object][] = [
        ['memory_search', { query, intent: 'look_up' }],
        ['search_memories', { query }],
        ['memory_manage', { action: 'update', id, text: `${text} Mostly.` }],
        ['add_memory', { text: 'And back at nine.' }],
        ['note', { key: 'ferry', value: 'At six.' }],
        ['note', { key: 'ferry' }],
        ['read_notes', {}],
        ['discover_skills', { query }],
        ['load_skill', { name: id }],
        ['validate', { id, verdict: 'success' }],
        ['share', { id, agent: 'coder' }],
        ['unshare', { id, agent: 'coder' }],
        ['memory_manage', { action: 'delete', id }],
      ];
      for (const [name, args] of calls) {
        const answer = await call(planner, name, args);
        expect([name, answer.isError ?? false]).toEqual([name, false]);
        expect([name, typeof answer.structuredContent]).toEqual([name, 'object']);
      }
      expect(new Set(calls.map(([name]) => name))).toEqual(new Set(tools));
      const wrong = await call(planner, 'memory_search', { query: 'x', scope: 'team' });
      expect(wrong).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('no such argument') }],
      });
      await expect(call(planner, 'memory_forget')).rejects.toMatchObject({ code: -32602 });
    });

    it('reads resources and takes prompts', async () => {
      await call(planner, 'note', { key: 'a/tide', value: 'High at noon. 🦉' });
      const resources = await planner.do('resources');
      const uri = 'cairn://notes/a%2Ftide';
      expect(resources.map((one: { uri: string }) => one.uri)).toContain(uri);
      expect(await planner.do('read', { uri })).toMatchObject({
        contents: [{ uri, text: expect.stringContaining('🦉') }],
      });
      expect(await planner.do('templates')).toHaveLength(3);
      await expect(planner.do('read', { uri: 'cairn://notes/nowhere' })).rejects.toMatchObject({
        code: -32002,
      });
      expect(await planner.do('prompts')).toHaveLength(2);
      for (const name of ['start_task', 'end_task']) {
        const { messages } = await planner.do('prompt', { name, args: { task: 'tide at noon' } });
        expect(messages[0].content.text).toContain('tide at noon');
      }
      await expect(
        planner.do('prompt', { name: 'start_task', args: { colour: 'red' } }),
      ).rejects.toMatchObject({ code: -32602 });
    });

    it('sees a revoke at the very next request of each kind', async () => {
      const summary = `The lamp of ${way} is green.`;
      const key = `lamp-${way.replace(' ', '-')}`;
      const { id } = await writeCard(api, { summary, key }, { key: fleet.planner });
      const grant = `/v1/cards/${id}/grants/coder`;
      const reads: [string, () => Promise<unknown>][] = [
        ['memory_search', () => call(coder, 'memory_search', { query: summary })],
        ['note', () => call(coder, 'note', { key })],
        ['resources', () => coder.do('resources')],
        ['read', () => coder.do('read', { uri: `cairn://notes/${key}` }).catch(() => null)],
        [
          'prompt',
          () => coder.do('prompt', { name: 'start_task', args: { task: `lamp of ${way}` } }),
        ],
      ];
      for (const [name, read] of reads) {
        const shows = async () => JSON.stringify(await read()).includes('is green');
        expect([name, await shows()]).toEqual([name, false]);
        await api.call('PUT', grant, { body: {} });
        expect([name, await shows()]).toEqual([name, true]);
        await api.call('DELETE', grant);
        expect([name, await shows()]).toEqual([name, false]);
      }
    });
  });
});
