import { type Given, type Mem0Api, mem0, refusal, said, startMem0 } from './support/mem0';

let api: Mem0Api;
beforeAll(async () => {
  api = await startMem0('clerk');
});
afterAll(() => api.close());

const memories = (answer: Given): string[] =>
  answer.results.map(({ memory }: { memory: string }) => memory);

async function added(text: string, options: object, client = mem0(api, api.key)): Promise<Given> {
  const { results } = (await client.add(said(text), options)) as Given;
  expect(results).toHaveLength(1);
  return results[0];
}

describe('the first call', () => {
  it.each([
    ['the owner key of npm start', () => Promise.resolve(api.ownerKey)],
    ["a runtime's key", () => api.keyFor({ kind: 'runtime', id: 'harness' })],
    ["an agent's key", () => api.keyFor({ kind: 'agent', id: 'first' })],
  ])(
    'remembers a plain sentence under one id, and a search finds it: %s',
    async (_whose, keyOf) => {
      const client = mem0(api, await keyOf());
      await client.ping();
      await client.add(said('I love hiking'), { userId: 'ann' });
      const found = await client.search('hobby', { filters: { user_id: 'ann' } });
      expect(memories(found)).toContain('I love hiking');
      const all = await client.getAll({ filters: { user_id: 'ann' } });
      expect(memories(all)).toContain('I love hiking');
    },
  );
});

it('add answers what was added in the fields that the client names', async () => {
  const memory = await added('I play the oboe', {
    userId: 'oboist',
    runId: 'monday',
    metadata: { some_key: { camelCase: 1 } },
  });
  expect(memory).toMatchObject({
    id: expect.stringMatching(/^card_/),
    memory: 'I play the oboe',
    event: 'ADD',
    userId: 'oboist',
    agentId: 'clerk',
    runId: 'monday',
    metadata: { some_key: { camelCase: 1 } },
  });
  expect(Date.parse(memory.createdAt)).not.toBeNaN();
  expect(memory.updatedAt).toBe(memory.createdAt);
});

it('get, update, history and delete go by the id', async () => {
  const client = mem0(api, api.key);
  const { id } = await added('I live in Delft', { userId: 'mover' });
  expect(await client.get(id)).toMatchObject({ id, memory: 'I live in Delft', userId: 'mover' });
  const updated: Given = await client.update(id, {
    text: 'I live in Leiden',
    metadata: { from: 'mail' },
  });
  expect(updated).toMatchObject({ id, memory: 'I live in Leiden', metadata: { from: 'mail' } });
  const again: Given = await client.get(id);
  expect(again.memory).toBe('I live in Leiden');
  expect(again.updatedAt >= again.createdAt).toBe(true);
  const history = await client.history(id);
  expect(history).toMatchObject([
    { memoryId: id, event: 'ADD', oldMemory: null, newMemory: 'I live in Delft' },
    { memoryId: id, event: 'UPDATE', oldMemory: 'I live in Delft', newMemory: 'I live in Leiden' },
  ]);
  expect(await client.delete(id)).toEqual({ message: expect.stringContaining('deleted') });
  expect(await refusal(client.get(id))).toMatchObject({
    name: 'MemoryNotFoundError',
    errorCode: 'HTTP_404',
  });
  expect(await refusal(client.delete(id))).toMatchObject({ name: 'MemoryNotFoundError' });
});

it('getAll has numbered pages that together are everything, and counts it', async () => {
  const client = mem0(api, api.key);
  const ids: string[] = [];
  for (let n = 1; n <= 7; n += 1) ids.push((await added(`Fact ${n}`, { userId: 'pager' })).id);
  const seen: string[] = [];
  for (let page = 1; ; page += 1) {
    const options = { filters: { user_id: 'pager' }, page, pageSize: 3 };
    const answer = await client.getAll(options);
    expect(answer.count).toBe(7);
    expect(answer.previous === null).toBe(page === 1);
    seen.push(...answer.results.map(({ id }) => id));
    if (answer.next === null) break;
    expect(answer.next).toBe(`/v3/memories/?page=${page + 1}&page_size=3`);
  }
  expect(seen).toEqual([...ids].reverse());
});

it('deleteAll takes those of one user, and only with a filter', async () => {
  const client = mem0(api, api.key);
  await added('To be forgotten', { userId: 'leaver' });
  await added('To be kept', { userId: 'stayer' });
  expect(await client.deleteAll({ userId: 'leaver' })).toMatchObject({ deleted: 1, kept: 0 });
  expect((await client.getAll({ filters: { user_id: 'leaver' } })).count).toBe(0);
  expect((await client.getAll({ filters: { user_id: 'stayer' } })).count).toBe(1);
  expect(await client.deleteAll({ userId: 'nobody-knows' })).toMatchObject({ deleted: 0 });
  expect(await refusal(client.deleteAll())).toMatchObject({ name: 'ValidationError' });
  const misspelt = { user: 'stayer' } as object;
  expect((await refusal(client.deleteAll(misspelt))).problem.code).toBe('invalid');
  expect((await client.getAll({ filters: { user_id: 'stayer' } })).count).toBe(1);
});

