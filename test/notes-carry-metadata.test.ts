import { startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet } from './support/fleet';
import { email, githubToken } from './support/secret-strings';

let api: TestApi;
let fleet: Fleet;
beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
});
afterAll(() => api.close());

const put = (key: string, body: object, as = fleet.planner) =>
  api.call('PUT', `/v1/notes/${key}`, { key: as, body });
const list = (metadata: unknown, as = fleet.planner, more = '') => {
  const text = encodeURIComponent(
    typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  );
  return api.call('GET', `/v1/notes?metadata=${text}${more}`, { key: as });
};
const keysOf = ({ body }: { body: { items: { key: string }[] } }) =>
  body.items.map(({ key }) => key);

it('which stay where a later write leaves them out, and go where it gives others', async () => {
  const first = await put('berth', { value: 'Berth four.', metadata: { pier: 'north', n: [1] } });
  expect(first.body).toMatchObject({ version: 1, metadata: { pier: 'north', n: [1] } });
  expect(first.body.updated_at).toBe(first.body.recorded_at);
  const second = await put('berth', { value: 'Berth five.' });
  expect(second.body).toMatchObject({ version: 2, metadata: { pier: 'north', n: [1] } });
  expect(new Date(second.body.updated_at).getTime()).toBeGreaterThan(
    new Date(second.body.recorded_at).getTime(),
  );
  const third = await put('berth', { value: 'Berth five.', metadata: { pier: 'south' } });
  expect(third.body).toMatchObject({ version: 3, metadata: { pier: 'south' } });
  expect(third.body.card_id).toBe(first.body.card_id);
  const { body } = await api.call('GET', '/v1/notes/berth', { key: fleet.planner });
  expect(body).toEqual(third.body);
});

it('and are found by them, whole and in pages', async () => {
  for (const [key, metadata] of Object.entries({
    'a-1': { kind: 'ship', at: { '0': 'x' } },
    'a-2': { kind: 'ship', at: { '0': 'x', '1': 'y' } },
    'a-3': { kind: 'crane', at: { '0': 'x' } },
  })) {
    await put(key, { value: `It is ${key}.`, metadata });
  }
  expect(keysOf(await list({ kind: 'ship' }))).toEqual(['a-1', 'a-2']);
  expect(keysOf(await list({ at: { '0': 'x', '1': 'y' } }))).toEqual(['a-2']);
  expect(keysOf(await list({ at: {} }))).toEqual(['a-1', 'a-2', 'a-3']);
  expect(keysOf(await list({ kind: 'none' }))).toEqual([]);
  const page = await list({ kind: 'ship' }, fleet.planner, '&limit=1');
  expect([keysOf(page), page.body.total]).toEqual([['a-1'], 2]);
  const next = await list({ kind: 'ship' }, fleet.planner, `&cursor=${page.body.next_cursor}`);
  expect([keysOf(next), next.body.next_cursor]).toEqual([['a-2'], null]);
  expect(keysOf(await list({ kind: 'ship' }, fleet.outsider))).toEqual([]);
});

it('are redacted, and asked for in the words in which they are kept', async () => {
  const [address, token] = [email(), githubToken()];
  const { text } = await put('mailed', { value: 'It was sent.', metadata: { to: address, token } });
  for (const secret of [address, token]) expect(text).not.toContain(secret);
  expect(keysOf(await list({ to: address }))).toEqual(['mailed']);
});

it.each(['no json', '[]', '"text"', 'null', '7'])('%s is no metadata to ask for', async (text) => {
  expect((await list(text)).status).toBe(400);
});

it('an agent that the owner names for the first time may write at once', async () => {
  const headers = { 'cairn-agent': 'newcomer' };
  const { status, body } = await api.call('PUT', '/v1/notes/first', {
    headers,
    body: { value: 'It is here.' },
  });
  expect([status, body.scope]).toEqual([201, { type: 'agent', id: 'newcomer' }]);
});
