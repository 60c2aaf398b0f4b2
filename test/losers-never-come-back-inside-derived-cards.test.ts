import fc from 'fast-check';
import { cameOfLosers, GENERATIONS } from '../src/domain/losers';
import { rankAndPack } from '../src/domain/recall-pipeline';
import { candidate, daysAgo, rankInput } from './support/domain-cards';
import {
  cardIds,
  DAY,
  droppedFor,
  HOUR,
  type RecallLane,
  type RecallReply,
  startRecallLane,
} from './support/filing';
import { writeCard } from './support/fleet';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
  await lane.recall({ query: 'hello' }, { 'cairn-agent': 'mate' });
});
afterAll(() => lane.close());

/**
 * A success and a later failure of the same call, which are a conflict that the failure wins.
 * @param meanwhile after the success and before the failure
 */
async function conflict(
  service: string,
  meanwhile: (loser: string) => Promise<void> = async () => {},
): Promise<{ loser: string; winner: string }> {
  const call = {
    service,
    operation: 'book_reservation',
    input: { origin: 'JFK', destination: 'SFO', flight: 'HAT170', cabin: 'economy', passengers: 2 },
  };
  const loser = await lane.filing.card({ ...call, output: 'confirmed' });
  await meanwhile(loser);
  lane.clock.advance(DAY);
  const error = 'Error: flight HAT170 is no longer served';
  const winner = await lane.filing.card({ ...call, outcome: 'failed', error });
  lane.clock.advance(HOUR);
  return { loser, winner };
}

/** A card of scout's that came of these. */
async function written(kind: string, summary: string, sources: string[]): Promise<string> {
  const as = { key: lane.runtimeKey, headers: { 'cairn-agent': 'scout' } };
  const { id } = await writeCard(lane.api, { summary, kind }, as);
  await link('derived_from', id, ...sources);
  return id;
}

const derived = (summary: string, ...sources: string[]) => written('insight', summary, sources);

/** Of a kind that the filters of these tests leave out. */
const onTheWay = (summary: string, source: string) => written('convention', summary, [source]);

async function link(type: string, from: string, ...ends: string[]): Promise<void> {
  await lane.api.database.inWorkspace('default', async (tx) => {
    for (const to of ends) {
      await tx.query(
        `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
         VALUES ('default', $1, $2, $3, $4, 1, 'planted', $5)`,
        [`${type} ${from} ${to}`, type, from, to, lane.clock.text()],
      );
    }
  });
}

const asking = (service: string, more: Record<string, unknown> = {}, agent = 'scout') =>
  lane.recall(
    { query: `book ${service} HAT170 JFK SFO`, explain: true, limit: 50, ...more },
    { 'cairn-agent': agent },
  );

const fromLosers = (reply: RecallReply) =>
  droppedFor(reply, 'derived_from_loser').map(({ id, winner }) => ({ id, winner }));

const showTo = async (agent: string, ...ids: string[]) => {
  for (const id of ids) {
    const { status } = await lane.api.call('PUT', `/v1/cards/${id}/grants/${agent}`, { body: {} });
    expect(status).toBe(200);
  }
};

const judge = async (id: string, verdict: string) => {
  const { status } = await lane.api.call('POST', `/v1/cards/${id}/validation`, {
    body: { verdict },
  });
  expect(status).toBe(200);
};

