import { startApi, type TestApi } from './support/api';

let api: TestApi;
const keys: Record<string, string> = {};
let card: string;

beforeAll(async () => {
  api = await startApi();
  for (const id of ['writer', 'a', 'b', 'c']) keys[id] = await api.keyFor({ kind: 'agent', id });
  await group('one', ['a', 'b']);
  await group('two', ['b']);
  const made = await api.call('POST', '/v1/cards', {
    key: keys.writer ?? '',
    body: { summary: 'The printer on the third floor jams on thick paper.' },
  });
  card = made.body.id;
  for (const id of ['one', 'two']) {
    const granted = await api.call('PUT', `/v1/cards/${card}/group-grants/${id}`, { body: {} });
    expect(granted.status).toBeLessThan(300);
  }
});
afterAll(() => api.close());

const group = (id: string, members: string[]) =>
  api.call('PUT', `/v1/agent-groups/${id}`, { body: { members } });

/** Which agents the card answers to, right now. */
async function readers(): Promise<string[]> {
  const seen: string[] = [];
  for (const id of ['a', 'b', 'c']) {
    const { status } = await api.call('GET', `/v1/cards/${card}`, { key: keys[id] ?? '' });
    expect([200, 404]).toContain(status);
    if (status === 200) seen.push(id);
  }
  return seen;
}

describe('what is granted to a group', () => {
  it('is seen by its members', async () => {
    expect(await readers()).toEqual(['a', 'b']);
  });

  it('is seen by who joins, and by the next read no more by who left', async () => {
    await group('one', ['c']);
    expect(await readers()).toEqual(['b', 'c']);
  });

  it('is still seen by way of another group', async () => {
    await group('one', ['b', 'c']);
    await group('two', []);
    expect(await readers()).toEqual(['b', 'c']);
    await group('one', ['c']);
    expect(await readers()).toEqual(['c']);
    const audit = await api.call('GET', '/v1/audit?target=one&action=agent_group.changed');
    expect(audit.body.items.map((row: { changed: string[] }) => row.changed)).toEqual([
      ['members'],
      ['members'],
      ['members'],
    ]);
  });
});
