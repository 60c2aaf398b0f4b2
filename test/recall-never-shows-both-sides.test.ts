import { cardIds, DAY, droppedFor, HOUR, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
});
afterAll(() => lane.close());

/** The same call of another day; only what comes of it differs. */
function booking(service: string, flight: string) {
  return {
    service,
    operation: 'book_reservation',
    input: { origin: 'JFK', destination: 'SFO', flight, cabin: 'economy', passengers: 2 },
  };
}

async function edgesOf(type: string): Promise<{ from: string; to: string }[]> {
  return await lane.api.database.inWorkspace('default', (tx) =>
    tx.query(`SELECT from_card AS "from", to_card AS "to" FROM edges WHERE type = $1`, [type]),
  );
}

describe('a success and a later failure of the same thing', () => {
  let success: string;
  let failure: string;
  beforeAll(async () => {
    success = await lane.filing.card({ ...booking('airline', 'HAT170'), output: 'confirmed' });
    lane.clock.advance(DAY);
    failure = await lane.filing.card({
      ...booking('airline', 'HAT170'),
      outcome: 'failed',
      error: 'Error: flight HAT170 is no longer served',
    });
    lane.clock.advance(HOUR);
  });

  it('are a conflict', async () => {
    expect(await edgesOf('conflicts')).toEqual([{ from: failure, to: success }]);
  });

  it('never stand in one answer: the newer shows, the other is named in explain', async () => {
    const reply = await lane.recall({ query: 'book airline HAT170 JFK SFO', explain: true });
    expect(cardIds(reply)).toContain(failure);
    expect(cardIds(reply)).not.toContain(success);
    expect(droppedFor(reply, 'conflict')).toEqual([
      expect.objectContaining({ id: success, winner: failure }),
    ]);
  });

  it('nor in one context', async () => {
    const { body } = await lane.recall({ query: 'book airline HAT170 JFK SFO', limit: 50 });
    expect(body.context).toContain('⚠️ «');
    expect(body.context).not.toContain('✅ «');
    expect(body.sections.map(({ name }: { name: string }) => name)).toEqual(['avoid']);
  });

  it('the loser stays away where filters keep the winner from being retrieved', async () => {
    const reply = await lane.recall({
      query: 'book airline HAT170 JFK SFO',
      filters: { sign: 'worked' },
      explain: true,
    });
    expect(cardIds(reply)).toEqual([]);
    expect(droppedFor(reply, 'conflict')).toEqual([
      expect.objectContaining({ id: success, winner: failure }),
    ]);
  });

  it('the loser stays away where an arm finds it and not the winner', async () => {
    // A card an arm, and the query is the loser's own text.
    await putPolicy({ limits: { recall_candidates: 2 } });
    for (let index = 0; index < 25; index += 1) {
      lane.clock.advance(HOUR);
      await lane.filing.card({
        service: 'calendar',
        operation: 'list_entries',
        input: { day: `2026-04-${10 + index}` },
        output: 'confirmed',
      });
    }
    const summary = await summaryOf(success);
    const reply = await lane.recall({ query: summary, explain: true });
    expect(cardIds(reply)).not.toContain(success);
    expect(droppedFor(reply, 'conflict')).toEqual([
      expect.objectContaining({ id: success, winner: failure }),
    ]);
    await putPolicy({ limits: { recall_candidates: 200 } });
  });

  it('the other shows again to whom the winner is out of sight', async () => {
    // A teammate is shown the success alone.
    await lane.recall({ query: 'hello' }, { 'cairn-agent': 'mate' });
    const shared = await lane.api.call('PUT', `/v1/cards/${success}/grants/mate`, { body: {} });
    expect(shared.status).toBe(200);
    const reply = await lane.recall(
      { query: 'book airline HAT170 JFK SFO', explain: true },
      { 'cairn-agent': 'mate' },
    );
    expect(cardIds(reply)).toEqual([success]);
    expect(reply.body.dropped).toEqual([]);
  });
});

describe('a warning and a later success', () => {
  let warning: string;
  let success: string;
  beforeAll(async () => {
    warning = await lane.filing.card({
      ...booking('railway', 'ICE42'),
      outcome: 'failed',
      error: 'Error: payment method declined',
    });
    lane.clock.advance(DAY);
    success = await lane.filing.card({ ...booking('railway', 'ICE42'), output: 'confirmed' });
    lane.clock.advance(HOUR);
  });

  const railway = (more = {}) =>
    lane.recall({
      query: 'book railway ICE42 JFK SFO',
      filters: { service: 'railway' },
      ...more,
    });

  it('are no conflict: both may show, the warning marked with what resolves it', async () => {
    expect(await edgesOf('satisfies')).toEqual([{ from: success, to: warning }]);
    const reply = await railway({ explain: true });
    expect(cardIds(reply).sort()).toEqual([success, warning].sort());
    const shown = reply.body.cards.find(({ id }: { id: string }) => id === warning);
    expect(shown.resolved_by).toEqual([success]);
    expect(droppedFor(reply, 'conflict')).toEqual([]);
    expect(reply.body.context).toContain('resolved by a later success');
  });

  it('the mark goes with a success that is taken out of use', async () => {
    const held = await lane.api.call('POST', `/v1/cards/${success}/quarantine`, { body: {} });
    expect(held.status).toBe(200);
    const reply = await railway();
    expect(cardIds(reply)).toEqual([warning]);
    expect(reply.body.cards[0].resolved_by).toBeUndefined();
    expect(reply.body.context).not.toContain('resolved');
    await lane.api.call('POST', `/v1/cards/${success}/release`, { body: {} });
  });
});

describe('two values of one key within the tie', () => {
  it('are left to a person; meanwhile one shows, at half its score, and says so', async () => {
    const key = lane.runtimeKey;
    const say = (agent: string, summary: string) =>
      writeCard(
        lane.api,
        { summary, kind: 'knowledge', subject: 'client-7', topic: 'timezone', key: 'timezone' },
        { key, headers: { 'cairn-agent': agent } },
      );
    const one = await say('scout', 'The client works in the timezone Europe/Paris.');
    const other = await say('mate', 'The client works in the timezone America/Chicago.');
    await lane.api.call('PUT', `/v1/cards/${other.id}/grants/scout`, { body: {} });
    const conflicts = await edgesOf('conflicts');
    expect(conflicts).toContainEqual({ from: other.id, to: one.id });
    const reply = await lane.recall({ query: 'timezone of the client', explain: true });
    const shown = cardIds(reply).filter((id) => [one.id, other.id].includes(id));
    expect(shown).toHaveLength(1);
    const [left] = droppedFor(reply, 'open_contradiction');
    expect([left?.id, left?.winner].sort()).toEqual([one.id, other.id].sort());
    const card = reply.body.cards.find(({ id }: { id: string }) => id === shown[0]);
    expect(card.terms.contradiction).toBe(0.5);
    expect(reply.body.context).toContain('contradicted, undecided');
    expect(reply.body.context.match(/timezone/g)).toHaveLength(1);
  });
});

async function putPolicy(policy: object): Promise<void> {
  const current = await lane.api.call('GET', '/v1/policy', {});
  const { status, text } = await lane.api.call('PUT', '/v1/policy', {
    headers: { 'if-match': current.headers.get('etag') ?? '' },
    body: policy,
  });
  if (status !== 200) throw new Error(text);
}

async function summaryOf(id: string): Promise<string> {
  return (await lane.api.call('GET', `/v1/cards/${id}`, {})).body.summary;
}
