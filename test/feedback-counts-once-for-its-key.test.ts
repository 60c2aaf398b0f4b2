import { startApi, type TestApi } from './support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

const agent = { 'cairn-agent': 'a1' };

async function injected(): Promise<{ recall: string; cards: string[] }> {
  await api.call('PUT', '/v1/agents/a1', { body: {} });
  for (const summary of ['The mailer takes a hundred a day.', 'The mailer answers in German.']) {
    const scope = { type: 'workspace', id: 'default' };
    await api.call('POST', '/v1/cards', { body: { summary, scope } });
  }
  const { body } = await api.call('POST', '/v1/recall', {
    body: { query: 'mailer' },
    headers: agent,
  });
  return { recall: body.recall_id, cards: body.cards.map(({ id }: { id: string }) => id) };
}

it('feedback takes an Idempotency-Key: the same again is 204 and counts once, another is 422', async () => {
  const { recall, cards } = await injected();
  expect(cards).toHaveLength(2);
  const give = (key: string, card_id: string | undefined, useful = true) =>
    api.call('POST', `/v1/recalls/${recall}/feedback`, {
      body: { card_id, useful },
      headers: { ...agent, 'idempotency-key': key },
    });
  const statuses = [await give('k1', cards[0]), await give('k1', cards[0])];
  expect(statuses.map(({ status }) => status)).toEqual([204, 204]);
  expect((await api.call('GET', `/v1/cards/${cards[0]}`)).body.use_count).toBe(1);

  for (const other of [await give('k1', cards[1]), await give('k1', cards[0], false)]) {
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  }
  expect((await api.call('GET', `/v1/cards/${cards[1]}`)).body.use_count).toBe(0);
});

it('a key whose feedback failed may be tried again', async () => {
  const { recall, cards } = await injected();
  const give = (card_id: string | undefined) =>
    api.call('POST', `/v1/recalls/${recall}/feedback`, {
      body: { card_id, useful: true },
      headers: { ...agent, 'idempotency-key': 'k2' },
    });
  expect((await give('card_none')).status).toBe(404);
  expect((await give(cards[0])).status).toBe(204);
});
