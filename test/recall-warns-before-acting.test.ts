import { cardIds, DAY, HOUR, type RecallLane, startRecallLane } from './support/filing';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
});
afterAll(() => lane.close());

const channel = { service: 'slack', operation: 'get_users_in_channel' };

describe('an agent that is about to act on a service that failed before', () => {
  let warning: string;
  beforeAll(async () => {
    const { filing, clock } = lane;
    warning = await filing.card({
      ...channel,
      outcome: 'failed',
      input: { channel: 'External' },
      error: 'ValueError: Channel External not found in the channels list',
    });
    clock.advance(HOUR);
    for (const to of ['Alice', 'Bob', 'Chad']) {
      clock.advance(HOUR);
      await filing.card({
        service: 'slack',
        operation: 'send_direct_message',
        input: { recipient: to, body: `See you in the channel, ${to}` },
        output: true,
      });
      await filing.card({
        service: 'files',
        operation: 'read_file',
        input: { path: `/notes/${to}.txt` },
        output: `a list of users of ${to}`,
      });
    }
    clock.advance(DAY);
  });

  const query = 'send the users in channel External a message on slack';

  it('reads that warning first, and explain says why', async () => {
    const reply = await lane.recall({ query, intent: 'act', explain: true });
    expect(reply.status).toBe(200);
    const [first] = reply.body.cards;
    expect(first).toMatchObject({ id: warning, kind: 'constraint', sign: 'failed', via: 'own' });
    expect(first.summary).toMatch(/External/);
    expect(first.summary).toMatch(/not found/i);
    // Favoured because it is a constraint and the agent acts, and heavier because it failed.
    expect(first.terms).toMatchObject({ intent: 2, sign: 1.1, trust: 1, confidence: 0.8 * 0.99 });
    const { score, relevance, intent, uses, recency, sign, importance, confidence, trust } =
      first.terms;
    const product = relevance * intent * uses * recency * sign * importance * confidence * trust;
    expect(score).toBeCloseTo(product, 12);
    expect(first.score).toBe(score);
    expect(Object.keys(first.terms)).toEqual(expect.arrayContaining(['z_dense', 'z_lexical']));
  });

  it('finds it at the top of the context, under what is to be avoided', async () => {
    const { body } = await lane.recall({ query, intent: 'act' });
    expect(body.sections[0]).toMatchObject({ name: 'avoid', title: 'Things to avoid' });
    expect(body.sections[0].cards[0]).toBe(warning);
    const [, firstSection] = body.context.split('\n\n');
    expect(firstSection).toMatch(/^## Things to avoid\n- ⚠️ «.*External/);
  });

  it('is understood to be about to act without saying so', async () => {
    const reply = await lane.recall({ query: 'Send a message to the users in External on slack' });
    expect(reply.body.intent).toBe('act');
    expect(cardIds(reply)[0]).toBe(warning);
  });

  it('is told so where only the filter names the service', async () => {
    const reply = await lane.recall({
      query: 'message everybody in the channel',
      intent: 'act',
      filters: { service: 'slack' },
    });
    expect(cardIds(reply)[0]).toBe(warning);
  });

  it('is not bothered with it when acting on another service', async () => {
    const reply = await lane.recall({ query: 'read the file of Bob with files', intent: 'act' });
    expect(cardIds(reply)[0]).not.toBe(warning);
    expect(reply.body.cards[0].hints.service).toBe('files');
  });

  it('no longer reads it first once it is resolved', async () => {
    await lane.filing.card({ ...channel, input: { channel: 'External_0' }, output: ['Eve'] });
    const reply = await lane.recall({ query, intent: 'act' });
    const found = reply.body.cards.find((card: { id: string }) => card.id === warning);
    expect(found?.resolved_by).toHaveLength(1);
    expect(cardIds(reply)[0]).not.toBe(warning);
  });
});
