import { type Given, type Mem0Api, mem0, said, startMem0 } from './support/mem0';
import { email, githubToken } from './support/secret-strings';

let api: Mem0Api;
beforeAll(async () => {
  api = await startMem0('concierge');
});
afterAll(() => api.close());

/** Everything that a client can be shown of one user. */
async function shownOf(user: string, client = mem0(api, api.key)): Promise<string> {
  const filters = { user_id: user };
  const shown = [
    await client.search('What do they like?', { filters, topK: 100 }),
    await client.search('tea or coffee', { filters: { AND: [filters] } }),
    await client.search('tea', { filters: { OR: [filters, { user_id: 'nobody-else' }] } }),
    await client.getAll({ filters }),
    await client.getAll({ filters: { AND: [filters, { agent_id: '*' }] } }),
  ];
  return JSON.stringify(shown);
}

it('a filter by one user shows nothing of the other, whichever way it is asked', async () => {
  const client = mem0(api, api.key);
  await client.add(said('I drink green tea in the morning'), { userId: 'alice' });
  await client.add(said('I drink black coffee in the evening'), { userId: 'bob' });
  const alice = await shownOf('alice');
  expect(alice).toContain('green tea');
  expect(alice).not.toContain('black coffee');
  const bob = await shownOf('bob');
  expect(bob).toContain('black coffee');
  expect(bob).not.toContain('green tea');
  expect(await shownOf('carol')).not.toContain('I drink');
});

it('what is deleted of one stays of the other', async () => {
  const client = mem0(api, api.key);
  await client.add(said('My locker is number nine'), { userId: 'dora' });
  await client.add(said('My locker is number ten'), { userId: 'emil' });
  await client.deleteAll({ userId: 'dora' });
  expect(await shownOf('dora')).not.toContain('locker');
  expect(await shownOf('emil')).toContain('number ten');
});

it('another agent sees none of them, nor can it change them', async () => {
  const mine = mem0(api, api.key);
  const { results } = (await mine.add(said('I keep bees'), { userId: 'fred' })) as Given;
  const other = mem0(api, await api.keyFor({ kind: 'agent', id: 'stranger' }));
  expect(await shownOf('fred', other)).not.toContain('bees');
  const [{ id }] = results;
  for (const call of [
    () => other.get(id),
    () => other.history(id),
    () => other.update(id, { text: 'I keep wasps' }),
    () => other.delete(id),
    () => other.batchDelete([id]),
    () => other.feedback({ memoryId: id, feedback: 'VERY_NEGATIVE' as Given }),
  ]) {
    await expect(call()).rejects.toMatchObject({ name: 'MemoryNotFoundError' });
  }
  expect(await other.deleteAll({ userId: 'fred' })).toMatchObject({ deleted: 0 });
  expect((await mine.get(id)).memory).toBe('I keep bees');
});

it('the agents of a runtime are apart by agent_id, and an id finds its own', async () => {
  const client = mem0(api, await api.keyFor({ kind: 'runtime', id: 'harness' }));
  const add = async (agentId: string, text: string): Promise<string> => {
    const { results } = (await client.add(said(text), { agentId, userId: 'gina' })) as Given;
    return results[0].id;
  };
  const one = await add('bot-one', 'I sail on Sundays');
  const two = await add('bot-two', 'I ski on Mondays');
  const asked = async (agent: string) =>
    JSON.stringify(await client.getAll({ filters: { user_id: 'gina', agent_id: agent } }));
  expect(await asked('bot-one')).toContain('I sail');
  expect(await asked('bot-one')).not.toContain('I ski');
  expect(await asked('bot-two')).not.toContain('I sail');
  // No agent named is an agent of its own.
  expect(await shownOf('gina', client)).not.toContain('Sundays');
  expect(await client.get(one)).toMatchObject({ agentId: 'bot-one' });
  expect(await client.update(two, { text: 'I ski on Tuesdays' })).toMatchObject({
    agentId: 'bot-two',
  });
  await client.delete(one);
  expect(await asked('bot-one')).not.toContain('I sail');
});

it("an agent's key remembers as no other agent", async () => {
  const call = mem0(api, api.key).add(said('Hello there'), { agentId: 'somebody-else' });
  await expect(call).rejects.toMatchObject({ name: 'AuthenticationError', errorCode: 'HTTP_403' });
});

it('a user who is an e-mail address has the same pseudonym every time', async () => {
  const client = mem0(api, api.key);
  const address = email();
  const { results } = (await client.add(said(`Write to me at ${address}`), {
    userId: address,
    metadata: { from: address },
  })) as Given;
  expect(results[0].userId).toMatch(/^email-/);
  const answers = [
    results,
    await client.getAll({ filters: { user_id: address } }),
    await client.search(`what is at ${address}`, { filters: { user_id: address } }),
    await client.search('mail', { filters: { user_id: address, metadata: { from: address } } }),
    await client.history(results[0].id),
  ];
  for (const answer of answers) {
    expect(JSON.stringify(answer)).toContain('Write to me at [EMAIL_');
    expect(JSON.stringify(answer)).not.toContain(address);
  }
});

it('a secret is redacted in what is added and in what is changed, and refused as an id', async () => {
  const client = mem0(api, api.key);
  const token = githubToken();
  const { results } = (await client.add(said(`My token is ${token}`), { userId: 'hal' })) as Given;
  const changed = await client.update(results[0].id, { text: `My new token is ${token}` });
  const talk = [
    { role: 'user' as const, content: `I live in Delft and my token is ${token}.` },
    { role: 'assistant' as const, content: 'I will remember that.' },
  ];
  const facts = await client.add(talk, { userId: 'hal' });
  for (const answer of [results, changed, facts, await shownOf('hal')]) {
    expect(JSON.stringify(answer)).not.toContain(token);
  }
  const refused = client.add(said('Hello there'), { userId: token });
  await expect(refused).rejects.toMatchObject({ errorCode: 'HTTP_422' });
});
