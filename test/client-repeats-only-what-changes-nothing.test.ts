import { CairnClient, CairnError } from '../src/client/index';

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
}

/** A client whose server gives these answers in turn, the last one for ever. */
function clientWith(answers: (() => Response)[], retries = 4) {
  const sent: Sent[] = [];
  const client = new CairnClient({
    url: 'http://cairn.test',
    key: 'k',
    retries,
    fetch: async (url, init) => {
      sent.push({
        method: init?.method ?? 'GET',
        url: String(url),
        headers: init?.headers as Record<string, string>,
      });
      init?.signal?.throwIfAborted();
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (answer === undefined) throw new Error('no answer is planned');
      return answer();
    },
  });
  return { client, sent };
}

const away =
  (headers: Record<string, string> = { 'retry-after': '0' }) =>
  () =>
    new Response(JSON.stringify({ status: 503, code: 'unavailable', detail: 'come back' }), {
      status: 503,
      headers,
    });
const answer =
  (body: unknown, status = 200) =>
  () =>
    new Response(body === null ? null : JSON.stringify(body), { status });
const unreachable = () => {
  throw new TypeError('fetch failed', {
    cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
  });
};

async function thrown(call: Promise<unknown>): Promise<CairnError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CairnError)) throw new Error(`no CairnError but ${String(error)}`);
  return error;
}

test('a read is tried again after 503 and after no answer', async () => {
  const { client, sent } = clientWith([
    away(),
    unreachable,
    away(),
    answer({ items: [], total: 0 }),
  ]);
  expect(await client.cards.list()).toMatchObject({ total: 0 });
  expect(sent).toHaveLength(4);
  expect(sent.every(({ headers }) => headers['idempotency-key'] === undefined)).toBe(true);
});

test('a write is tried again with the key that it had, and every write has another', async () => {
  const { client, sent } = clientWith([away(), answer({ id: 'card_1' }, 201)]);
  await client.cards.create({ summary: 'One.' });
  await client.cards.create({ summary: 'Two.' });
  const keys = sent.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([keys[0], keys[0], expect.not.stringMatching(`^${keys[0]}$`)]);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
});

test('the tries are bounded, and the last refusal is what is thrown', async () => {
  const { client, sent } = clientWith([away()], 2);
  expect(await thrown(client.cards.get('card_1'))).toMatchObject({
    status: 503,
    detail: 'come back',
  });
  expect(sent).toHaveLength(3);
});

test('a refusal is final, and so is a server that says to come back much later', async () => {
  const refused = clientWith([answer({ code: 'invalid', detail: 'no' }, 400)]);
  expect(await thrown(refused.client.cards.list())).toMatchObject({ status: 400, code: 'invalid' });
  expect(refused.sent).toHaveLength(1);
  const later = clientWith([away({ 'retry-after': '3600' })]);
  await thrown(later.client.cards.list());
  expect(later.sent).toHaveLength(1);
});

test('making a key is tried once: a lost answer would be a lost key', async () => {
  const { client, sent } = clientWith([away()]);
  await thrown(client.keys.create({ principal: { kind: 'agent', id: 'a' } }));
  expect(sent).toHaveLength(1);
});

test('an aborted call rejects with its own reason, between tries too', async () => {
  const { client, sent } = clientWith([away({ 'retry-after': '20' })]);
  const controller = new AbortController();
  const call = client.cards.list({ signal: controller.signal });
  setTimeout(() => controller.abort(new Error('enough')), 20);
  await expect(call).rejects.toThrow('enough');
  expect(sent).toHaveLength(1);
});

test('no answer in time and no answer at all are errors with a code of their own', async () => {
  const never = new CairnClient({
    url: 'http://cairn.test',
    key: 'k',
    retries: 0,
    fetch: (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      }),
  });
  expect(await thrown(never.cards.list({ timeoutMs: 20 }))).toMatchObject({
    status: 0,
    code: 'timeout',
  });
  const gone = clientWith([unreachable], 0);
  expect(await thrown(gone.client.cards.list())).toMatchObject({
    code: 'unreachable',
    detail: 'no Cairn answers at http://cairn.test (ECONNREFUSED)',
  });
});

test('an answer that is not JSON says that this is no Cairn', async () => {
  const { client } = clientWith([() => new Response('<html>', { status: 200 })]);
  expect(await thrown(client.cards.list())).toMatchObject({ code: 'not_json' });
});

test('speaking for someone puts it into the headers, and values into the query', async () => {
  const { client, sent } = clientWith([answer({ items: [] })]);
  await client
    .with({ agent: 'herald', person: 'dana', session: 's 1', executionMode: 'interactive' })
    .cards.list({ kind: ['constraint', 'experience'], q: 'a b&c' });
  expect(sent[0]?.url).toBe('http://cairn.test/v1/cards?kind=constraint&kind=experience&q=a+b%26c');
  expect(sent[0]?.headers).toMatchObject({
    authorization: 'Bearer k',
    'cairn-agent': 'herald',
    'cairn-person': 'dana',
    'cairn-session': 's 1',
    'cairn-execution-mode': 'interactive',
  });
});
