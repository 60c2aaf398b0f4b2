import fc from 'fast-check';
import { EDGE_TYPES } from '../src/contracts/names';
import { withGraph } from '../src/domain/graph-arm';
import { DEFAULT_POLICY } from '../src/domain/policy';
import { cardIds, HOUR, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';

const { arms } = DEFAULT_POLICY.recall.weights;

describe('an edge', () => {
  let lane: RecallLane;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    lane = await startRecallLane();
    const card = async (name: string, summary: string, agent = 'scout') => {
      const as = { key: lane.runtimeKey, headers: { 'cairn-agent': agent } };
      lane.clock.advance(HOUR);
      ids[name] = (await writeCard(lane.api, { summary }, as)).id;
    };
    await lane.recall({ query: 'hello' }, { 'cairn-agent': 'scout' });
    await lane.recall({ query: 'hello' }, { 'cairn-agent': 'stranger' });
    await card('match', 'Turbines vibrate above 3000 rpm.');
    await card('near', 'Grease nipple B was missing.');
    await card('far', 'Supplier Kranz delivers on Mondays.');
    await card('farther', 'Pick up cake.');
    await card('bridge', 'Quarterly audit notes.', 'stranger');
    await card('beyond', 'Old jetty, new paint.');
    await card('later', 'Zinc anodes wear out.');
    await lane.api.database.inWorkspace('default', async (tx) => {
      await tx.query('DELETE FROM edges');
      const edge = (from: string, to: string, at: string, type = 'supports') =>
        tx.query(
          `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
           VALUES ('default', $1, $2, $3, $4, 0.9, 'planted', $5)`,
          [`${from}-${to}`, type, ids[from], ids[to], at],
        );
      const now = lane.clock.text();
      await edge('near', 'match', now);
      await edge('near', 'far', now);
      await edge('farther', 'far', now);
      await edge('match', 'bridge', now);
      await edge('bridge', 'beyond', now);
      await edge('later', 'match', new Date(lane.clock.now().getTime() + HOUR).toISOString());
    });
  });
  afterAll(() => lane.close());

  const turbines = (more = {}) =>
    lane.recall({ query: 'turbines vibrate rpm', explain: true, limit: 50, ...more });

  it('brings what shares no word with the query, one hop and two, and no further', async () => {
    const reply = await turbines();
    const found = cardIds(reply);
    expect(found[0]).toBe(ids.match);
    expect(found).toContain(ids.near);
    expect(found).toContain(ids.far);
    expect(found).not.toContain(ids.farther);
    const graphOf = (id: string | undefined) =>
      reply.body.cards.find((card: { id: string }) => card.id === id).terms.z_graph;
    expect(graphOf(ids.near)).toBeGreaterThan(graphOf(ids.far));
    expect(graphOf(ids.far)).toBeGreaterThan(0);
    // What was found by its words needs nobody to vouch for it.
    expect(graphOf(ids.match)).toBe(0);
    expect(found).toHaveLength(3);
  });

  it('with an end out of sight leads nowhere', async () => {
    const found = cardIds(await turbines());
    expect(found).not.toContain(ids.bridge);
    expect(found).not.toContain(ids.beyond);
    await lane.api.call('PUT', `/v1/cards/${ids.bridge}/grants/scout`, { body: {} });
    const after = cardIds(await turbines());
    expect(after).toEqual(expect.arrayContaining([ids.bridge, ids.beyond]));
    await lane.api.call('DELETE', `/v1/cards/${ids.bridge}/grants/scout`, {});
    expect(cardIds(await turbines())).toEqual(found);
  });

  it('that was drawn later is not walked by a recall of before', async () => {
    const before = lane.clock.text();
    expect(cardIds(await turbines())).not.toContain(ids.later);
    lane.clock.advance(2 * HOUR);
    expect(cardIds(await turbines())).toContain(ids.later);
    expect(cardIds(await turbines({ known_at: before, as_of: before }))).not.toContain(ids.later);
  });

  it('brings nothing that a filter leaves out', async () => {
    const filters = { key: 'none' };
    expect(cardIds(await turbines({ filters }))).toEqual([]);
  });

  it('is not walked where nothing was found to start from', async () => {
    expect(cardIds(await lane.recall({ query: 'xylophone' }))).toEqual([]);
  });
});

describe('the graph arm', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  const score = fc.option(fc.double({ min: 0.01, max: 1, noNaN: true }));
  const candidates = fc.uniqueArray(
    fc.record({
      id,
      dense: score,
      lexical: score,
      graph: fc.constant(null),
      structured: fc.constant(null),
      recency: fc.constant(null),
    }),
    { selector: (one) => one.id },
  );
  const edges = fc.array(
    fc.record({
      from: id,
      to: id,
      type: fc.constantFrom(...EDGE_TYPES),
      confidence: fc.double({ min: 0.1, max: 1, noNaN: true }),
    }),
    { maxLength: 12 },
  );

  it('scores only what edges lead to from elsewhere, whatever the order', () => {
    fc.assert(
      fc.property(candidates, edges, (all, links) => {
        const scored = withGraph(all, links, arms);
        expect(scored.map((one) => one.id)).toEqual(all.map((one) => one.id));
        for (const { id: name, graph } of scored) {
          if (graph === null) continue;
          expect(graph).toBeGreaterThan(0);
          expect(links.some((link) => link.from === name || link.to === name)).toBe(true);
        }
        const again = withGraph([...all].reverse(), [...links].reverse(), arms);
        expect([...again].reverse()).toEqual(scored);
      }),
    );
  });

  it('changes no score of another arm', () => {
    fc.assert(
      fc.property(candidates, edges, (all, links) => {
        const scored = withGraph(all, links, arms);
        expect(scored.map((one) => ({ ...one, graph: null }))).toEqual(all);
      }),
    );
  });
});
