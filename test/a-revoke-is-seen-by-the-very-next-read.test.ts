import { startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';
import { HOUR, LANE_START, TestClock } from './support/filing';
import { buildHouse, type House, type HouseCard, type HouseReader } from './support/surfaces/house';
import { PLAIN } from './support/surfaces/house-items';
import { WIDE } from './support/surfaces/recalling';
import { headersOf } from './support/surfaces/surface';
import { SURFACES } from './support/surfaces/table';

/** Of whom each agent of the house has a conversation. */
const ABOUT = { subject: 'quay' };

/** A way of letting somebody see a card, and of taking that back. */
interface Sharing {
  how: string;
  /** Who sees it in between. */
  reader: string;
  card?: Record<string, unknown>;
  share(card: HouseCard): Promise<unknown>;
  revoke(card: HouseCard): Promise<unknown>;
}

const clock = new TestClock(LANE_START);
let api: TestApi;
let house: House;

const put = (path: string, body: object = {}) => house.done('PUT', path, { body });
/** As the agent whose card it is. */
const byWriter = (method: 'PUT' | 'DELETE', path: string, body?: object) =>
  house.done(method, path, body === undefined ? {} : { body }, house.reader('the writer').reader);
const patch = async ({ id }: HouseCard, body: object) => {
  const path = `/v1/cards/${id}`;
  const before = await house.done('GET', path);
  const headers = { 'if-match': `"${before.body.version}"` };
  return await house.done('PATCH', path, { body, headers });
};
const inAnHour = () => new Date(clock.now().getTime() + HOUR).toISOString();
const passAnHour = async () => clock.advance(HOUR);

const SHARINGS: Sharing[] = [
  {
    how: 'a grant, taken back',
    reader: 'its mate',
    share: ({ id }) => byWriter('PUT', `/v1/cards/${id}/grants/mate`, { purpose: 'pairing' }),
    revoke: ({ id }) => byWriter('DELETE', `/v1/cards/${id}/grants/mate`),
  },
  {
    how: 'a grant whose time is over',
    reader: 'its mate',
    share: ({ id }) => byWriter('PUT', `/v1/cards/${id}/grants/mate`, { expires_at: inAnHour() }),
    revoke: passAnHour,
  },
  {
    how: 'a grant to a group, taken back',
    reader: 'one of the crew',
    share: ({ id }) => put(`/v1/cards/${id}/group-grants/crew`),
    revoke: ({ id }) => house.done('DELETE', `/v1/cards/${id}/group-grants/crew`),
  },
  {
    how: 'a grant to a group, whose time is over',
    reader: 'one of the crew',
    share: ({ id }) => put(`/v1/cards/${id}/group-grants/crew`, { expires_at: inAnHour() }),
    revoke: passAnHour,
  },
  {
    how: 'a grant to a group, and the group left',
    reader: 'a guest',
    share: async ({ id }) => {
      await put(`/v1/cards/${id}/group-grants/crew`);
      await put('/v1/agent-groups/crew', { members: ['guest', 'crewman'] });
    },
    revoke: () => put('/v1/agent-groups/crew', { members: ['crewman'] }),
  },
  {
    how: 'the organization, narrowed',
    reader: 'an outsider',
    share: (card) => patch(card, { visibility: 'organization' }),
    revoke: (card) => patch(card, { visibility: 'private' }),
  },
  {
    how: 'the household, moved out of',
    reader: 'a concierge for Cat',
    card: { subject: 'ben', visibility: 'household' },
    share: () => put('/v1/subjects/cat', { household: 'quay-street' }),
    revoke: () => put('/v1/subjects/cat', { household: 'elsewhere' }),
  },
  {
    how: 'a team, left',
    reader: 'a guest',
    card: { scope: { type: 'team', id: 'red' } },
    share: () => put('/v1/agents/guest', { team: 'red' }),
    revoke: () => put('/v1/agents/guest', { team: null }),
  },
  {
    how: 'a place in the spawn tree, lost',
    reader: 'a guest',
    share: () => put('/v1/agents/guest', { parent_agent: 'child' }),
    revoke: () => put('/v1/agents/guest', { parent_agent: null }),
  },
  {
    how: 'a succession, undone',
    reader: 'a guest',
    share: () => put('/v1/agents/guest', { succeeds: 'writer' }),
    revoke: () => put('/v1/agents/guest', { succeeds: null }),
  },
  {
    how: 'being about them, corrected',
    reader: 'Cat herself',
    share: (card) => patch(card, { subject: 'cat' }),
    revoke: (card) => patch(card, { subject: null }),
  },
  {
    how: 'being in use, quarantined',
    reader: 'its child',
    share: async ({ id }) => {
      const { body } = await house.done('GET', `/v1/cards/${id}`);
      if (body.status === 'quarantined') {
        await house.done('POST', `/v1/cards/${id}/release`, { body: {} });
      }
    },
    revoke: ({ id }) => house.done('POST', `/v1/cards/${id}/quarantine`, { body: {} }),
  },
];

describeNative('what X shared with Y and took back', () => {
  beforeAll(async () => {
    api = await startApi({ clock: clock.now });
    house = await buildHouse(api, clock);
  });
  afterAll(() => api.close());

  describe.each(SHARINGS)('by $how', ({ how, reader: name, card: more, share, revoke }) => {
    let card: HouseCard;
    /** An item of a store, a plain note, and one about somebody: each surface shows one of them. */
    let cards: HouseCard[];
    let reader: HouseReader;
    beforeAll(async () => {
      reader = house.reader(name);
      const key = how.replace(/\W+/g, '-');
      const own = { scope: { type: 'agent', id: 'writer' }, ...more };
      card = await house.write(how, { key, ...own });
      const plain = await house.write(`${how}, plain`, { key: `${PLAIN}${key}`, ...own });
      const about = await house.write(`${how}, about`, { key: `${key}-about`, ...ABOUT, ...own });
      cards = [card, plain, about];
    });

    it.each(SURFACES)('is seen on $name, and not at the next read', async (surface) => {
      if (surface.serves?.(reader.reader) === false) {
        const { person, isMember } = reader.reader;
        expect(person !== null || isMember === true).toBe(true);
        return;
      }
      const shown = cards.find((one) => surface.shows(one));
      if (shown === undefined) throw new Error(`${surface.name} shows none of the cards`);
      const sees = async () =>
        (await surface.read(api, reader.reader, [shown])).ids.includes(shown.id);
      await share(shown);
      expect(await sees()).toBe(true);
      await revoke(shown);
      expect(await sees()).toBe(false);
    });

    it('is known to be gone from a context that is in a prompt already', async () => {
      const ask = (more: object = {}) =>
        api.call('POST', '/v1/recall', {
          key: reader.reader.key,
          headers: headersOf(reader.reader),
          body: { ...WIDE, ...more },
        });
      await share(card);
      const { body } = await ask();
      expect(body.context).toContain(card.summary);
      const known = { if_context_version: body.context_version };
      expect((await ask(known)).status).toBe(304);
      await revoke(card);
      const after = await ask(known);
      expect(after.status).toBe(200);
      expect(after.body.context_version).not.toBe(body.context_version);
      expect(after.text).not.toContain(card.summary);
    });
  });
});
