import { startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet } from './support/fleet';
import { type Given, mem0, said } from './support/mem0';

let api: TestApi;
let fleet: Fleet;
beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
});
afterAll(() => api.close());

/** Which calls of the client that is open show the memory. */
async function shownBy(client: ReturnType<typeof mem0>, id: string): Promise<string[]> {
  const filters = { user_id: 'ann' };
  const calls: Record<string, () => Promise<unknown>> = {
    search: () => client.search('what does she play', { filters, topK: 100 }),
    filtered: () =>
      client.search('oboe', { filters: { AND: [filters, { created_at: { gt: '2000-01-01' } }] } }),
    getAll: () => client.getAll({ filters }),
    get: () => client.get(id),
    history: () => client.history(id),
    users: () => client.users(),
  };
  const shown: string[] = [];
  for (const [name, call] of Object.entries(calls)) {
    const answer = JSON.stringify(await call().catch(() => null));
    if (answer.includes(id) || (name === 'users' && answer.includes('"ann"'))) shown.push(name);
  }
  return shown;
}

const EVERY_CALL = ['search', 'filtered', 'getAll', 'get', 'history', 'users'];

it('shared, shown; taken back, not shown by the very next call of the open client', async () => {
  const planner = mem0(api, fleet.planner);
  const coder = mem0(api, fleet.coder);
  const { results } = (await planner.add(said('I play the oboe'), { userId: 'ann' })) as Given;
  const [{ id }] = results;
  expect(await shownBy(coder, id)).toEqual([]);
  const grant = `/v1/cards/${id}/grants/coder`;
  await api.call('PUT', grant, { key: fleet.planner });
  expect(await shownBy(coder, id)).toEqual(EVERY_CALL);
  // Shown is not theirs: it stays where it is.
  await expect(coder.delete(id)).rejects.toMatchObject({ errorCode: 'HTTP_403' });
  expect(await coder.deleteAll({ userId: 'ann' })).toMatchObject({ deleted: 0, kept: 1 });
  await api.call('DELETE', grant, { key: fleet.planner });
  expect(await shownBy(coder, id)).toEqual([]);

  await api.call('PUT', grant, { key: fleet.planner });
  expect(await shownBy(coder, id)).toEqual(EVERY_CALL);
  await planner.delete(id);
  expect(await shownBy(coder, id)).toEqual([]);
});

it('what an owner reads of others stands in the access log', async () => {
  const planner = mem0(api, fleet.planner);
  const { results } = (await planner.add(said('I play the viola'), { userId: 'vi' })) as Given;
  await mem0(api, api.ownerKey).getAll({ filters: { user_id: 'vi' } });
  await mem0(api, api.ownerKey).search('viola', { filters: { user_id: 'vi' } });
  const { body } = await api.call('GET', '/v1/access-log');
  const surfaces = body.items
    .filter((row: Given) => row.card_ids.includes(results[0].id))
    .map((row: Given) => [row.surface, row.via]);
  expect(surfaces).toEqual([
    ['recall', 'person'],
    ['memories.list', 'person'],
  ]);
});

it('a revoked key ends an open client at its next call', async () => {
  const { body } = await api.call('POST', '/v1/keys', {
    body: { principal: { kind: 'agent', id: 'coder' } },
  });
  const client = mem0(api, body.key);
  expect((await client.getAll()).count).toBe(0);
  await api.call('DELETE', `/v1/keys/${body.id}`);
  for (const call of [
    () => client.getAll(),
    () => client.search('anything'),
    () => client.add(said('Hello there'), { userId: 'ann' }),
    () => client.deleteAll({ userId: 'ann' }),
  ]) {
    await expect(call()).rejects.toMatchObject({ name: 'AuthenticationError' });
  }
});

it('memory that is switched off gives and takes nothing', async () => {
  const client = mem0(api, fleet.planner);
  await client.add(said('I play the harp'), { userId: 'hank' });
  const filters = { user_id: 'hank' };
  await api.call('PUT', '/v1/workspace', { body: { memory_mode: 'off' } });
  expect((await client.search('harp', { filters })).results).toEqual([]);
  expect((await client.getAll({ filters })).count).toBe(0);
  const refused = client.add(said('I play the lute'), { userId: 'hank' });
  await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('memory_off') });
  await api.call('PUT', '/v1/workspace', { body: { memory_mode: 'automatic' } });
  expect((await client.search('harp', { filters })).results).toHaveLength(1);
});

it('what a restricted agent adds waits for its parent, who then has it', async () => {
  await api.call('PUT', '/v1/agents/child', {
    body: { parent_agent: 'planner', restricted: true },
  });
  const child = mem0(api, fleet.child);
  const filters = { user_id: 'kim' };
  const answer = (await child.add(said('I play the tuba'), { userId: 'kim' })) as Given;
  expect(answer).toMatchObject({ results: [], status: 'PENDING' });
  expect((await child.getAll({ filters })).count).toBe(0);
  const path = `/v1/pending-writes/${answer.pendingWriteId}`;
  const decided = await api.call('POST', path, { key: fleet.planner, body: { accept: true } });
  expect(decided.status).toBe(200);
  const { results } = await mem0(api, fleet.planner).search('tuba', { filters });
  expect(results).toMatchObject([{ memory: 'I play the tuba', agentId: 'planner' }]);
  for (const call of [
    () => child.update(results[0]?.id ?? '', { text: 'No' }),
    () => child.delete(results[0]?.id ?? ''),
    () => child.deleteAll({ userId: 'kim' }),
  ]) {
    await expect(call()).rejects.toMatchObject({ errorCode: 'HTTP_403' });
  }
});
