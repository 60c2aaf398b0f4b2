import { askedErasure } from './support/erasing';
import { type RecallLane, startRecallLane } from './support/filing';

jest.setTimeout(180_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
  for (const person of ['ada', 'ben']) {
    const subject = { role: 'reviewer', name: person };
    await lane.api.call('PUT', `/v1/people/${person}`, { body: subject });
  }
  for (const agent of ['ada', 'mate'])
    await lane.api.call('PUT', `/v1/agents/${agent}`, { body: {} });
});
afterEach(() => lane.close());

const keyFor = (kind: 'person' | 'agent', id: string) => lane.api.keyFor({ kind, id });
const opens = async (key: string) =>
  (await lane.api.call('GET', '/v1/cards', { key })).status === 200;

it.each(['person', 'agent'] as const)('of a %s, and of nobody else of that name', async (kind) => {
  const keys = {
    person: await keyFor('person', 'ada'),
    agent: await keyFor('agent', 'ada'),
    ben: await keyFor('person', 'ben'),
    mate: await keyFor('agent', 'mate'),
  };
  lane.clock.advance(60_000);
  await askedErasure(lane, { [kind]: 'ada' }, { dry_run: true });
  for (const key of Object.values(keys)) expect(await opens(key)).toBe(true);
  await askedErasure(lane, { [kind]: 'ada' });
  for (const [of, key] of Object.entries(keys))
    expect([of, await opens(key)]).toEqual([of, of !== kind]);
});

it('but of whom a legal hold names', async () => {
  const key = await keyFor('person', 'ada');
  const hold = { selector: { person: 'ada' }, reason: 'litigation' };
  expect((await lane.api.call('PUT', '/v1/legal-holds/case', { body: hold })).status).toBe(201);
  lane.clock.advance(60_000);
  await askedErasure(lane, { person: 'ada' });
  expect(await opens(key)).toBe(true);
});

it('but of a member who erases what is about themselves', async () => {
  const key = await lane.api.keyOf('member', 'guest-1');
  lane.clock.advance(60_000);
  await askedErasure(lane, undefined, { key });
  expect(await opens(key)).toBe(true);
});
