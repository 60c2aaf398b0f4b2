import type { ErasureSelector } from '../src/contracts/erasure';
import { askedErasure, erased } from './support/erasing';
import { type RecallLane, startRecallLane } from './support/filing';

jest.setTimeout(180_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

type Fields = Record<string, unknown>;

/** As a runtime reports it. */
async function reported(fields: Fields): Promise<number> {
  const { status } = await lane.api.call('POST', '/v1/events', {
    key: lane.runtimeKey,
    body: {
      ...{ kind: 'service_call', agent: 'mate', outcome: 'worked', service: 'crane' },
      ...{ occurred_at: lane.clock.text(), ...fields },
    },
  });
  return status;
}

/** What names it, and what of others does not. */
const WAYS: [ErasureSelector, Fields[], Fields[]][] = [
  [{ subject: 'quokka' }, [{ subject: 'quokka' }], [{ subject: 'heron' }, {}]],
  [
    { agent: 'quokka' },
    [
      { agent: 'quokka' },
      { agent: 'child', parent_agent: 'quokka' },
      { kind: 'delegation', delegate: { agent: 'quokka' } },
    ],
    [{ subject: 'quokka' }, { service: 'quokka' }],
  ],
  [{ source: 'quokka' }, [{ service: 'quokka' }], [{ operation: 'quokka' }, {}]],
  [{ project: 'quokka' }, [{ project: 'quokka' }], [{ project: 'heron' }, { task: 'quokka' }]],
  [
    { subject: 'quokka', project: 'quokka' },
    [{ subject: 'quokka' }, { project: 'quokka' }],
    [{ service: 'quokka' }],
  ],
];

it.each(WAYS)('%j: until it was erased, and nothing else', async (selector, theirs, others) => {
  const { clock } = lane;
  const before = clock.text();
  await lane.api.call('PUT', '/v1/agents/quokka', { body: {} });
  await lane.filing.card({ event_id: 'first', subject: 'quokka', project: 'quokka' });
  clock.advance(60_000);
  await erased(lane, selector);
  clock.advance(60_000);
  let n = 0;
  const status = async (fields: Fields, at: Fields = {}) => {
    n += 1;
    return await reported({ event_id: `evt-${n}`, ...fields, ...at });
  };
  for (const fields of theirs) {
    expect([fields, await status(fields, { occurred_at: before })]).toEqual([fields, 410]);
  }
  for (const fields of others) {
    expect([fields, await status(fields, { occurred_at: before })]).toEqual([fields, 202]);
  }
  // What happened since is new.
  for (const fields of theirs) expect([fields, await status(fields)]).toEqual([fields, 202]);
});

it.each(['event_ids', 'card_ids'])('%s: for good, and what follows from it', async (by) => {
  const { clock } = lane;
  const card = await lane.filing.card({ event_id: 'quokka-1' });
  const kept = await lane.filing.card({ event_id: 'heron-1', operation: 'lift' });
  clock.advance(60_000);
  await erased(lane, by === 'event_ids' ? { event_ids: ['quokka-1'] } : { card_ids: [card] });
  clock.advance(60_000);
  expect(await reported({ event_id: 'quokka-1' })).toBe(410);
  expect(await reported({ event_id: 'evt-2', parent_event: 'quokka-1' })).toBe(410);
  expect(await reported({ event_id: 'evt-3', parent_event: 'heron-1' })).toBe(202);
  expect((await lane.api.call('GET', `/v1/cards/${kept}`)).status).toBe(200);
});

/** What an event may be found by, and one that follows from it. */
const PARENTS: [ErasureSelector, Fields][] = [
  [{ subject: 'quokka' }, { subject: 'quokka' }],
  [{ agent: 'quokka' }, { agent: 'quokka' }],
  [{ agent: 'quokka' }, { kind: 'delegation', delegate: { agent: 'quokka' } }],
  [{ source: 'quokka' }, { service: 'quokka' }],
  [{ project: 'quokka' }, { project: 'quokka' }],
];

it.each(PARENTS)('%j: what follows from its events, from the answer on', async (selector, of) => {
  const { clock } = lane;
  expect(await reported({ event_id: 'quokka-1', ...of })).toBe(202);
  expect(await reported({ event_id: 'heron-1' })).toBe(202);
  clock.advance(60_000);
  await askedErasure(lane, selector);
  clock.advance(60_000);
  expect(await reported({ event_id: 'evt-1', parent_event: 'quokka-1' })).toBe(410);
  expect(await reported({ event_id: 'evt-2', parent_event: 'heron-1' })).toBe(202);
  // What is new of it, and what follows from that, is taken.
  expect(await reported({ event_id: 'quokka-2', ...of })).toBe(202);
  expect(await reported({ event_id: 'evt-3', parent_event: 'quokka-2' })).toBe(202);
});

it('an event of a card that is to go, from the answer on', async () => {
  const card = await lane.filing.card({ event_id: 'quokka-1' });
  lane.clock.advance(60_000);
  await askedErasure(lane, { card_ids: [card] });
  expect(await reported({ event_id: 'evt-1', parent_event: 'quokka-1' })).toBe(410);
});

it('what follows from an event that a legal hold keeps is taken', async () => {
  const { api, clock } = lane;
  expect(await reported({ event_id: 'quokka-1', subject: 'quokka', project: 'case' })).toBe(202);
  await api.call('PUT', '/v1/legal-holds/case', {
    body: { selector: { project: 'case' }, reason: 'litigation' },
  });
  clock.advance(60_000);
  await askedErasure(lane, { subject: 'quokka' });
  clock.advance(60_000);
  expect(await reported({ event_id: 'evt-1', parent_event: 'quokka-1' })).toBe(202);
});
