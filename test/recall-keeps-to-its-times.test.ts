import { cardIds, DAY, HOUR, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
});
afterAll(() => lane.close());

const owner = () => ({ key: lane.runtimeKey, headers: { 'cairn-agent': 'scout' } });

/** A runtime's event that makes a keyed fact, as in "the price is now". */
async function price(value: string, occurred_at = lane.clock.text()): Promise<string> {
  return await lane.filing.card({
    kind: 'observation',
    key: 'price-of-oak',
    outcome: 'neutral',
    text: `The price of oak is ${value}.`,
    occurred_at,
  });
}

const oak = (times: Record<string, unknown> = {}) =>
  lane.recall({ query: 'price of oak', filters: { key: 'price-of-oak' }, ...times });

describe('as_of bounds the world', () => {
  let old: string;
  let current: string;
  let between: string;
  beforeAll(async () => {
    old = await price('40');
    lane.clock.advance(10 * DAY);
    between = lane.clock.text();
    lane.clock.advance(10 * DAY);
    current = await price('55');
    lane.clock.advance(DAY);
  });

  it('now shows what holds now', async () => {
    const reply = await oak();
    expect(cardIds(reply)).toEqual([current]);
    expect(reply.body.context).toContain('55');
    expect(reply.body.context).not.toContain('40');
  });

  it('then shows what held then, and no later fact', async () => {
    const reply = await oak({ as_of: between });
    expect(cardIds(reply)).toEqual([old]);
    expect(reply.body.cards[0]).toMatchObject({ status: 'superseded', superseded_by: current });
    expect(reply.body.context).toContain('40');
    expect(reply.body.context).not.toContain('55');
  });

  it('before the first fact shows nothing', async () => {
    expect(cardIds(await oak({ as_of: '2026-03-01T00:00:00Z' }))).toEqual([]);
  });

  it('may lie in the future', async () => {
    const { id } = await writeCard(
      lane.api,
      {
        summary: 'From July on the price of elm is 70.',
        valid_from: '2026-07-01T00:00:00Z',
      },
      owner(),
    );
    const elm = (times: Record<string, unknown>) =>
      lane.recall({ query: 'price of elm', ...times });
    expect(cardIds(await elm({}))).not.toContain(id);
    expect(cardIds(await elm({ as_of: '2026-06-30T23:59:59Z' }))).not.toContain(id);
    expect(cardIds(await elm({ as_of: '2026-07-01T00:00:00Z' }))).toContain(id);
    expect(cardIds(await elm({ as_of: '2026-07-02T00:00:00+02:00' }))).toContain(id);
  });

  it('what ended is gone from its end on', async () => {
    const { id, version } = await writeCard(
      lane.api,
      { summary: 'The ash supplier delivers on Mondays.' },
      owner(),
    );
    const end = new Date(lane.clock.now().getTime() + 2 * HOUR).toISOString();
    const edited = await lane.api.call('PATCH', `/v1/cards/${id}`, {
      headers: { 'if-match': `"${version}"` },
      body: { valid_to: end },
    });
    expect(edited.status).toBe(200);
    const ash = (times = {}) => lane.recall({ query: 'ash supplier delivers', ...times });
    expect(cardIds(await ash())).toContain(id);
    const before = new Date(Date.parse(end) - 1).toISOString();
    expect(cardIds(await ash({ as_of: before }))).toContain(id);
    expect(cardIds(await ash({ as_of: end }))).not.toContain(id);
    lane.clock.set(end);
    expect(cardIds(await ash())).not.toContain(id);
  });
});

