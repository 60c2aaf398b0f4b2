import { describeNative } from './support/database';
import { type Given, type Mem0Api, mem0, said, startMem0 } from './support/mem0';
import { email } from './support/secret-strings';

let api: Mem0Api;
beforeAll(async () => {
  api = await startMem0('clerk');
});
afterAll(() => api.close());

const events = ({ results }: Given): string[] =>
  results.map(({ event, memory }: Given) => `${event} ${memory}`);

async function texts(user: string): Promise<string[]> {
  const { results } = await mem0(api, api.key).getAll({ filters: { user_id: user } });
  return results.map(({ memory }) => memory ?? '').sort();
}

it('the same sentence again is known, in whatever capitals and spaces', async () => {
  const client = mem0(api, api.key);
  const options = { userId: 'ann' };
  const first = (await client.add(said('I love hiking'), options)) as Given;
  const again = (await client.add(said('  i love   Hiking '), options)) as Given;
  expect(events(again)).toEqual(['NONE I love hiking']);
  expect(again.results[0].id).toBe(first.results[0].id);
  expect(await texts('ann')).toEqual(['I love hiking']);
});

it('of another user, in another run or by another agent it is another memory', async () => {
  const client = mem0(api, api.key);
  const other = mem0(api, await api.keyFor({ kind: 'agent', id: 'other' }));
  const sentence = said('I collect stamps');
  for (const [from, options] of [
    [client, { userId: 'one' }],
    [client, { userId: 'two' }],
    [client, { userId: 'one', runId: 'r-1' }],
    [other, { userId: 'one' }],
  ] as const) {
    expect(events(await from.add(sentence, options))).toEqual(['ADD I collect stamps']);
  }
});

it('once it is deleted it may be added anew, and what is added deletes nothing', async () => {
  const client = mem0(api, api.key);
  const add = async (text: string) =>
    ((await client.add(said(text), { userId: 'bea' })) as Given).results[0];
  const { id } = await add('I am vegetarian');
  expect((await add('I am not vegetarian any more')).event).toBe('ADD');
  expect(await texts('bea')).toEqual(['I am not vegetarian any more', 'I am vegetarian']);
  await client.delete(id);
  expect((await add('I am vegetarian')).event).toBe('ADD');
});

it('infer: false keeps each message as it is, a sentence that comes twice once', async () => {
  const messages = [
    { role: 'user' as const, content: 'Is the harbour open?' },
    { role: 'assistant' as const, content: 'It opens at nine.' },
    { role: 'user' as const, content: 'Is the harbour open?' },
  ];
  const answer = await mem0(api, api.key).add(messages, { userId: 'cleo', infer: false });
  expect(events(answer)).toEqual([
    'ADD Is the harbour open?',
    'ADD It opens at nine.',
    'NONE Is the harbour open?',
  ]);
});

it('of several messages the facts are remembered, once, and nothing where there are none', async () => {
  const client = mem0(api, api.key);
  const talk = [
    { role: 'user' as const, content: 'Hi! I live in Delft and I am allergic to peanuts.' },
    { role: 'assistant' as const, content: 'You might like Leiden as well.' },
  ];
  const first = events(await client.add(talk, { userId: 'dan' }));
  expect(first.join('\n')).toMatch(/Delft/);
  expect(first.join('\n')).toMatch(/peanuts/);
  expect(first.join('\n')).not.toMatch(/Leiden/);
  // On another day the same is still the same.
  const later = { userId: 'dan', timestamp: 1_900_000_000 };
  const again = events(await client.add(talk, later));
  expect(again.map((line) => line.split(' ')[0])).toEqual(first.map(() => 'NONE'));
  const none = [
    { role: 'user' as const, content: 'What is the weather like?' },
    { role: 'assistant' as const, content: 'It rains.' },
  ];
  expect(await client.add(none, { userId: 'dan' })).toEqual({ results: [] });
  expect(await client.add(said('What is my name?'), { userId: 'dan' })).toEqual({ results: [] });
});

it('the contract’s own form takes a text', async () => {
  const headers = { 'idempotency-key': 'once' };
  const add = (text: string) =>
    api.call('POST', '/v1/memories', { key: api.key, headers, body: { text, user_id: 'eve' } });
  const first = await add('I own a kayak');
  expect([first.status, first.body.results[0].event]).toEqual([200, 'ADD']);
  const again = await add('I own a kayak');
  expect([again.status, again.body.results[0].id]).toEqual([200, first.body.results[0].id]);
  expect((await add('I own a canoe')).status).toBe(422);
});

