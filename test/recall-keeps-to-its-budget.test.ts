import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { cardIds, DAY, droppedFor, HOUR, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
  const { filing, clock } = lane;
  const loads = ['boiler', 'engine', 'mast', 'anchor', 'rudder', 'funnel', 'propeller', 'lifeboat'];
  for (const [index, load] of loads.entries()) {
    clock.advance(HOUR);
    await filing.card({
      service: 'crane',
      operation: index % 2 === 0 ? 'lift' : 'lower',
      input: { load, tons: 10 + index, berth: `berth ${index}` },
      ...(index % 3 === 0
        ? { outcome: 'failed', error: `Error: the cable is too short for the ${load}` }
        : { output: `the ${load} is in its place` }),
    });
    await writeCard(
      lane.api,
      {
        summary: `The crane needs ${index + 2} people for the ${load}: ${'x y z '.repeat(index * 6)}`,
      },
      { key: lane.runtimeKey, headers: { 'cairn-agent': 'scout' } },
    );
  }
});
afterAll(() => lane.close());

const query = 'crane lift and lower the load';

describe('the budget', () => {
  it('is never exceeded, in tokens of o200k, and what did not fit is said', async () => {
    const unbounded = await lane.recall({ query, limit: 50, budget_tokens: 100_000 });
    expect(unbounded.body.cards.length).toBe(16);
    let fewer = 0;
    for (let budget = 1; budget < 1600; budget = Math.ceil(budget * 1.3) + 7) {
      const reply = await lane.recall({ query, limit: 50, budget_tokens: budget, explain: true });
      const { context, tokens, cards, sections } = reply.body;
      expect(tokens).toBe(countTokens(context));
      expect(tokens).toBeLessThanOrEqual(budget);
      const shown = sections.flatMap((section: { cards: string[] }) => section.cards);
      expect([...shown].sort()).toEqual(cardIds(reply).sort());
      expect(cards.length === 0).toBe(context === '');
      const left = droppedFor(reply, 'budget').map(({ id }) => id);
      expect([...left, ...shown].sort()).toEqual(cardIds(unbounded).sort());
      if (cards.length > 0 && left.length > 0) fewer += 1;
    }
    expect(fewer).toBeGreaterThan(3);
  });

  it('of 1,000 is the default', async () => {
    const reply = await lane.recall({ query, limit: 50 });
    expect(reply.body.tokens).toBeLessThanOrEqual(1000);
    expect(reply.body.tokens).toBeGreaterThan(700);
  });

  it('holds at least the beginning of the best card where one fits at all', async () => {
    const { id } = await writeCard(
      lane.api,
      { summary: `The gantry manual: ${'turn the wheel and wait a while. '.repeat(55)}` },
      { key: lane.runtimeKey, headers: { 'cairn-agent': 'scout' } },
    );
    const reply = await lane.recall({ query: 'gantry manual', budget_tokens: 200 });
    expect(cardIds(reply)[0]).toBe(id);
    expect(reply.body.context).toContain('The gantry manual');
    expect(reply.body.tokens).toBeLessThanOrEqual(200);
  });

  it('does not lose a long warning to a short remark', async () => {
    const warning = await lane.filing.card({
      service: 'slipway',
      operation: 'haul',
      outcome: 'failed',
      input: { boat: 'Annemarie', cradle: 'the old one with the cracked beam '.repeat(6) },
      error: `Error: ${'the winch of the slipway overheats under the load and has to rest; '.repeat(12)}`,
    });
    await writeCard(
      lane.api,
      { summary: 'The slipway is wet.' },
      { key: lane.runtimeKey, headers: { 'cairn-agent': 'scout' } },
    );
    const ask = { query: 'haul the boat up the slipway', intent: 'act' };
    const { body } = await lane.recall({ ...ask, budget_tokens: 5000 });
    expect(body.cards.map(({ kind }: { kind: string }) => kind)).toEqual([
      'constraint',
      'knowledge',
    ]);
    let beginnings = 0;
    for (let budget_tokens = body.tokens - 1; budget_tokens > 118; budget_tokens -= 3) {
      const reply = await lane.recall({ ...ask, budget_tokens });
      expect(cardIds(reply)[0]).toBe(warning);
      expect(reply.body.context).toContain('⚠️ «');
      expect(reply.body.tokens).toBeLessThanOrEqual(budget_tokens);
      if (!reply.body.context.includes(body.cards[0].summary)) beginnings += 1;
    }
    expect(beginnings).toBeGreaterThan(0);
  });

  it('shows a card wherever one fits, to the very token', async () => {
    const ask = { query: 'haul the boat up the slipway', filters: { kind: 'knowledge' } };
    const { body } = await lane.recall({ ...ask, limit: 1 });
    const exact = await lane.recall({ ...ask, limit: 1, budget_tokens: body.tokens });
    expect(exact.body.context).toBe(body.context);
    const less = await lane.recall({ ...ask, limit: 1, budget_tokens: body.tokens - 1 });
    expect(less.body).toMatchObject({ context: '', tokens: 0, cards: [], sections: [] });
  });

  it('is kept to with text that looks like a token of the model', async () => {
    await writeCard(
      lane.api,
      { summary: `The davit says ${'<|endoftext|>'.repeat(40)} twice.` },
      { key: lane.runtimeKey, headers: { 'cairn-agent': 'scout' } },
    );
    const reply = await lane.recall({ query: 'davit', budget_tokens: 400 });
    expect(reply.status).toBe(200);
    expect(reply.body.tokens).toBeLessThanOrEqual(400);
    expect(reply.body.cards).toHaveLength(1);
  });
});