describe('a card that was derived from the loser of a conflict', () => {
  it('is left out, named in explain with the winner', async () => {
    const { loser, winner } = await conflict('airline');
    const id = await derived('Flights on airline book without trouble.', loser);
    const reply = await asking('airline');
    expect(cardIds(reply)).toEqual([winner]);
    expect(fromLosers(reply)).toEqual([{ id, winner }]);
    expect(reply.body.context).not.toContain('without trouble');
    expect(droppedFor(reply, 'conflict')).toEqual([expect.objectContaining({ id: loser, winner })]);
  });

  it('is left out where neither the loser nor the winner was retrieved', async () => {
    const { loser, winner } = await conflict('railway');
    const id = await derived('Trains on railway book without trouble.', loser);
    const reply = await asking('railway', { filters: { kind: 'insight' } });
    expect(cardIds(reply)).not.toContain(id);
    expect(fromLosers(reply)).toContainEqual({ id, winner });
  });

  it('is left out at the third remove', async () => {
    const { loser, winner } = await conflict('ferry');
    const first = await onTheWay('Ferry bookings go through.', loser);
    const second = await onTheWay('Ferry bookings are easy.', first);
    const third = await derived('Prefer a ferry booking.', second);
    const reply = await asking('ferry', { filters: { kind: 'insight' } });
    expect(fromLosers(reply)).toContainEqual({ id: third, winner });
    expect(cardIds(reply)).not.toContain(third);
    const all = await asking('ferry');
    for (const id of [first, second, third]) {
      expect(fromLosers(all)).toContainEqual({ id, winner });
    }
  });

  it('shows when it was derived from the winner as well: it weighed both sides', async () => {
    const { loser, winner } = await conflict('coach');
    const id = await derived('Coach bookings worked until the line was closed.', loser, winner);
    const reply = await asking('coach');
    expect(cardIds(reply)).toEqual(expect.arrayContaining([id, winner]));
    expect(cardIds(reply)).not.toContain(loser);
  });

  it('shows when it is the winner', async () => {
    const { loser, winner } = await conflict('tram');
    await link('derived_from', winner, loser);
    expect(cardIds(await asking('tram'))).toContain(winner);
  });

  it('stays away when the loser is archived', async () => {
    const { loser, winner } = await conflict('metro');
    const id = await derived('Metro bookings go through.', loser);
    await lane.api.database.inWorkspace('default', (tx) =>
      tx.query(`UPDATE cards SET status = 'archived' WHERE id = $1`, [loser]),
    );
    expect(fromLosers(await asking('metro'))).toContainEqual({ id, winner });
  });

  it('still stands in a recall of before the winner', async () => {
    let id = '';
    let before = '';
    const { loser, winner } = await conflict('barge', async (success) => {
      id = await derived('Barge bookings go through.', success);
      before = lane.clock.text();
    });
    expect(fromLosers(await asking('barge'))).toContainEqual({ id, winner });
    for (const then of [{ as_of: before }, { known_at: before }]) {
      expect(cardIds(await asking('barge', then))).toEqual(expect.arrayContaining([id, loser]));
    }
  });
});

describe('a card that was derived from a rejected one', () => {
  it('is left out beside what the rejected one contradicted, which it had beaten', async () => {
    const { loser: success, winner: failure } = await conflict('hotel');
    const id = await derived('Hotel bookings fail.', failure);
    expect(cardIds(await asking('hotel'))).toEqual(expect.arrayContaining([failure, id]));
    await judge(failure, 'wrong');
    for (const reply of [await asking('hotel'), await asPerson('hotel')]) {
      expect(cardIds(reply)).toContain(success);
      expect(cardIds(reply)).not.toContain(id);
      expect(fromLosers(reply)).toContainEqual({ id, winner: success });
    }
  });

  it('stays away when the loser is rejected', async () => {
    const { loser, winner } = await conflict('museum');
    const id = await derived('Museum bookings go through.', loser);
    await judge(loser, 'wrong');
    const reply = await asking('museum');
    expect(cardIds(reply)).toContain(winner);
    expect(fromLosers(reply)).toContainEqual({ id, winner });
  });
});

const asPerson = async (service: string): Promise<RecallReply> =>
  await lane.api.call('POST', '/v1/recall', {
    body: { query: `book ${service} HAT170 JFK SFO`, explain: true, limit: 50 },
  });

describe('a card out of sight decides nothing', () => {
  it.each(['the winner', 'the loser', 'the card between'])('%s', async (unseen) => {
    const service = `theatre-${unseen.split(' ').at(-1)}`;
    const { loser, winner } = await conflict(service);
    const between = await derived(`Seats at ${service} book without trouble.`, loser);
    const id = await derived(`Prefer ${service} for an evening.`, between);
    const seen = {
      'the winner': [loser, between],
      'the loser': [winner, between],
      'the card between': [loser, winner],
    }[unseen];
    await showTo('mate', id, ...(seen ?? []));
    const reply = await asking(service, {}, 'mate');
    expect(cardIds(reply)).toContain(id);
    expect(fromLosers(reply).map((one) => one.id)).not.toContain(id);
    await showTo('mate', loser, winner, between);
    const all = await asking(service, {}, 'mate');
    expect(fromLosers(all)).toContainEqual({ id, winner });
  });

  it('nor does a rejected one that the reader had no path to', async () => {
    const { loser, winner } = await conflict('opera');
    const id = await derived('Opera bookings go through.', loser);
    await judge(loser, 'wrong');
    await showTo('mate', id, winner);
    expect(cardIds(await asking('opera', {}, 'mate'))).toEqual(
      expect.arrayContaining([id, winner]),
    );
    expect(fromLosers(await asking('opera'))).toContainEqual({ id, winner });
  });
});

