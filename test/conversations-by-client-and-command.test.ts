import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CairnClient } from '../src/client/client';
import type { Conversations } from '../src/client/conversations';
import { startApi, type TestApi } from './support/api';
import { runCommand } from './support/cli';

let api: TestApi;
let conversations: Conversations;
let dir: string;
beforeAll(async () => {
  api = await startApi();
  const key = await api.keyFor({ kind: 'runtime', id: 'harness' });
  conversations = new CairnClient({ url: api.url, key, agent: 'herald' }).conversations;
  dir = mkdtempSync(join(tmpdir(), 'cairn-conversations-'));
});
afterAll(async () => {
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

const at = '2026-03-02T08:24:15Z';

it('the client starts, adds, asks for the context, reads and closes', async () => {
  const id = 'chat/42';
  expect(await conversations.put(id, { subject: 'ann' })).toMatchObject({ id, subject: 'ann' });
  const added = await conversations.append(id, [
    { role: 'user', content: 'Which pier?', at, name: 'Ann' },
    { role: 'assistant', content: 'Pier 7.', at },
  ]);
  expect(added).toMatchObject({ accepted: 2, first: 1, last: 2 });
  const context = await conversations.context(id);
  expect(context.messages).toEqual([
    { role: 'user', content: 'Which pier?', name: 'Ann' },
    { role: 'assistant', content: 'Pier 7.' },
  ]);
  const { context_version: if_context_version } = context;
  expect(await conversations.context(id, { if_context_version })).toBeNull();
  expect((await conversations.context(id, { budget_tokens: 256 })).tokens).toBe(context.tokens);
  const numbers: number[] = [];
  for await (const { n } of conversations.iterate(id, { limit: 1 })) numbers.push(n);
  expect(numbers).toEqual([1, 2]);
  expect((await conversations.message(id, 2)).content).toBe('Pier 7.');
  expect((await conversations.list({ subject: 'ann' })).items.map((one) => one.id)).toEqual([id]);
  expect(await conversations.close(id)).toMatchObject({ id, status: 'closed' });
  expect((await conversations.get(id)).status).toBe('closed');
  const more = conversations.append(id, [{ role: 'user', content: 'More?', at }]);
  await expect(more).rejects.toMatchObject({ status: 409, code: 'conversation_closed' });
});

describe('cairn conversations', () => {
  const run = async (...args: string[]) => {
    const environment = { CAIRN_DATA_DIR: dir, CAIRN_URL: api.url, CAIRN_KEY: api.ownerKey };
    return await runCommand(['conversations', ...args], environment);
  };
  beforeAll(async () => {
    await conversations.put('shown', { project: 'attic' });
    await conversations.append('shown', [
      { role: 'user', content: 'Where is \u001b[31mthe ladder?', at },
      { role: 'assistant', content: 'Behind the door.', at },
    ]);
  });

  it('lists them, as people see them or as one agent does', async () => {
    const { out } = await run('list', '--project', 'attic');
    expect(out).toMatch(/shown +open +herald +– +attic +2 /);
    expect((await run('--as', 'herald', '--status', 'archived')).out).toContain(
      'No conversations.',
    );
    const { items } = JSON.parse((await run('list', '--json')).out);
    expect(items.map(({ id }: { id: string }) => id)).toContain('shown');
  });

  it('shows one with what was said, and nothing of it moves the cursor', async () => {
    const { out } = await run('show', 'shown');
    expect(out).toContain('no summary yet');
    expect(out).toContain('Behind the door.');
    expect(out).not.toContain('\u001b');
    const shown = JSON.parse((await run('show', 'shown', '--json')).out);
    expect(shown).toMatchObject({ id: 'shown', messages: 2, page: { total: 2 } });
    expect((await run('show', 'nowhere')).code).not.toBe(0);
  });

  it('prints the list that would go to a model', async () => {
    const { out } = await run('context', 'shown', '--as', 'herald', '--budget', '300');
    expect(out).toContain('Behind the door.');
    expect(out).toMatch(/2 messages, \d+ tokens, 0 facts\./);
    const { messages } = JSON.parse((await run('context', 'shown', '--json')).out);
    expect(messages).toHaveLength(2);
  });
});