describe('the limit', () => {
  it.each([1, 2, 3, 7])('of %d is kept to', async (limit) => {
    const reply = await lane.recall({ query, limit, budget_tokens: 100_000, explain: true });
    expect(reply.body.cards).toHaveLength(limit);
    expect(droppedFor(reply, 'limit').length).toBeGreaterThan(0);
    for (const card of reply.body.cards)
      expect(reply.body.context).toContain(card.summary.slice(0, 30));
  });

  it('of five is the default', async () => {
    expect((await lane.recall({ query })).body.cards).toHaveLength(5);
  });

  it('keeps the best: a smaller one shows the beginning of a larger one', async () => {
    const wide = await lane.recall({ query, limit: 8, budget_tokens: 100_000 });
    const narrow = await lane.recall({ query, limit: 3, budget_tokens: 100_000 });
    expect(cardIds(narrow)).toEqual(cardIds(wide).slice(0, 3));
  });
});

describe('the same thing seen again and again', () => {
  it('is one card with a count and the last time, and takes one place', async () => {
    const seen: string[] = [];
    for (let day = 0; day < 6; day += 1) {
      lane.clock.advance(DAY);
      seen.push(
        await lane.filing.card({
          service: 'tide',
          operation: 'read_gauge',
          outcome: 'failed',
          input: { gauge: 'outer' },
          error: 'TimeoutError: the gauge did not answer',
        }),
      );
    }
    const last = lane.clock.text();
    const reply = await lane.recall({ query: 'tide read gauge outer', explain: true });
    const shown = reply.body.cards.filter(({ id }: { id: string }) => seen.includes(id));
    expect(shown).toHaveLength(1);
    expect(shown[0].folded).toEqual({ count: 6, last_at: last });
    expect(reply.body.context).toContain('seen 6 times, last today');
    const folded = droppedFor(reply, 'folded');
    expect(folded.map(({ id }) => id).sort()).toEqual(
      seen.filter((id) => id !== shown[0].id).sort(),
    );
    expect(new Set(folded.map(({ winner }) => winner))).toEqual(new Set([shown[0].id]));
  });

  it('does not swallow another failure of the same call', async () => {
    lane.clock.advance(DAY);
    const other = await lane.filing.card({
      service: 'tide',
      operation: 'read_gauge',
      outcome: 'failed',
      input: { gauge: 'outer' },
      error: 'PermissionError: the gauge is locked',
    });
    const reply = await lane.recall({ query: 'tide read gauge outer' });
    const [one, two] = reply.body.cards;
    expect(cardIds(reply)).toContain(other);
    expect([one.folded?.count, two.folded?.count].filter(Boolean)).toEqual([6]);
  });
});
