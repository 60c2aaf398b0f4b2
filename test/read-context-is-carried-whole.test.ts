import type { AccessRow } from '../src/contracts/audit';
import { type CallOptions, startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';
import { LANE_START, TestClock } from './support/filing';
import { buildHouse, furnish, type House } from './support/surfaces/house';
import { headersOf, type Reader } from './support/surfaces/surface';
import { SURFACES } from './support/surfaces/table';

const clock = new TestClock(LANE_START);
let api: TestApi;
let house: House;

const interactive = { 'cairn-execution-mode': 'interactive' };
const session = { 'cairn-session': 'night-shift' };

/** What the log got since the last look, the oldest first. */
let seenUpTo = 0;
async function logged(): Promise<AccessRow[]> {
  const { body } = await house.done('GET', '/v1/access-log?limit=500');
  const rows: AccessRow[] = body.items.filter((row: { id: number }) => row.id > seenUpTo);
  seenUpTo = Math.max(seenUpTo, ...rows.map((row) => Number(row.id)));
  return rows.reverse();
}

const call = (path: string, reader: Reader, headers: Record<string, string> = {}) =>
  api.call('GET', path, { key: reader.key, headers: { ...headersOf(reader), ...headers } });
const recall = (reader: Reader, options: CallOptions = {}) =>
  api.call('POST', '/v1/recall', {
    key: reader.key,
    headers: { ...headersOf(reader), ...options.headers },
    body: { query: 'harbour', limit: 50, budget_tokens: 100_000 },
  });
const as = (agent: string, person: string | null = null): Reader => ({
  key: house.keys.runtime,
  ...{ agent, person },
});

describeNative('a read', () => {
  beforeAll(async () => {
    api = await startApi({ clock: clock.now });
    house = await buildHouse(api, clock);
    await furnish(api, house, clock);
    await logged();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    await logged();
  });

  const workspaceCard = () => `/v1/cards/${house.card('for-the-workspace').id}`;

  describe('is interactive where its header says so, and nowhere else', () => {
    it.each([
      ['no header', {}, 'headless'],
      ['headless', { 'cairn-execution-mode': 'headless' }, 'headless'],
      ['interactive', interactive, 'interactive'],
      ['a session alone', session, 'headless'],
    ])('%s', async (_name, headers, mode) => {
      for (const reader of [as('guest'), house.reader('a guest').reader, house.owner]) {
        expect((await call(workspaceCard(), reader, headers)).status).toBe(200);
      }
      const rows = await logged();
      expect(rows.map((row) => row.execution_mode)).toEqual(rows.map(() => mode));
      expect(rows).toHaveLength(3);
    });

    it.each(['chat-with-ann', 'person:ann', 'interactive', 'ui-4711', 'cron'])(
      'not from a session or an agent that is called %s',
      async (name) => {
        const reader = as(name);
        expect((await recall(reader, { headers: { 'cairn-session': name } })).status).toBe(200);
        for (const row of await logged()) {
          expect(row).toMatchObject({ execution_mode: 'headless', person: null, session: name });
        }
      },
    );

    it.each(['Interactive', 'interactive ', 'true', 'headless,interactive'])(
      'and %j is none',
      async (mode) => {
        const { status } = await call(workspaceCard(), as('guest'), {
          'cairn-execution-mode': mode,
        });
        // Space around a header's value is no part of it.
        expect(status).toBe(mode.trim() === 'interactive' ? 200 : 400);
      },
    );
  });

  describe('that is headless', () => {
    it.each([{}, { 'cairn-execution-mode': 'headless' }])(
      'acts for nobody: a person with %j is refused',
      async (mode) => {
        const headers = { 'cairn-agent': 'concierge', 'cairn-person': 'ann', ...mode };
        for (const path of ['/v1/cards', '/v1/notes', '/v1/graph', workspaceCard()]) {
          const answer = await api.call('GET', path, { key: house.keys.runtime, headers });
          expect([path, answer.status]).toEqual([path, 400]);
        }
        const body = { query: 'harbour' };
        const recalled = await api.call('POST', '/v1/recall', {
          ...{ key: house.keys.runtime, headers, body },
        });
        expect(recalled.status).toBe(400);
        expect(await logged()).toEqual([]);
      },
    );

    it('logs no person, whatever it reads', async () => {
      // What is for people alone an owner reads with its eyes.
      const asOwner = { ...house.owner, agent: 'concierge' };
      const reader = { ...as('concierge'), asOwner };
      for (const surface of SURFACES) {
        await surface.read(api, reader, [house.card('for-the-workspace')]);
      }
      const rows = await logged();
      expect(rows.length).toBeGreaterThan(10);
      expect(rows.map((row) => [row.person, row.execution_mode])).toEqual(
        rows.map(() => [null, 'headless']),
      );
    });
  });

  it('for a person carries them, the session and the mode to every surface', async () => {
    const reader = as('concierge', 'ann');
    const scope = { type: 'agent', id: 'outsider' };
    const about = { subject: 'ben', visibility: 'household' };
    const card = await house.write('a-household-note', { scope, key: 'household-note', ...about });
    for (const surface of SURFACES.filter((one) => one.serves?.(reader) ?? true)) {
      await surface.read(api, reader, [card]);
      const rows = await logged();
      // Who reads a card and who could is not for everybody, and tells nothing of it.
      if (/readers|visible|grants|story/.test(surface.name)) continue;
      expect([surface.name, rows.length]).not.toEqual([surface.name, 0]);
      for (const row of rows) {
        expect([surface.name, row.agent, row.person, row.execution_mode]).toEqual([
          ...[surface.name, 'concierge', 'ann', 'interactive'],
        ]);
      }
    }
    await recall(reader, { headers: session });
    for (const row of await logged()) {
      expect(row).toMatchObject({ session: 'night-shift', person: 'ann', surface: 'recall' });
    }
  });

  it('is a row for each distinct way, with the cards that were seen that way', async () => {
    const reader = as('concierge', 'ann');
    const { body } = await recall(reader, { headers: session });
    const ways = new Map<string, string[]>();
    for (const { id, vias } of body.cards as { id: string; vias: string[] }[]) {
      for (const via of vias) ways.set(via, [...(ways.get(via) ?? []), id].sort());
    }
    expect([...ways.keys()].sort()).toEqual(['household', 'organization', 'workspace']);
    const rows = await logged();
    expect(rows.map((row) => [row.via, row.count, [...row.card_ids].sort()]).sort()).toEqual(
      [...ways].map(([via, ids]) => [via, ids.length, ids]).sort(),
    );
    for (const row of rows) {
      expect(row).toMatchObject({
        agent: 'concierge',
        person: 'ann',
        execution_mode: 'interactive',
        session: 'night-shift',
        surface: 'recall',
      });
    }
  });

  it('by a person names the person; through an agent, both', async () => {
    const auditor = house.reader('the auditor').reader;
    await call(workspaceCard(), auditor, interactive);
    await call(workspaceCard(), { ...auditor, agent: 'outsider' }, interactive);
    expect(await logged()).toMatchObject([
      { agent: null, person: 'auditor', via: 'person', surface: 'cards.get' },
      { agent: 'outsider', person: 'auditor', via: 'workspace', surface: 'cards.get' },
    ]);
  });

  it('that is headless and for an agent names none, whoever holds the key', async () => {
    const auditor = house.reader('the auditor').reader;
    await call(workspaceCard(), { ...auditor, agent: 'outsider' });
    expect(await logged()).toMatchObject([
      { agent: 'outsider', person: null, execution_mode: 'headless', via: 'workspace' },
    ]);
  });

  it('of own cards alone leaves none', async () => {
    const { reader } = house.reader('an outsider');
    const own = house.card('own-of-an-outsider');
    for (const what of ['', '/history', '/readers', '/visible-to', '/grants']) {
      expect((await call(`/v1/cards/${own.id}${what}`, reader)).status).toBe(200);
    }
    expect(await logged()).toEqual([]);
    // As an injection it stands all the same: the blast radius of a bad card.
    await recall(reader);
    expect((await logged()).flatMap((row) => row.card_ids)).not.toContain(own.id);
    const { body } = await call(`/v1/cards/${own.id}/readers`, reader);
    expect(body.items).toMatchObject([{ agent: 'outsider', via: 'own', surface: 'recall' }]);
  });

  it('that is refused leaves none', async () => {
    const { reader } = house.reader('a guest');
    expect((await call(`/v1/cards/${house.card('own-of-the-writer').id}`, reader)).status).toBe(
      404,
    );
    expect((await call('/v1/cards?colour=red', reader)).status).toBe(400);
    expect(await logged()).toEqual([]);
  });

  it('stands in the log after its card is deleted, and nobody can change that', async () => {
    const card = await house.write('to-be-deleted', { scope: { type: 'workspace', id: 'house' } });
    await call(`/v1/cards/${card.id}`, as('guest'), session);
    const [before] = await logged();
    expect(before).toMatchObject({ card_ids: [card.id], agent: 'guest' });
    await house.done('DELETE', `/v1/cards/${card.id}`);
    const { body } = await house.done('GET', `/v1/access-log?card=${card.id}`);
    expect(body.items[0]).toEqual(before);
    for (const statement of [
      `DELETE FROM access_log`,
      `UPDATE access_log SET person = NULL`,
      `TRUNCATE access_log`,
    ]) {
      await expect(api.database.asOwner(statement)).rejects.toThrow('append-only');
    }
    // Not even the card's own row is needed.
    const foreign = await api.database.asOwner<{ to: string }>(
      `SELECT confrelid::regclass::text AS to FROM pg_constraint
        WHERE contype = 'f' AND conrelid = 'access_log'::regclass`,
    );
    expect(foreign).toEqual([]);
  });
});