it('batches change or delete all that they name, or nothing', async () => {
  const client = mem0(api, api.key);
  const one = (await added('Batch one', { userId: 'batcher' })).id;
  const two = (await added('Batch two', { userId: 'batcher' })).id;
  const texts = async () =>
    memories(await client.getAll({ filters: { user_id: 'batcher' } })).sort();
  const failing = client.batchUpdate([
    { memoryId: one, text: 'Changed one' },
    { memoryId: 'card_nowhere', text: 'Changed nothing' },
  ]);
  expect(await refusal(failing)).toMatchObject({ name: 'MemoryNotFoundError' });
  expect(await texts()).toEqual(['Batch one', 'Batch two']);
  await client.batchUpdate([
    { memoryId: one, text: 'Changed one' },
    { memoryId: two, text: 'Changed two' },
  ]);
  expect(await texts()).toEqual(['Changed one', 'Changed two']);
  await refusal(client.batchDelete([one, 'card_nowhere']));
  expect(await texts()).toHaveLength(2);
  await client.batchDelete([one, two]);
  expect(await texts()).toEqual([]);
});

it('users are those of whom something is remembered, and deleteUsers forgets one', async () => {
  const own = mem0(api, await api.keyFor({ kind: 'agent', id: 'registrar' }));
  await added('Of the first', { userId: 'first-user' }, own);
  await added('Of the second', { userId: 'second-user', runId: 'run-7' }, own);
  const listed = async () =>
    ((await own.users()) as Given).results.map((one: Given) => [
      one.type,
      one.name,
      one.totalMemories,
    ]);
  expect(await listed()).toEqual([
    ['user', 'first-user', 1],
    ['user', 'second-user', 1],
    ['run', 'run-7', 1],
    ['agent', 'registrar', 2],
  ]);
  await own.deleteUsers({ userId: 'first-user' });
  expect(await listed()).toEqual([
    ['user', 'second-user', 1],
    ['run', 'run-7', 1],
    ['agent', 'registrar', 1],
  ]);
  await own.deleteUsers();
  expect(await listed()).toEqual([]);
});

it('feedback is a verdict: it held, it did not help, it is wrong', async () => {
  const client = mem0(api, api.key);
  const { id } = await added('I sing in a choir', { userId: 'singer' });
  const give = (feedback: string, feedbackReason = 'Because.') =>
    client.feedback({ memoryId: id, feedback: feedback as Given, feedbackReason });
  const card = async () => (await api.call('GET', `/v1/cards/${id}`)).body;
  await api.call('POST', '/v1/feedback/', { body: { memory_id: id, feedback: 'POSITIVE' } });
  expect((await card()).status).toBe('validated');
  const before = await card();
  expect(await give('POSITIVE')).toMatchObject({ id, feedback: 'POSITIVE' });
  await give('NEGATIVE');
  expect(await card()).toMatchObject({ status: 'validated', version: before.version });
  const { body } = await api.call('GET', `/v1/audit?target=${id}`);
  expect(body.items.map(({ action }: Given) => action)).toContain('card.not_useful');
  expect(await refusal(client.feedback({ memoryId: id, feedback: null }))).toMatchObject({
    problem: { code: 'not_supported' },
  });
  await give('VERY_NEGATIVE');
  expect((await card()).status).toBe('rejected');
  expect(await refusal(client.get(id))).toMatchObject({ name: 'MemoryNotFoundError' });
});

it('a wrong key is an authentication error', async () => {
  const silenced = (['error', 'warn'] as const).map((level) =>
    jest.spyOn(console, level).mockImplementation(() => undefined),
  );
  const client = mem0(api, 'cairn_wrong');
  expect(await refusal(client.ping())).toMatchObject({
    name: 'AuthenticationError',
    errorCode: 'HTTP_401',
  });
  expect(await refusal(client.getAll())).toMatchObject({ errorCode: 'HTTP_401' });
  for (const one of silenced) one.mockRestore();
});

it('what Cairn has no notion of says what there is instead', async () => {
  const client = mem0(api, api.key);
  const calls: (() => Promise<unknown>)[] = [
    () => client.getProject({ fields: ['customInstructions'] }),
    () => client.updateProject({ customInstructions: 'x' }),
    () => client.getWebhooks(),
    () => client.createWebhook({ name: 'w', url: 'https://hooks.example.com', eventTypes: [] }),
    () => client.updateWebhook({ webhookId: 'w', name: 'v' }),
    () => client.deleteWebhook({ webhookId: 'w' }),
    () => client.getProfile({ entityId: 'ann' }),
    () => client.generateProfile({ entityId: 'ann' }),
    () => client.sampleProfiles(),
    () => client.getProfileJob('job'),
    () => client.getProfileSettings(),
    () => client.updateProfileSettings({ enabled: true }),
    () => client.createMemoryExport({ schema: {}, filters: { user_id: 'ann' } }),
    () => client.getMemoryExport({ memoryExportId: 'x' }),
    () => client.add(said('Hello'), { userId: 'ann', appId: 'shop' }),
    () => client.search('x', { filters: { app_id: 'shop' } }),
    () => client.search('x', { categories: ['food'] }),
    () => client.deleteAll({ appId: 'shop' }),
    () => client.delete('card_x', { deleteLinked: true }),
  ];
  for (const call of calls) {
    const { name, problem } = await refusal(call());
    expect([name, problem.status, problem.code]).toEqual(['ValidationError', 400, 'not_supported']);
    expect(problem.detail.length).toBeGreaterThan(20);
  }
});
