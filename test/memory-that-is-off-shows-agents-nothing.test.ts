import { VIAS } from '../src/contracts/names';
import { startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';
import { LANE_START, TestClock } from './support/filing';
import { McpSession } from './support/mcp';
import { buildHouse, furnish, type House } from './support/surfaces/house';
import { WIDE } from './support/surfaces/recalling';
import { headersOf, type Reader } from './support/surfaces/surface';
import { SURFACES } from './support/surfaces/table';

/** Every surface, for every reader, three times over. */
jest.setTimeout(240_000);

const clock = new TestClock(LANE_START);
let api: TestApi;
let house: House;

const call = (reader: Reader, method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
  api.call(method, path, {
    key: reader.key,
    headers: { ...headersOf(reader), ...(method === 'PATCH' ? { 'if-match': '"1"' } : {}) },
    ...(body === undefined ? {} : { body }),
  });

const put = (path: string, body: object) => house.done('PUT', path, { body });

/** What each surface shows each of these readers, and how many cards that is for each of them. */
async function shownTo(names: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names) {
    const reader = house.reader(name);
    for (const surface of SURFACES) {
      if (surface.serves?.(reader.reader) === false) continue;
      const { ids } = await surface.read(api, reader.reader, house.cards);
      const shown = [...new Set(ids)].sort();
      expect([surface.name, name, shown]).toEqual([
        surface.name,
        name,
        house.expected(surface, reader),
      ]);
      counts.set(name, (counts.get(name) ?? 0) + shown.length);
    }
  }
  return counts;
}

/** Off for the time of the work, in the house and in the model. */
async function off<T>(what: 'agents' | 'subjects', id: string, work: () => Promise<T>): Promise<T> {
  const [on, not] =
    what === 'agents'
      ? [{ memory_mode: 'automatic' }, { memory_mode: 'off' }]
      : [{ memory: 'on' }, { memory: 'off' }];
  const one = house.org[what].find((other) => other.id === id);
  if (one === undefined) throw new Error(`there is no ${id} in the house`);
  await put(`/v1/${what}/${id}`, not);
  one.isOff = true;
  try {
    return await work();
  } finally {
    await put(`/v1/${what}/${id}`, on);
    one.isOff = false;
  }
}

async function workspaceOff<T>(work: () => Promise<T>): Promise<T> {
  await put('/v1/workspace', { memory_mode: 'off' });
  house.org.isOff = true;
  try {
    return await work();
  } finally {
    await put('/v1/workspace', { memory_mode: 'automatic' });
    house.org.isOff = false;
  }
}

describeNative('memory that is off', () => {
  beforeAll(async () => {
    // Each look at the clock is later than the one before, so that no two reads are alike.
    const ticking = (): Date => {
      clock.advance(1);
      return clock.now();
    };
    api = await startApi({ clock: ticking });
    house = await buildHouse(api, clock);
    await furnish(api, house, clock);
  }, 120_000);
  afterAll(() => api.close());

  const NAMES = ['the writer', 'its mate', 'its child', 'the auditor'];

  it('of an agent shows it nothing on any surface, and others what they saw', async () => {
    const before = await shownTo(NAMES);
    const during = await off('agents', 'writer', () => shownTo(NAMES));
    expect(Math.min(...before.values())).toBeGreaterThan(10);
    expect(during).toEqual(new Map([...before, ['the writer', 0]]));
    expect(await shownTo(['the writer'])).toEqual(
      new Map([['the writer', before.get('the writer')]]),
    );
  });

  it('of an agent is off for whoever looks with its eyes', async () => {
    const name = 'the auditor with an outsider’s eyes';
    const shown = await off('agents', 'outsider', () => shownTo([name, 'an outsider']));
    expect([...shown.values()]).toEqual([0, 0]);
  });

  it('of the workspace shows no agent anything, and people everything', async () => {
    const people = ['the auditor', 'Ann herself'];
    // One for each way of seeing that an agent has.
    const agents = [
      ...['the writer', 'its mate', 'its child', 'its heir', 'a guest', 'one of the crew'],
      ...['a concierge for Ann', 'the auditor with an outsider’s eyes'],
    ];
    const before = await shownTo(people);
    const during = await workspaceOff(() => shownTo([...people, ...agents]));
    for (const name of people) expect(during.get(name)).toBe(before.get(name));
    for (const name of agents) expect([name, during.get(name)]).toEqual([name, 0]);
  });

  it('about a subject shows no agent its cards, and people all of them', async () => {
    const names = ['an outsider', 'a concierge for Ann', 'Ann herself', 'the auditor'];
    const before = await shownTo(names);
    const during = await off('subjects', 'ann', () => shownTo(names));
    expect(during.get('an outsider')).toBeLessThan(before.get('an outsider') ?? 0);
    expect(during.get('an outsider')).toBeGreaterThan(0);
    for (const name of ['Ann herself', 'the auditor']) {
      expect(during.get(name)).toBe(before.get(name));
    }
    const household = await off('subjects', 'ben', () => shownTo(['a concierge for Ann']));
    expect(household.get('a concierge for Ann')).toBeLessThan(
      before.get('a concierge for Ann') ?? 0,
    );
  });

  it('is told in a recall, which counts nothing', async () => {
    const { reader } = house.reader('the writer');
    const person = house.reader('the auditor').reader;
    const [answer, theirs] = await workspaceOff(async () => [
      await call(reader, 'POST', '/v1/recall', WIDE),
      await call(person, 'POST', '/v1/recall', WIDE),
    ]);
    expect(answer.body.pools).toEqual(Object.fromEntries(VIAS.map((via) => [via, 0])));
    expect(answer.body.degraded).toContain('memory_off');
    expect(theirs.body.degraded ?? []).not.toContain('memory_off');
    expect(theirs.body.pools.person).toBeGreaterThan(0);
  });

  it('is told by the tools', async () => {
    const { reader } = house.reader('the writer');
    const session = await McpSession.http(api, reader.key);
    await off('agents', 'writer', async () => {
      for (const [tool, args] of [
        ['read_notes', {}],
        ['memory_search', { query: 'harbour' }],
      ] as const) {
        expect((await session.call(tool, args)).text).toContain('switched off');
      }
    });
    await session.close();
  });

  it('leaves of an event what became of it, and not what was told; of the track record nothing', async () => {
    await house.filing.file({
      event_id: 'told-before',
      agent: 'writer',
      kind: 'delegation',
      task_type: 'sail',
      subject: 'ann',
      text: 'The harbour was told before.',
    });
    const { reader } = house.reader('the writer');
    const looks = async (as = reader) => {
      const one = await call(as, 'GET', '/v1/events/told-before');
      const all = await call(as, 'GET', '/v1/events?limit=500');
      const record = await call(as, 'GET', '/v1/competence');
      expect([one.status, all.status, record.status]).toEqual([200, 200, 200]);
      expect(all.text.includes('told before')).toBe(one.body.event !== null);
      return [one.body.disposition, one.body.event !== null, record.body.items.length];
    };
    expect(await looks()).toEqual(['carded', true, 1]);
    expect(await off('agents', 'writer', looks)).toEqual(['carded', false, 0]);
    expect(await off('subjects', 'ann', looks)).toEqual(['carded', false, 1]);
    expect(await workspaceOff(looks)).toEqual(['carded', false, 0]);
    const { reader: auditor } = house.reader('the auditor');
    expect(await workspaceOff(() => looks(auditor))).toEqual(['carded', true, 1]);
  });

  it('is corrected and deleted by people, and by no agent', async () => {
    const { reader } = house.reader('the writer');
    const card = await house.write('to-be-corrected', { scope: { type: 'agent', id: 'writer' } });
    const path = `/v1/cards/${card.id}`;
    await workspaceOff(async () => {
      const foreign = await call(reader, 'PATCH', path, { summary: 'Corrected by an agent.' });
      expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found']);
      const written = await call(reader, 'POST', '/v1/cards', { summary: 'Another.' });
      expect([written.status, written.body.code]).toEqual([403, 'memory_off']);
      const seenBy = await call(house.owner, 'GET', `${path}/visible-to`);
      expect(seenBy.body.agents).toEqual([]);
      const corrected = await call(house.owner, 'PATCH', path, { summary: 'Corrected.' });
      expect([corrected.status, corrected.body.version]).toEqual([200, 2]);
      await house.done('DELETE', path);
    });
    card.status = 'deleted';
  });
});
