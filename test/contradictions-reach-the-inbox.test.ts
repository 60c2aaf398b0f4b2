import { describeNative } from './support/database';
import { DecidingLane } from './support/deciding-lane';
import { writeCard } from './support/fleet';

jest.setTimeout(120_000);

interface Edge {
  type: string;
  from: string;
  to: string;
}

describeNative('two cards that no rule settles', () => {
  let lane: DecidingLane;
  beforeAll(async () => {
    lane = await DecidingLane.start();
    await lane.work();
  });
  afterAll(() => lane?.stop());

  /** The same key in two scopes that `mate` sees, by the same hand, in the same hour. */
  const contradict = async (key: string): Promise<[string, string]> => {
    const of = (summary: string, scope: object) => writeCard(lane.api, { summary, key, scope });
    const name = key.replace('-', ' ');
    const team = await of(`The ${name}: four barges fit side by side.`, {
      type: 'team',
      id: 'red',
    });
    const all = await of(
      `The ${name}: nobody moors there, it is closed for dredging until spring.`,
      {
        type: 'workspace',
        id: 'default',
      },
    );
    return [team.id, all.id];
  };

  const inboxOf = async (card: string) => {
    const path = `/v1/proposals?type=contradiction&card=${card}`;
    return (await lane.done('GET', path, { key: lane.keys.auditor })).body.items;
  };

  /** Of the two, those that each surface shows to `mate`: recall, list, graph. */
  const shown = async (cards: readonly string[], query: string): Promise<string[][]> => {
    const { mate: key } = lane.keys;
    const among = (items: { id: string }[]) => cards.filter((id) => items.some((i) => i.id === id));
    const recall = await lane.done('POST', '/v1/recall', { key, body: { query, limit: 50 } });
    const list = await lane.done('GET', '/v1/cards?limit=500', { key });
    const graph = await lane.done('GET', '/v1/graph', { key });
    return [among(recall.body.cards), among(list.body.items), among(graph.body.nodes)];
  };

  const conflicts = async (card: string): Promise<Edge[]> => {
    const { body } = await lane.done('GET', `/v1/cards/${card}/edges`);
    return body.items.filter(({ type }: Edge) => type === 'conflicts');
  };

  const statusOf = async (card: string) =>
    (await lane.done('GET', `/v1/cards/${card}`)).body.status;

  it('wait for a person as one proposal, with both sides and the one that shows meanwhile', async () => {
    const cards = await contradict('north-quay');
    const found = await inboxOf(cards[0]);
    expect(found).toHaveLength(1);
    const proposal = await lane.proposal(found[0].id);
    const { winner, loser } = proposal.change as { winner: string; loser: string };
    expect([winner, loser].sort()).toEqual([...cards].sort());
    expect(proposal).toMatchObject({
      type: 'contradiction',
      status: 'open',
      proposed_by: { kind: 'system', id: 'cairn' },
      evidence: [winner, loser],
      cards: [{ id: winner }, { id: loser }],
      title: expect.stringContaining('north-quay'),
    });
    const [recalled, listed, drawn] = await shown(cards, 'north-quay');
    expect(recalled).toEqual([winner]);
    expect([listed, drawn]).toEqual([cards, cards]);
  });

  it('of settled work are asked about too: it worked and failed with the same inputs', async () => {
    const work = { service: 'lock', operation: 'open', input: { gate: 'west', level: 3 } };
    const now = Date.now();
    const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
    const worked = await lane.captured({ ...work, occurred_at: at(20) });
    const failed = await lane.captured({
      ...work,
      occurred_at: at(10),
      outcome: 'failed',
      error: 'Error: gate is stuck',
    });
    const [proposal] = await inboxOf(failed);
    expect(proposal).toMatchObject({ status: 'open', title: expect.stringContaining('of lock') });
    expect([...proposal.evidence].sort()).toEqual([worked, failed].sort());
  });

  it('are settled everywhere at once when a person names the side to keep', async () => {
    const cards = await contradict('south-quay');
    const [found] = await inboxOf(cards[0]);
    const { winner: suggested, loser: kept } = found.change;
    const answer = await lane.decide(found.id, { decision: 'approve', winner: kept });
    expect([answer.status, answer.body.status]).toEqual([200, 'applied']);
    expect(await shown(cards, 'south-quay')).toEqual([[kept], [kept], [kept]]);
    const gone = await lane.api.call('GET', `/v1/cards/${suggested}`, { key: lane.keys.mate });
    expect(gone.status).toBe(404);
    expect([await statusOf(kept), await statusOf(suggested)]).toEqual(['validated', 'rejected']);
    const audit = async (card: string) => (await lane.audited(card)).map(({ action }) => action);
    expect((await audit(kept)).at(-1)).toBe('card.validated');
    expect((await audit(suggested)).at(-1)).toBe('card.rejected');
  });

  it('are settled for the suggested side when a person only approves', async () => {
    const cards = await contradict('east-quay');
    const [found] = await inboxOf(cards[0]);
    await lane.decide(found.id, { decision: 'approve' });
    const { winner, loser } = found.change;
    expect([await statusOf(winner), await statusOf(loser)]).toEqual(['validated', 'rejected']);
  });

  it('both stand when a person rejects that they contradict each other, and for good', async () => {
    const cards = await contradict('west-quay');
    const [one = '', other = ''] = cards;
    expect(await conflicts(one)).toHaveLength(1);
    const [found] = await inboxOf(one);
    const answer = await lane.decide(found.id, {
      decision: 'reject',
      reason: 'one is the inner, one the outer quay',
    });
    expect(answer.body).toMatchObject({
      status: 'rejected',
      decisions: [{ by: 'rita', reason: 'one is the inner, one the outer quay', channel: 'api' }],
    });
    expect(await shown(cards, 'west-quay')).toEqual([cards, cards, cards]);
    expect(await conflicts(one)).toEqual([]);
    // Whoever comes back into use is compared with the others anew.
    await lane.done('POST', `/v1/cards/${other}/quarantine`, { body: {} });
    await lane.done('POST', `/v1/cards/${other}/release`, { body: {} });
    expect(await conflicts(other)).toEqual([]);
    expect(await inboxOf(one)).toHaveLength(1);
    expect(await shown(cards, 'west-quay')).toEqual([cards, cards, cards]);
  });

  it.each([
    ['quarantine', 'release'],
    ['delete', 'restore'],
  ])('are asked about again after the %s of one of them is lifted', async (action, lift) => {
    const [one, other] = await contradict(`${action}-quay`);
    const [found] = await inboxOf(one);
    await lane.done('POST', `/v1/cards/${other}/stop`, { body: { action } });
    const answer = await lane.decide(found.id, { decision: 'approve' });
    expect([answer.status, answer.body]).toEqual([
      409,
      expect.objectContaining({
        code: 'world_changed',
        proposal: { id: found.id, status: 'lapsed', version: 1 },
      }),
    ]);
    await lane.done('POST', `/v1/cards/${other}/${lift}`, { body: {} });
    const again = await inboxOf(one);
    expect(again.map(({ status }: { status: string }) => status)).toEqual(['open', 'lapsed']);
    // While it waits nobody is asked twice.
    await lane.done('POST', `/v1/cards/${one}/stop`, { body: { action } });
    await lane.done('POST', `/v1/cards/${one}/${lift}`, { body: {} });
    expect(await inboxOf(one)).toHaveLength(2);
  });

  it('are kept to by a side that is one of the two', async () => {
    const [card] = await contradict('old-quay');
    const stranger = await writeCard(lane.api, {
      summary: 'Of another matter.',
      scope: { type: 'workspace', id: 'default' },
    });
    const [found] = await inboxOf(card);
    const answer = await lane.decide(found.id, { decision: 'approve', winner: stranger.id });
    expect([answer.status, answer.body.pointer]).toEqual([400, '/winner']);
    expect((await lane.proposal(found.id)).status).toBe('open');
  });
});
