import { DAY, type RecallLane, startRecallLane } from './support/filing';
import { rowsOf, upkeep } from './support/upkeep';

jest.setTimeout(60_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

const WORDS = 'The marbles are in the cellar.';

async function posted(): Promise<string> {
  await lane.api.call('PUT', '/v1/agents/above', { body: {} });
  const body = { parent_agent: 'above', restricted: true };
  await lane.api.call('PUT', '/v1/agents/below', { body });
  const key = await lane.api.keyFor({ kind: 'agent', id: 'below' });
  const answer = await lane.api.call('POST', '/v1/cards', { key, body: { summary: WORDS } });
  return answer.body.pending_write_id;
}

it('thirty days after it was posted, to the moment; that it was posted stays', async () => {
  const id = await posted();
  const one = async () => (await lane.api.call('GET', `/v1/pending-writes/${id}`)).body;
  const { created_at, expires_at } = await one();
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(30 * DAY);

  lane.clock.advance(30 * DAY - (lane.clock.now().getTime() - Date.parse(created_at)) - 1);
  await upkeep(lane, 'retention');
  expect(await one()).toMatchObject({ status: 'waiting', write: { summary: WORDS } });

  lane.clock.advance(1);
  await upkeep(lane, 'retention', { dryRun: true });
  expect((await one()).status).toBe('waiting');
  await upkeep(lane, 'retention', { twice: true });
  expect(await one()).toMatchObject({
    ...{ status: 'expired', write: null, card_id: null, decided_by: null },
    decided_at: lane.clock.now().toISOString(),
  });
  const kept = await rowsOf(lane, 'SELECT * FROM pending_writes');
  expect(JSON.stringify(kept)).not.toContain('marbles');
  for (const accept of [true, false]) {
    const answer = await lane.api.call('POST', `/v1/pending-writes/${id}`, { body: { accept } });
    expect(answer).toMatchObject({ status: 409, body: { code: 'already_decided' } });
  }
  const { body } = await lane.api.call('GET', '/v1/audit?action=pending_write.expired');
  expect(body.items).toMatchObject([
    { actor: { kind: 'system', id: 'retention' }, hashes: { pending_writes: 1 } },
  ]);
});

it('and nothing that was decided before', async () => {
  const id = await posted();
  await lane.api.call('POST', `/v1/pending-writes/${id}`, { body: { accept: true } });
  lane.clock.advance(31 * DAY);
  await upkeep(lane, 'retention');
  const { body } = await lane.api.call('GET', `/v1/pending-writes/${id}`);
  expect(body).toMatchObject({ status: 'accepted', card_id: expect.any(String) });
});
