import fc from 'fast-check';
import { CARD_KINDS, CARD_STATUSES, SIGNS } from '../src/contracts/names';
import { insertCard, type NewCard } from '../src/store/card-writes';
import { startApi, type TestApi } from './support/api';
import { plainCard } from './support/plain-card';

const NOW = new Date('2026-03-20T12:00:00Z');
const HOUR_MS = 3_600_000;
const AGENTS = ['scout', 'herald', 'porter'];
const SERVICES = ['mailer', 'booking', 'O\'Brien & Söhne "mail"'];
const WORDS = ['refund', 'newsletter', 'ferry'];
const SCOPES: NewCard['scope'][] = [
  ...AGENTS.map((id) => ({ type: 'agent' as const, id })),
  { type: 'team', id: 'red/blue' },
  { type: 'workspace', id: 'default' },
];
const FACETS = ['kind', 'sign', 'status', 'scope', 'agent', 'service'] as const;

jest.setTimeout(120_000);

let api: TestApi;
/** Who may list: everybody, those who restore what was deleted, one agent, and whom a card is about. */
let readers: Record<string, { key: string; headers?: Record<string, string> }>;

beforeAll(async () => {
  api = await startApi({ clock: () => NOW });
  await api.call('PUT', '/v1/teams/red%2Fblue', { body: { name: 'Red' } });
  for (const agent of AGENTS) {
    await api.call('PUT', `/v1/agents/${agent}`, {
      body: agent === 'porter' ? {} : { team: 'red/blue' },
    });
  }
  await api.call('PUT', '/v1/subjects/guest', { body: {} });
  readers = {
    owner: { key: api.ownerKey },
    'the owner as scout': { key: api.ownerKey, headers: { 'cairn-agent': 'scout' } },
    auditor: { key: await api.keyOf('auditor') },
    porter: { key: await api.keyFor({ kind: 'agent', id: 'porter' }) },
    member: { key: await api.keyOf('member', 'guest') },
  };
  const cards = fc.sample(
    fc.record({
      kind: fc.constantFrom(...CARD_KINDS),
      sign: fc.constantFrom(...SIGNS),
      status: fc.constantFrom(...CARD_STATUSES),
      scope: fc.constantFrom(...SCOPES),
      agent: fc.option(fc.constantFrom(...AGENTS)),
      service: fc.option(fc.constantFrom(...SERVICES)),
      subject: fc.option(fc.constant('guest'), { freq: 2 }),
      hoursAgo: fc.integer({ min: 1, max: 30 * 24 }),
      isExpired: fc.boolean(),
      words: fc.subarray(WORDS),
    }),
    { numRuns: 150, seed: 11 },
  );
  await api.database.inWorkspace('default', async (tx) => {
    for (const { words, hoursAgo, isExpired, service, ...fields } of cards) {
      const at = new Date(NOW.getTime() - hoursAgo * HOUR_MS);
      const card = plainCard(`It says: ${words.join(' ')}.`, at, {
        ...fields,
        hints: { ...plainCard('', at).hints, service },
        expiresAt: isExpired && fields.status === 'archived' ? at : null,
      });
      await insertCard(tx, card, null, []);
    }
  });
}, 120_000);
afterAll(() => api.close());

type Filters = Record<string, string | string[]>;

function queryOf(filters: Filters, more: Filters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filters, ...more })) {
    for (const one of [value].flat()) query.append(name, one);
  }
  return query.toString();
}

const several = (names: readonly string[]) => fc.subarray([...names], { minLength: 1 });

/** At most three at a time: more of them leave nothing to count. */
const someFilters: fc.Arbitrary<Filters> = fc
  .subarray(
    [
      fc.record({ kind: several(CARD_KINDS) }),
      fc.record({ sign: several(SIGNS) }),
      fc.record({ status: several(CARD_STATUSES) }),
      fc.record({ scope: fc.constantFrom(...SCOPES.map(({ type, id }) => `${type}/${id}`)) }),
      fc.record({ agent: fc.constantFrom(...AGENTS) }),
      fc.record({ service: fc.constantFrom(...SERVICES) }),
      fc.constant({ team: 'red/blue' }),
      fc.constant({ subject: 'guest' }),
      fc.record({ q: fc.constantFrom(...WORDS) }),
      fc.constant({ since: '2026-03-05T00:00:00Z' }),
      fc.constant({ until: '2026-03-15T00:00:00Z' }),
    ] as fc.Arbitrary<Filters>[],
    { maxLength: 3 },
  )
  .chain((parts) => fc.tuple(...parts))
  .map((parts) => Object.assign({}, ...parts) as Filters);

it.each(['owner', 'the owner as scout', 'auditor', 'porter', 'member'])(
  'each number is what the list has with that value, for %s',
  async (name) => {
    const reader = readers[name];
    if (reader === undefined) throw new Error('no such reader');
    const totalOf = async (query: string): Promise<number> => {
      const { status, body } = await api.call('GET', `/v1/cards?limit=1&${query}`, reader);
      expect(status).toBe(200);
      return body.total;
    };
    const values = {
      kind: CARD_KINDS,
      sign: SIGNS,
      status: CARD_STATUSES,
      scope: SCOPES.map(({ type, id }) => `${type}/${id}`),
      agent: AGENTS,
      service: SERVICES,
    };
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(someFilters, fc.constantFrom(...FACETS), async (filters, facet) => {
        const path = `/v1/cards/facets?${queryOf(filters)}`;
        const { status, body } = await api.call('GET', path, reader);
        expect(status).toBe(200);
        expect(body.total).toBe(await totalOf(queryOf(filters)));
        const listed: { value: string; count: number }[] = [];
        for (const value of values[facet]) {
          const count = await totalOf(queryOf(filters, { [facet]: value }));
          if (count > 0) listed.push({ value, count });
        }
        expect([...body.facets[facet]].sort(byValue)).toEqual(listed.sort(byValue));
        const counts = body.facets[facet].map(({ count }: { count: number }) => count);
        expect(counts).toEqual([...counts].sort((one, other) => other - one));
        counted += listed.length;
      }),
      { numRuns: 20, seed: 5 },
    );
    expect(counted).toBeGreaterThan(0);
  },
);

function byValue(one: { value: string }, other: { value: string }): number {
  return one.value < other.value ? -1 : 1;
}

it('of very many values the fifty largest are told', async () => {
  await api.database.inWorkspace('default', async (tx) => {
    for (let at = 0; at < 60; at += 1) {
      const { hints } = plainCard('', NOW);
      for (let n = 0; n <= at % 3; n += 1) {
        const fields = { hints: { ...hints, service: `many-${at}` }, topic: 'many' };
        await insertCard(tx, plainCard('One of many quokkas.', NOW, fields), null, []);
      }
    }
  });
  const { body } = await api.call('GET', '/v1/cards/facets?q=quokkas');
  expect(body.total).toBe(120);
  const counts = body.facets.service.map(({ count }: { count: number }) => count);
  const expected = [3, 2, 1].flatMap((count) => Array(20).fill(count));
  expect(counts).toEqual(expected.slice(0, 50));
});
