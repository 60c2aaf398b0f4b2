import fc from 'fast-check';
import { DEFAULT_POLICY } from '../src/domain/policy';
import { rankAndPack } from '../src/domain/recall-pipeline';
import { candidate, rankInput } from './support/domain-cards';
import { DAY, type RecallLane, startRecallLane } from './support/filing';

const { similarity: SHARE } = DEFAULT_POLICY.recall.weights.episodic;
const SERVICES = ['airline', 'railway', 'slack', 'calendar', 'billing'];

interface Told {
  service: string;
  terms: Record<string, number>;
}

async function episodes(lane: RecallLane, body: Record<string, unknown>): Promise<Told[]> {
  const { body: answer } = await lane.recall({
    profile: 'episodic',
    explain: true,
    limit: 10,
    ...body,
  });
  return answer.cards.map((card: { hints: { service: string }; terms: Told['terms'] }) => ({
    service: card.hints.service,
    terms: card.terms,
  }));
}

async function fill(lane: RecallLane): Promise<void> {
  for (const service of SERVICES) {
    lane.clock.advance(DAY);
    await lane.filing.card({
      service,
      operation: 'book_reservation',
      input: { origin: 'JFK', purpose: `${service} outing` },
      output: 'confirmed',
    });
  }
}

/** The term, whose sum with the other two is the score. */
function similarityOf({ terms }: Told): number {
  const { similarity = Number.NaN, recency = Number.NaN, importance = Number.NaN, score } = terms;
  expect(score).toBeCloseTo(similarity + recency + importance, 12);
  return similarity;
}

describe('profile episodic without an embedder', () => {
  let lane: RecallLane;
  beforeAll(async () => {
    lane = await startRecallLane(null);
    await fill(lane);
  });
  afterAll(() => lane.close());

  it.each(SERVICES)('puts first what the words of the query find: %s', async (service) => {
    const told = await episodes(lane, { query: `${service} outing from JFK` });
    expect(told).toHaveLength(SERVICES.length);
    const [most, ...others] = [...told].sort((a, b) => similarityOf(b) - similarityOf(a));
    expect(most?.service).toBe(service);
    expect(most && similarityOf(most)).toBeCloseTo(SHARE, 12);
    for (const other of others) expect(similarityOf(other)).toBeLessThan(SHARE / 4);
  });

  it('says in explain that relevance stands in for the cosine', async () => {
    for (const one of await episodes(lane, { query: 'slack outing' })) {
      expect(similarityOf(one)).toBeCloseTo(SHARE * (one.terms.relevance ?? Number.NaN), 12);
    }
  });

  it.each([
    ['asks nothing', { query: '' }],
    ['finds nothing', { query: 'zeppelins', filters: { operation: 'book_reservation' } }],
  ])('takes nothing for similar where the query %s: the newest first', async (_, body) => {
    const told = await episodes(lane, body);
    expect(told.map(({ service }) => service)).toEqual([...SERVICES].reverse());
    expect(told.map(similarityOf)).toEqual(SERVICES.map(() => 0));
  });
});

describe('profile episodic with an embedder', () => {
  it('takes the cosine, and relevance for a card whose vector is not there yet', async () => {
    const lane = await startRecallLane();
    try {
      await fill(lane);
      await lane.api.database.inWorkspace('default', (tx) =>
        tx.query(`DELETE FROM card_embeddings e USING (SELECT id FROM cards WHERE service = 'slack') c
                   WHERE e.card_id = c.id`),
      );
      const told = await episodes(lane, { query: 'slack outing' });
      expect(told.map(({ service }) => service).sort()).toEqual([...SERVICES].sort());
      for (const one of told) {
        expect(one.terms.relevance === undefined).toBe(one.service !== 'slack');
        expect(similarityOf(one)).toBeGreaterThan(0);
        expect(similarityOf(one)).toBeLessThanOrEqual(SHARE);
      }
    } finally {
      await lane.close();
    }
  });
});

it('a card without a cosine is the more similar the better the other arms found it', () => {
  const found = fc.option(fc.double({ min: 0.1, max: 9, noNaN: true }));
  fc.assert(
    fc.property(fc.array(found, { minLength: 1, maxLength: 8 }), (scores) => {
      const { cards, dropped } = rankAndPack(
        rankInput({
          profile: 'episodic',
          filters: { service: 'flight-booking' },
          explain: true,
          limit: 20,
          candidates: scores.map((lexical, index) =>
            candidate({
              id: `${index}`,
              dense: null,
              lexical,
              recency: lexical === null ? 1 / (index + 1) : null,
            }),
          ),
        }),
      );
      const similarity = scores.map(
        (_, index) =>
          [...cards, ...dropped].find(({ id }) => id === `${index}`)?.terms?.similarity ??
          Number.NaN,
      );
      for (const [index, own] of scores.entries()) {
        if (own === null) expect(similarity[index]).toBe(0);
        else expect(similarity[index]).toBeGreaterThan(0);
        expect(similarity[index]).toBeLessThanOrEqual(SHARE);
        for (const [at, other] of scores.entries()) {
          if ((other ?? 0) < 0.99 * (own ?? 0))
            expect(similarity[at]).toBeLessThan(similarity[index] ?? 0);
        }
      }
    }),
  );
});