it('a time, an expiry and metadata are kept; what is too long or no text is refused', async () => {
  const client = mem0(api, api.key);
  const options = {
    userId: 'fay',
    metadata: { category: 'travel' },
    timestamp: 1_700_000_000,
    expirationDate: '2999-12-31',
  };
  const { results } = (await client.add(said('I fly to Oslo'), options)) as Given;
  expect(results[0]).toMatchObject({
    metadata: { category: 'travel' },
    expirationDate: '2999-12-31',
  });
  const { body } = await api.call('GET', `/v1/cards/${results[0].id}`, { key: api.key });
  expect(body.valid_from).toBe('2023-11-14T22:13:20.000Z');
  expect(body.expires_at).toBe('3000-01-01T00:00:00.000Z');
  const image = { type: 'image_url', image_url: { url: 'https://images.example.com/a.png' } };
  for (const [messages, more] of [
    [said('x'.repeat(2_001)), { infer: false }],
    [[{ role: 'user', content: image }], {}],
    [said('I was here'), { expirationDate: '2001-01-01' }],
    [said('I was here'), { timestamp: 'yesterday' }],
    [said('I was here'), { userId: 'no id|at all' }],
  ] as Given[]) {
    const refused = client.add(messages, { userId: 'fay', ...more });
    await expect(refused).rejects.toMatchObject({ name: 'ValidationError' });
  }
});

describe('a single message that is longer than a memory', () => {
  const story = 'The tram was late again and nobody knew why it was. '.repeat(60);
  const add = async (content: string, userId: string) =>
    ((await mem0(api, api.key).add(said(content), { userId })) as Given).results;

  it('is remembered by its facts, as it would be beside an answer', async () => {
    const results = await add(`${story}I am allergic to walnuts. ${story}`, 'jo');
    expect(results.map(({ event, truncated }: Given) => [event, truncated])).toEqual([
      ['ADD', undefined],
    ]);
    expect(await texts('jo')).toEqual([expect.stringContaining('allergic to walnuts')]);
  });

  it('is else kept to the end of a sentence, says so, and is known the next time', async () => {
    const [first, ...more] = await add(story, 'kim');
    expect([first.event, first.truncated, more]).toEqual(['ADD', true, []]);
    expect(first.memory).toMatch(/it was\. …$/);
    expect(story.startsWith(first.memory.slice(0, -2))).toBe(true);
    expect(first.memory.length).toBeGreaterThan(1_900);
    expect(first.memory.length).toBeLessThanOrEqual(2_000);
    const [again] = await add(story, 'kim');
    expect([again.event, again.truncated, again.id]).toEqual(['NONE', true, first.id]);
    const [unbroken] = await add('x'.repeat(2_001), 'lou');
    expect(unbroken.memory).toBe(`${'x'.repeat(1_999)}…`);
    const [unspaced] = await add('電車はまた遅れました。'.repeat(400), 'mia');
    expect(unspaced.memory).toMatch(/。 …$/);
  });

  it('is redacted before it is cut', async () => {
    const address = email();
    const at = 1_995 - Math.floor(address.length / 2);
    const [cut] = await add(`${'y'.repeat(at)}<${address}> ${story}`, 'nia');
    expect(cut.memory).not.toContain(address.slice(0, Math.floor(address.length / 2)));
  });

  it('is nothing to keep where it ends with a question and tells no fact', async () => {
    expect(await add(`${story}Do you know?`, 'oli')).toEqual([]);
    const [fact] = await add(`${story}I live in Delft. Do you know it?`, 'pat');
    expect(fact.memory).toContain('Delft');
  });
});

describeNative('at the same moment', () => {
  it('ten who add one sentence add one memory', async () => {
    const clients = Array.from({ length: 10 }, () => mem0(api, api.key));
    const answers = await Promise.all(
      clients.map((client) => client.add(said('I run a bakery'), { userId: 'gus' })),
    );
    const ids = new Set(answers.map((answer: Given) => answer.results[0].id));
    expect(ids.size).toBe(1);
    expect(answers.flatMap(events).filter((event) => event.startsWith('ADD'))).toHaveLength(1);
    expect(await texts('gus')).toEqual(['I run a bakery']);
  });

  it('ten who change one memory change it one after the other', async () => {
    const client = mem0(api, api.key);
    const { results } = (await client.add(said('Count 0'), { userId: 'ida' })) as Given;
    const [{ id }] = results;
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => client.update(id, { text: `Count ${n + 1}` })),
    );
    expect(await client.history(id)).toHaveLength(11);
  });
});