describe('the rule', () => {
  const ids = Array.from({ length: 8 }, (_, index) => `card-${index}`);
  const end = fc.constantFrom(...ids);
  const world = fc.record({
    asked: fc.subarray(ids),
    derivations: fc.array(fc.record({ from: end, to: end }), { maxLength: 14 }),
    winnersOver: fc
      .dictionary(end, fc.uniqueArray(end, { minLength: 1, maxLength: 2 }), { maxKeys: 4 })
      .map((found) => new Map(Object.entries(found))),
  });

  it('names exactly the cards that came of a loser and of nobody who beat it', () => {
    fc.assert(
      fc.property(world, ({ asked, derivations, winnersOver }) => {
        // Written anew as walks from the loser's side: a step at a time towards what came of it.
        const cameOf = (source: string) => {
          let within = new Set([source]);
          for (let step = 0; step < GENERATIONS; step += 1) {
            within = new Set([
              ...within,
              ...derivations.filter(({ to }) => within.has(to)).map(({ from }) => from),
            ]);
          }
          return within;
        };
        const expected = asked.filter((id) =>
          [...winnersOver].some(
            ([loser, winners]) =>
              loser !== id &&
              cameOf(loser).has(id) &&
              !winners.some((winner) => winner === id || cameOf(winner).has(id)),
          ),
        );
        const found = cameOfLosers(asked, derivations, winnersOver);
        expect(found.map(({ id }) => id)).toEqual(expected.sort());
        for (const { winner } of found) expect([...winnersOver.values()].flat()).toContain(winner);
      }),
      { numRuns: 1000 },
    );
  });

  it('does not depend on the order of cards or edges', () => {
    fc.assert(
      fc.property(world, ({ asked, derivations, winnersOver }) => {
        expect(
          cameOfLosers(
            [...asked].reverse(),
            [...derivations].reverse(),
            new Map([...winnersOver].reverse()),
          ),
        ).toEqual(cameOfLosers(asked, derivations, winnersOver));
      }),
    );
  });

  it('leaves nothing of a loser in an answer, whatever became of the loser', () => {
    const statuses = ['active', 'validated', 'superseded', 'archived', 'quarantined', 'rejected'];
    fc.assert(
      fc.property(fc.constantFrom(...statuses), fc.boolean(), (status, isRetrieved) => {
        const loser = candidate({ id: 'loser', status: status as never, valid_from: daysAgo(5) });
        const winner = candidate({ id: 'winner', sign: 'failed', valid_from: daysAgo(4) });
        const answer = rankAndPack(
          rankInput({
            candidates: [
              candidate({ id: 'derived', kind: 'insight', summary: 'It always works.' }),
              ...(isRetrieved ? [loser, winner] : []),
            ],
            others: [loser, winner],
            edges: [
              { type: 'conflicts', from: 'winner', to: 'loser' },
              { type: 'derived_from', from: 'derived', to: 'loser' },
            ],
          }),
        );
        expect(answer.cards.map(({ id }) => id)).toEqual(isRetrieved ? ['winner'] : []);
        expect(answer.dropped).toContainEqual({
          id: 'derived',
          reason: 'derived_from_loser',
          winner: 'winner',
        });
      }),
    );
  });

  it('counts a winner that was retrieved and has nothing to do with the query', () => {
    const far = { dense: 0, lexical: null };
    const answer = rankAndPack(
      rankInput({
        candidates: [
          candidate({ id: 'loser', valid_from: daysAgo(5) }),
          candidate({ id: 'winner', sign: 'failed', valid_from: daysAgo(4), ...far }),
        ],
        edges: [{ type: 'conflicts', from: 'winner', to: 'loser' }],
      }),
    );
    expect(answer.cards).toEqual([]);
    expect(answer.dropped).toEqual([
      { id: 'loser', reason: 'conflict', winner: 'winner' },
      { id: 'winner', reason: 'not_relevant' },
    ]);
  });
});
