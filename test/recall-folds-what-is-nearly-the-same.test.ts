import type { Embedder } from '../src/models/embedder';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import {
  cardIds,
  droppedFor,
  MINUTE,
  type RecallLane,
  type RecallReply,
  startRecallLane,
} from './support/filing';
import { writeCard } from './support/fleet';

const REFUSED = {
  service: 'bank',
  operation: 'send_money',
  outcome: 'failed',
  error: 'Error: insufficient funds on the account of the sender',
} as const;

/** As in a fleet that goes on trying: one failure, four recipients. */
const payment = (recipient: number) => ({
  ...REFUSED,
  text: `Tried to send the monthly payment for the rent of the flat to recipient ${recipient}.`,
  input: { recipient, amount: 40, purpose: 'the monthly payment for the rent of the flat' },
});

/** All texts with the same word for a direction point there; the words differ as they like. */
const DIRECTIONS = ['north', 'south'];
const compass: Embedder = {
  id: 'compass-1',
  dims: DIRECTIONS.length + 1,
  embed: async (texts) =>
    texts.map((text) => {
      const ways = DIRECTIONS.map((way) => (text.toLowerCase().includes(way) ? 1 : 0));
      return Float32Array.from([...ways, ways.some((way) => way === 1) ? 0 : 1]);
    }),
  close: async () => {},
};

describe('failures that differ in the recipient', () => {
  let lane: RecallLane;
  let reply: RecallReply;
  const failures: string[] = [];
  beforeAll(async () => {
    lane = await startRecallLane(createHashedEmbedder());
    for (let recipient = 250; recipient <= 253; recipient += 1) {
      lane.clock.advance(MINUTE);
      failures.push(await lane.filing.card(payment(recipient)));
    }
    lane.clock.advance(MINUTE);
    reply = await lane.recall({ query: 'send money with the bank', explain: true, limit: 20 });
  });
  afterAll(() => lane.close());

  it('are one line with a count', () => {
    expect(cardIds(reply)).toHaveLength(1);
    expect(reply.body.cards[0].folded).toMatchObject({ count: 4 });
    expect(reply.body.context.match(/recipient/g)).toHaveLength(1);
    const folded = droppedFor(reply, 'folded');
    expect([...cardIds(reply), ...folded.map(({ id }) => id)].sort()).toEqual([...failures].sort());
    expect(new Set(folded.map(({ winner }) => winner))).toEqual(new Set(cardIds(reply)));
  });

  it('show the one that the query names', async () => {
    for (const [index, id] of failures.entries()) {
      const named = await lane.recall({ query: `send money to recipient ${250 + index}` });
      expect(cardIds(named)[0]).toBe(id);
    }
  });

  it('leave the answer without a vector', () => {
    for (const card of reply.body.cards) expect(Object.keys(card)).not.toContain('vector');
  });
});

describe('vectors', () => {
  let lane: RecallLane;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    lane = await startRecallLane(compass);
    const write = async (name: string, summary: string, operation: string | null = 'sail') => {
      const as = { key: lane.runtimeKey, headers: { 'cairn-agent': 'scout' } };
      const hints = operation === null ? {} : { service: 'fleet', operation };
      const card = await writeCard(lane.api, { summary, sign: 'worked', hints }, as);
      ids[name] = card.id;
      return card;
    };
    await write('north', 'North with the brig.');
    await write('northern', 'A schooner reached the cape, northern route.');
    await write('south', 'South with the brig.');
    await write('towed', 'North under tow.', 'tow');
    await write('free', 'North is where the needle points.', null);
    await write('freer', 'Northern lights are green.', null);
  });
  afterAll(() => lane.close());

  const sail = (more = {}) =>
    lane.recall({
      query: 'north brig',
      filters: { since: '2020-01-01T00:00:00Z' },
      limit: 20,
      budget_tokens: 4000,
      explain: true,
      ...more,
    });

  it('decide what is near, whatever the words', async () => {
    const reply = await sail();
    expect(reply.body.degraded).toBeUndefined();
    const folded = droppedFor(reply, 'folded');
    expect(folded).toHaveLength(1);
    expect([folded[0]?.id, folded[0]?.winner].sort()).toEqual([ids.north, ids.northern].sort());
    expect(cardIds(reply)).toEqual(
      expect.arrayContaining([ids.south, ids.towed, ids.free, ids.freer]),
    );
  });

  it('decide so again, and whatever was asked', async () => {
    const first = droppedFor(await sail(), 'folded');
    expect(droppedFor(await sail(), 'folded')).toEqual(first);
    for (const query of ['south', 'brig schooner', 'needle']) {
      const folded = droppedFor(await sail({ query }), 'folded');
      expect([folded[0]?.id, folded[0]?.winner].sort()).toEqual([ids.north, ids.northern].sort());
    }
  });

  it('of then decide for a time in the past', async () => {
    const before = lane.clock.text();
    lane.clock.advance(MINUTE);
    const { body } = await lane.api.call('GET', `/v1/cards/${ids.northern}`, {});
    const edited = await lane.api.call('PATCH', `/v1/cards/${ids.northern}`, {
      headers: { 'if-match': `"${body.version}"` },
      body: { summary: 'A schooner reached the cape, southern route.' },
    });
    expect(edited.status).toBe(200);
    lane.clock.advance(MINUTE);
    const pair = async (times: object) => {
      const [folded] = droppedFor(await sail({ query: 'brig schooner', ...times }), 'folded');
      return [folded?.id, folded?.winner].sort();
    };
    expect(await pair({})).toEqual([ids.south, ids.northern].sort());
    expect(await pair({ known_at: before })).toEqual([ids.north, ids.northern].sort());
  });
});
