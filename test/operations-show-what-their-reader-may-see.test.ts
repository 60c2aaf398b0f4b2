import { HOUR, type RecallLane, startRecallLane } from './support/filing';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
});
afterAll(() => lane.close());

const call = {
  service: 'mailer',
  operation: 'send_batch',
  input: { list: 'june', recipients: 250 },
};

test('an edge to a card that the caller has no path to is not in the result', async () => {
  await lane.filing.file({ ...call, agent: 'other', outcome: 'failed', error: 'limit exceeded' });
  lane.clock.advance(2 * HOUR);
  const filed = await lane.filing.file({ ...call, agent: 'scout' });
  expect(filed.edges.map((edge) => edge.type)).toEqual(['satisfies']);

  const path = `/v1/operations/${filed.operation_id}`;
  const scoutKey = await lane.api.keyFor({ kind: 'agent', id: 'scout' });
  const own = await lane.api.call('GET', path, { key: scoutKey });
  expect(own.body.result).toMatchObject({ card_id: filed.card_id, edges: [] });
  const runtime = await lane.api.call('GET', path, { key: lane.runtimeKey });
  expect(runtime.body.result.edges).toEqual([]);
  const owner = await lane.api.call('GET', path, { key: lane.api.ownerKey });
  expect(owner.body.result.edges).toHaveLength(1);

  const otherKey = await lane.api.keyFor({ kind: 'agent', id: 'other' });
  expect((await lane.api.call('GET', path, { key: otherKey })).status).toBe(404);
});

test('a member sees operations about their own subject only', async () => {
  const mine = await lane.filing.file({ ...call, input: { list: 'a' }, subject: 'marta' });
  const others = await lane.filing.file({ ...call, input: { list: 'b' }, subject: 'jonas' });
  const key = await lane.api.keyOf('member', 'marta');
  const statusOf = async (id: string) =>
    (await lane.api.call('GET', `/v1/operations/${id}`, { key })).status;
  expect([await statusOf(mine.operation_id), await statusOf(others.operation_id)]).toEqual([
    200, 404,
  ]);
});

test('a value that takes another’s place leaves an audit row of both cards', async () => {
  const first = await lane.filing.card({ key: 'limit', text: 'The limit is 100 a day.' });
  lane.clock.advance(HOUR);
  const second = await lane.filing.card({ key: 'limit', text: 'The limit is 250 a day.' });
  const actions = async (id: string) => {
    const { body } = await lane.api.call('GET', `/v1/audit?target=${id}`, {
      key: lane.api.ownerKey,
    });
    return (body.items as { action: string }[]).map(({ action }) => action);
  };
  expect(await actions(first)).toEqual(['card.superseded', 'card.created']);
  expect(await actions(second)).toEqual(['card.created']);
});

test('a workspace that is off gives an agent nothing, and says so', async () => {
  await lane.filing.card({ ...call, input: { list: 'c' } });
  const ask = { query: 'send a batch with mailer' };
  expect((await lane.recall(ask)).body.cards.length).toBeGreaterThan(0);
  const owner = { key: lane.api.ownerKey };
  await lane.api.call('PUT', '/v1/workspace', { ...owner, body: { memory_mode: 'off' } });
  const off = await lane.recall(ask);
  expect([off.status, off.body.cards, off.body.degraded]).toEqual([
    200,
    [],
    expect.arrayContaining(['memory_off']),
  ]);
  await lane.api.call('PUT', '/v1/workspace', { ...owner, body: { memory_mode: 'automatic' } });
  expect((await lane.recall(ask)).body.cards.length).toBeGreaterThan(0);
});
