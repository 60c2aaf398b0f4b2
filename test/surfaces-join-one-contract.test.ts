import { ROUTE_RULES } from '../src/api/roles';
import { startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';
import { LANE_START, TestClock } from './support/filing';
import { email, githubToken } from './support/secret-strings';
import { CHANGES, WRITES_OF_ONES_OWN } from './support/surfaces/changing';
import { buildHouse, furnish, type House, type HouseReader } from './support/surfaces/house';
import { itemSaying, PLAIN } from './support/surfaces/house-items';
import { MEMORY_CHANGES, MEMORY_WRITES } from './support/surfaces/remembering';
import { ROUTES_WITHOUT_CARDS } from './support/surfaces/routes-without-cards';
import {
  encoded,
  get,
  headersOf,
  type Surface,
  type SurfacePage,
} from './support/surfaces/surface';
import { SURFACES } from './support/surfaces/table';
import { waysOf } from './support/visibility-model';

/**
 * What every way by which cards leave the system holds to, whoever built it. A new surface adds its row
 * to the table, and nothing here.
 */

const clock = new TestClock(LANE_START);
let api: TestApi;
let house: House;

const EVERY_CHANGE = [...CHANGES, ...MEMORY_CHANGES];
const isServed = (surface: Surface, { reader }: HouseReader) => surface.serves?.(reader) ?? true;
const NOWHERE = { id: 'card_nowhere', key: 'nowhere', status: 'active', summary: '' } as const;
/** All of this in what is written; nothing of it in what is read. */
const PLANTED = [email(), githubToken()];

describe('the table of surfaces', () => {
  it('has a place for each route there is', () => {
    const places = [
      ...new Set(SURFACES.flatMap(({ routes }) => routes)),
      ...EVERY_CHANGE.map(({ route }) => route),
      ...WRITES_OF_ONES_OWN,
      ...MEMORY_WRITES,
      ...Object.keys(ROUTES_WITHOUT_CARDS),
    ];
    expect(places.sort()).toEqual(Object.keys(ROUTE_RULES).sort());
  });

  it('has each surface once', () => {
    const names = SURFACES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describeNative('a surface', () => {
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

  const read = async (surface: Surface, reader: HouseReader) => {
    const { ids, text } = await surface.read(api, reader.reader, house.cards);
    return { ids: [...new Set(ids)].sort(), text };
  };

  describe.each(SURFACES)('$name', (surface) => {
    it('shows each reader what the model says, and names nothing else', async () => {
      let shown = 0;
      for (const reader of house.readers.filter((one) => isServed(surface, one))) {
        const { ids, text } = await read(surface, reader);
        expect([reader.name, ids]).toEqual([reader.name, house.expected(surface, reader)]);
        shown += ids.length;
        const hidden = house.cards.filter(
          (card) => waysOf(house.org, reader.who, card).length === 0,
        );
        const told = hidden.filter(({ summary }) => text.includes(summary));
        expect([reader.name, told]).toEqual([reader.name, []]);
        // Next door everything has the same ids, and is shown to everybody.
        expect(text).not.toContain('Next door');
      }
      expect(shown).toBeGreaterThan(10);
    });

    it('no longer shows what was taken back, nor what was deleted, at the very next read', async () => {
      const guest = house.reader('a guest');
      const shared = await house.write(`shared on ${surface.name}`, {
        scope: { type: 'agent', id: 'outsider' },
        key: `shared on ${surface.name}`.replace(/\W+/g, '-'),
        ...surface.about,
      });
      const sees = async (reader: HouseReader) =>
        (await surface.read(api, reader.reader, [shared])).ids.includes(shared.id);
      const grant = `/v1/cards/${shared.id}/grants/guest`;
      expect(await sees(guest)).toBe(false);
      await house.done('PUT', grant, { body: {} });
      expect(await sees(guest)).toBe(true);
      await house.done('DELETE', grant);
      expect(await sees(guest)).toBe(false);
      const outsider = house.reader('an outsider');
      expect(await sees(outsider)).toBe(true);
      await house.done('DELETE', `/v1/cards/${shared.id}`);
      shared.status = 'deleted';
      expect(await sees(outsider)).toBe(false);
      expect(await sees(house.reader('the auditor'))).toBe(false);
    });
  });

  it.each(SURFACES.filter(({ one }) => one !== undefined))(
    '$name answers 404 for what is not theirs, as for what is not there',
    async ({ one }) => {
      const { reader, who } = house.reader('a guest');
      const foreign = house.cards.filter((card) => waysOf(house.org, who, card).length === 0);
      const nowhere = await one?.(api, reader, NOWHERE);
      expect(nowhere?.status).toBe(404);
      for (const card of foreign) {
        const found = await one?.(api, reader, card);
        expect([card.name, found?.status]).toEqual([card.name, 404]);
        expect(found?.text.replaceAll(card.id, NOWHERE.id)).toBe(nowhere?.text);
      }
    },
  );

  it.each(SURFACES.filter(({ unknown }) => unknown !== undefined))(
    '$name refuses what it does not know',
    async ({ unknown }) => {
      const { reader } = house.reader('the writer');
      const statuses = await unknown?.(api, reader, house.card('note-of-the-writer'));
      expect(statuses).toEqual(statuses?.map(() => 400));
      expect(statuses?.length).toBeGreaterThan(0);
    },
  );

  describe.each(SURFACES.filter(({ page }) => page !== undefined))('$name, in pages', (surface) => {
    const walk = async (reader: HouseReader, limit: number) => {
      const keys: string[] = [];
      const card = house.card('own-of-the-writer');
      let cursor: string | null = null;
      do {
        const at: { limit: number; cursor: string | null } = { limit, cursor };
        const found: SurfacePage | undefined = await surface.page?.(api, reader.reader, card, at);
        if (found === undefined) throw new Error('it has no pages');
        keys.push(...found.keys);
        totals.add(found.total);
        cursor = found.next;
        if (cursor !== null) expect(found.keys).toHaveLength(limit);
      } while (cursor !== null);
      return keys;
    };
    const totals = new Set<number>();

    it('shows everything once, and counts what this reader sees', async () => {
      for (const name of ['the writer', 'a guest', 'the auditor', 'Ann herself']) {
        const reader = house.reader(name);
        // Of one card, the list is there for who may look into it.
        if (surface.pagesCards === undefined && !['the writer', 'the auditor'].includes(name)) {
          continue;
        }
        totals.clear();
        const all = await walk(reader, 500);
        expect(new Set(all).size).toBe(all.length);
        for (const limit of [1, 3]) expect(await walk(reader, limit)).toEqual(all);
        expect([...totals]).toEqual([all.length]);
        if (surface.pagesCards) expect([...all].sort()).toEqual(house.expected(surface, reader));
      }
    });
  });

  describe('with an e-mail and a secret in all that is written', () => {
    beforeAll(async () => {
      const text = `The harbour pays ${PLANTED.join(' and ')} at the gate.`;
      const { reader } = house.reader('the writer');
      await house.filing.file({
        event_id: 'with-a-secret',
        agent: 'writer',
        service: 'harbour',
        operation: 'pay',
        outcome: 'failed',
        input: { note: text, [email()]: 1 },
        error: `Error: ${text}`,
        metadata: { by: text },
      });
      const card = await house.write(
        'with-a-secret',
        { summary: text, metadata: { by: text } },
        reader,
      );
      const { key, metadata } = await itemSaying('with-a-secret', text);
      const note = { value: text, metadata };
      await house.done('PUT', `/v1/notes/${encoded(key)}`, { body: note }, reader);
      const plain = encoded(`${PLAIN}with-a-secret`);
      await house.done('PUT', `/v1/notes/${plain}`, { body: { value: text } }, reader);
      const path = `/v1/cards/${card.id}`;
      await house.done('PUT', `${path}/grants/mate`, { body: { purpose: text } }, reader);
      const { body } = await house.done('GET', path, {}, reader);
      await house.done(
        'PATCH',
        path,
        {
          body: { topic: 'pay', summary: `${text} Again.` },
          headers: { 'if-match': `"${body.version}"` },
        },
        reader,
      );
    });

    it.each(SURFACES)('$name shows nothing of them', async (surface) => {
      for (const name of ['the writer', 'its mate', 'the auditor']) {
        const { body } = await house.done('GET', '/v1/cards?limit=500');
        const written = body.items.filter(({ summary }: { summary: string }) =>
          summary.includes('at the gate'),
        );
        expect(written.length).toBeGreaterThan(1);
        const { ids, text } = await surface.read(api, house.reader(name).reader, written);
        expect(name !== 'the writer' || ids.length > 0).toBe(true);
        for (const secret of PLANTED) expect(text).not.toContain(secret);
      }
    });
  });

  it('that is an event names its card to who emitted it and to people, to nobody else', async () => {
    const namesIt = async (name: string) => {
      const { status, text } = await get(api, house.reader(name).reader, '/v1/events?limit=500');
      expect(status).toBe(name === 'a member about whom nothing is' ? 403 : 200);
      return text.includes('with-a-secret');
    };
    expect(await namesIt('the writer')).toBe(true);
    expect(await namesIt('the auditor')).toBe(true);
    for (const name of ['its mate', 'its heir', 'an outsider', 'Ann herself']) {
      expect([name, await namesIt(name)]).toEqual([name, false]);
    }
    expect(await namesIt('a member about whom nothing is')).toBe(false);
  });

  describe.each(EVERY_CHANGE)('$route', ({ call }) => {
    it('finds no card of others, and changes nothing', async () => {
      const reader = house.reader('a guest');
      const foreign = house.cards.filter(
        (card) => waysOf(house.org, reader.who, card).length === 0,
      );
      const standing = () =>
        api.database.inWorkspace('house', (tx) =>
          tx.query(`SELECT id, version, status FROM cards ORDER BY id`),
        );
      const before = await standing();
      for (const card of [...foreign, NOWHERE]) {
        const { method, path, headers, body } = call(card);
        const answer = await api.call(method, path, {
          key: reader.reader.key,
          headers: { ...headers, ...headersOf(reader.reader) },
          ...(body === undefined ? {} : { body }),
        });
        // Some are for people only, and say so before they look for a card.
        expect([card.id, answer.status]).toEqual([
          card.id,
          answer.body?.detail?.startsWith('this takes another kind of key') ? 403 : 404,
        ]);
        if (card.summary !== '') expect(answer.text).not.toContain(card.summary);
      }
      expect(await standing()).toEqual(before);
    });
  });
});
