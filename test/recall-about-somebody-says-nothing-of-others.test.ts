import { cardIds, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';
import { email } from './support/secret-strings';

let lane: RecallLane;
const ids: Record<string, string> = {};
beforeAll(async () => {
  lane = await startRecallLane();
  const asScout = { key: lane.runtimeKey, headers: { 'cairn-agent': 'scout' } };
  const write = async (name: string, body: { summary: string; subject?: string }) => {
    ids[name] = (await writeCard(lane.api, body, asScout)).id;
  };
  await write('ann', { summary: 'Ann takes the night ferry to the islands.', subject: 'ann' });
  await write('ben', { summary: 'Ben takes the early ferry to the mainland.', subject: 'ben' });
  await write('mailed', { summary: 'She takes the ferry with her bike.', subject: email() });
  await write('nobody', { summary: 'The ferry takes no cars on Sundays.' });
});
afterAll(() => lane.close());

const recalled = async (body: Record<string, unknown>) => {
  const reply = await lane.recall({ query: 'which ferry does she take', limit: 50, ...body });
  expect(reply.status).toBe(200);
  const names = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name]));
  return cardIds(reply)
    .map((id) => names[id])
    .sort();
};

it('recalls what is about them and what is about nobody', async () => {
  expect(await recalled({})).toEqual(['ann', 'ben', 'mailed', 'nobody']);
  expect(await recalled({ about: 'ann' })).toEqual(['ann', 'nobody']);
  expect(await recalled({ about: 'ben' })).toEqual(['ben', 'nobody']);
  expect(await recalled({ about: 'stranger' })).toEqual(['nobody']);
});

it('knows an address by its pseudonym', async () => {
  expect(await recalled({ about: email() })).toEqual(['mailed', 'nobody']);
});

it('goes with filters', async () => {
  expect(await recalled({ about: 'ann', filters: { subject: 'ann' } })).toEqual(['ann']);
  expect(await recalled({ about: 'ann', filters: { subject: 'ben' } })).toEqual([]);
});

it('is an id', async () => {
  const reply = await lane.recall({ query: 'ferry', about: 'no id' });
  expect(reply.status).toBe(400);
});