describe('known_at bounds what had been recorded', () => {
  it('hides what was reported later of an earlier time', async () => {
    const asked = lane.clock.text();
    lane.clock.advance(HOUR);
    const late = await lane.filing.card({
      service: 'depot',
      operation: 'count_stock',
      occurred_at: new Date(lane.clock.now().getTime() - 5 * HOUR).toISOString(),
      input: { item: 'larch' },
      output: 'twelve',
    });
    const stock = (times = {}) => lane.recall({ query: 'depot count stock of larch', ...times });
    expect(cardIds(await stock())).toContain(late);
    expect(cardIds(await stock({ known_at: asked, as_of: asked }))).not.toContain(late);
    expect(cardIds(await stock({ known_at: asked }))).not.toContain(late);
    expect(cardIds(await stock({ as_of: asked }))).toContain(late);
  });

  it('shows an edited card in the words of that time, and finds it by them', async () => {
    const { id, version } = await writeCard(
      lane.api,
      { summary: 'The walnut yard opens at seven.', hints: { service: 'yard' } },
      owner(),
    );
    lane.clock.advance(HOUR);
    const before = lane.clock.text();
    lane.clock.advance(HOUR);
    const edited = await lane.api.call('PATCH', `/v1/cards/${id}`, {
      headers: { 'if-match': `"${version}"` },
      body: { summary: 'Nobody is there before nine.', hints: { service: 'gate' }, importance: 9 },
    });
    expect(edited.status).toBe(200);
    lane.clock.advance(HOUR);
    const walnut = (times = {}) =>
      lane.recall({ query: 'when does the walnut yard open', ...times });

    const then = await walnut({ known_at: before, explain: true });
    expect(then.body.cards[0]).toMatchObject({
      id,
      summary: 'The walnut yard opens at seven.',
      hints: { service: 'yard' },
      version: 1,
      importance: null,
    });
    expect(then.body.cards[0].terms.z_lexical).toBeGreaterThan(0);
    expect(then.body.context).toContain('The walnut yard opens at seven.');

    const byNewWords = await lane.recall({ query: 'nobody before nine', known_at: before });
    expect(byNewWords.body.context).not.toContain('Nobody');

    const now = await lane.recall({ query: 'who is there before nine' });
    expect(now.body.cards[0]).toMatchObject({
      id,
      summary: 'Nobody is there before nine.',
      version: 2,
    });
  });

  it('filters by what a card was then', async () => {
    const { id, version } = await writeCard(
      lane.api,
      { summary: 'The cedar saw needs oil.', topic: 'maintenance' },
      owner(),
    );
    lane.clock.advance(HOUR);
    const before = lane.clock.text();
    lane.clock.advance(HOUR);
    await lane.api.call('PATCH', `/v1/cards/${id}`, {
      headers: { 'if-match': `"${version}"` },
      body: { topic: 'safety' },
    });
    const of = async (topic: string, times = {}) =>
      cardIds(await lane.recall({ query: 'cedar saw', filters: { topic }, ...times }));
    expect(await of('safety')).toEqual([id]);
    expect(await of('maintenance')).toEqual([]);
    expect(await of('maintenance', { known_at: before })).toEqual([id]);
    expect(await of('safety', { known_at: before })).toEqual([]);
  });

  it('shows the fact of then, though it has been replaced since', async () => {
    const before = lane.clock.text();
    lane.clock.advance(HOUR);
    await price('90');
    lane.clock.advance(HOUR);
    const then = await oak({ known_at: before });
    expect(then.body.cards.map(({ summary }: { summary: string }) => summary)).toEqual([
      expect.stringContaining('55'),
    ]);
    // It was the current one then; nothing of what came later is on it.
    expect(then.body.cards[0]).toMatchObject({ status: 'active', valid_to: null });
    expect(then.body.cards[0].superseded_by).toBeUndefined();
  });

  it('judges visibility now: what is out of sight today is so for every time', async () => {
    const before = lane.clock.text();
    const [card] = (await oak()).body.cards;
    lane.clock.advance(HOUR);
    const { status } = await lane.api.call('POST', `/v1/cards/${card.id}/quarantine`, { body: {} });
    expect(status).toBe(200);
    expect(cardIds(await oak())).not.toContain(card.id);
    expect(cardIds(await oak({ known_at: before, as_of: before }))).not.toContain(card.id);
  });
});

describe('a time', () => {
  it.each(['as_of', 'known_at'])('without a zone is refused for %s', async (field) => {
    expect((await oak({ [field]: '2026-03-02T08:00:00' })).status).toBe(400);
    expect((await oak({ [field]: 'yesterday' })).status).toBe(400);
  });

  it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
    'as far away as %s is answered or refused, never an error',
    async (time) => {
      for (const field of ['as_of', 'known_at']) {
        expect([200, 400]).toContain((await oak({ [field]: time })).status);
      }
      for (const field of ['since', 'until']) {
        const filtered = await lane.recall({ query: 'oak', filters: { [field]: time } });
        expect([200, 400]).toContain(filtered.status);
      }
    },
  );
});
