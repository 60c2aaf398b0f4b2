import { cardIds, DAY, HOUR, MINUTE, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
});
afterAll(() => lane.close());

/** A turn of a conversation that `scout` keeps, a minute after the last one. */
async function told(session: string, name: string, content: string, agent = 'scout') {
  lane.clock.advance(MINUTE);
  return await lane.filing.card({
    agent,
    session,
    kind: 'chat',
    outcome: 'neutral',
    messages: [{ role: 'user', name, content }],
  });
}

const termsOf = (reply: Awaited<ReturnType<RecallLane['recall']>>, id: string) =>
  reply.body.cards.find((card: { id: string }) => card.id === id)?.terms;

describe('what was told beside a card', () => {
  it('finds an answer that shares no word with the question', async () => {
    await told('s1', 'Ines', 'Which harbour did you moor the dinghy in?');
    const answer = await told('s1', 'Oskar', 'Kragenes, behind the old cannery, for eleven days.');
    for (const other of ['Bread was sold out again.', 'The lamp needs oil.', 'Rain until noon.'])
      await told('s2', 'Oskar', other);
    const reply = await lane.recall({ query: 'harbour moor dinghy', explain: true, limit: 2 });
    expect(cardIds(reply)).toContain(answer);
    expect(termsOf(reply, answer).z_lexical).toBe(0);
    expect(termsOf(reply, answer).z_lexical_context).toBeGreaterThan(0);
    expect(termsOf(reply, answer).z_neighbour).toBeGreaterThan(0);
  });

  it('counts only where the reader sees it', async () => {
    const ask = { query: 'reactor coolant', explain: true, limit: 50 };
    await told('s3', 'Pia', 'Filler about the weather in the valley.');
    const kept = await told('s3', 'Pia', 'Valve seven is loose.');
    const before = await lane.recall(ask);
    await told('s3', 'Pia', 'Reactor coolant smells of almonds.', 'hermit');
    const after = await lane.recall(ask);
    expect(termsOf(after, kept)).toEqual(termsOf(before, kept));
    expect(after.body.cards.length).toBe(before.body.cards.length);
  });

  it('is told apart by its session: the same words in another one lend nothing', async () => {
    await told('s4', 'Uma', 'The observatory dome jams in frost.');
    lane.clock.advance(HOUR);
    const elsewhere = await told('s5', 'Uma', 'Socks are in the drawer.');
    const reply = await lane.recall({ query: 'observatory dome frost', explain: true, limit: 50 });
    expect(cardIds(reply)).not.toContain(elsewhere);
  });
});

describe('who the query names', () => {
  it('comes before whoever else said the same', async () => {
    const oskar = await told('n1', 'Oskar', 'I adore the smell of tar in spring.');
    const ines = await told('n2', 'Ines', 'I adore the smell of tar in spring.');
    const ask = async (query: string) => cardIds(await lane.recall({ query, limit: 2 }))[0];
    expect(await ask('What smell does Ines adore?')).toBe(ines);
    expect(await ask('What smell does Oskar adore?')).toBe(oskar);
  });

  it('is who acts, not who is mentioned', async () => {
    const mentions = await told('n3', 'Oskar', 'Tilda, have you seen the lighthouse keeper?');
    const acts = await told('n4', 'Tilda', 'The lighthouse keeper left on Friday.');
    const reply = await lane.recall({
      query: 'What did Tilda say of the lighthouse keeper?',
      explain: true,
      limit: 10,
    });
    expect(cardIds(reply)[0]).toBe(acts);
    expect(termsOf(reply, acts).z_named).toBeGreaterThan(0);
    expect(termsOf(reply, mentions).z_named).toBe(0);
  });

  it('says nothing where the named one has no card that the reader sees', async () => {
    await told('n5', 'Quirin', 'Marzipan is best cold.', 'hermit');
    const ask = { query: 'What does Quirin think of marzipan?', explain: true, limit: 50 };
    for (const card of (await lane.recall(ask)).body.cards) expect(card.terms.z_named ?? 0).toBe(0);
  });
});

it('a question alone gives way to what answers it', async () => {
  const question = await told('q1', 'Ines', 'Has the ketch a new sail, and of what colour?');
  const answer = await told('q2', 'Oskar', 'The ketch has a new sail, and of a red colour.');
  const ids = cardIds(await lane.recall({ query: 'colour of the sail of the ketch', limit: 2 }));
  expect(ids[0]).toBe(answer);
  expect(ids).toContain(question);
});

describe('the time that a query speaks of', () => {
  it('raises what holds since then, and hides nothing', async () => {
    const old = await writeCard(lane.api, {
      summary: 'The quay crane was repaired by Lund.',
      scope: { type: 'workspace', id: 'default' },
      valid_from: '2026-01-12T10:00:00Z',
    });
    const recent = await writeCard(lane.api, {
      summary: 'The quay crane was repaired by Holm.',
      scope: { type: 'workspace', id: 'default' },
      valid_from: '2026-02-11T10:00:00Z',
    });
    const ask = async (query: string) => cardIds(await lane.recall({ query, limit: 10 }));
    const january = await ask('who repaired the quay crane in January 2026?');
    const february = await ask('who repaired the quay crane in February 2026?');
    expect(january.indexOf(old.id)).toBeLessThan(january.indexOf(recent.id));
    expect(february.indexOf(recent.id)).toBeLessThan(february.indexOf(old.id));
    expect(january).toContain(recent.id);
  });

  it('may be that of another card', async () => {
    const write = (summary: string, days: number) =>
      writeCard(lane.api, {
        summary,
        scope: { type: 'workspace', id: 'default' },
        valid_from: new Date(lane.clock.now().getTime() - days * DAY).toISOString(),
      });
    const before = await write('The pump was set to level nine.', 40);
    await write('The great flood of the east dock came.', 30);
    const after = await write('The pump was set to level four.', 20);
    const ask = async (query: string) => cardIds(await lane.recall({ query, limit: 10 }));
    const earlier = await ask('pump level set before the great flood');
    const later = await ask('pump level set after the great flood');
    expect(earlier.indexOf(before.id)).toBeLessThan(earlier.indexOf(after.id));
    expect(later.indexOf(after.id)).toBeLessThan(later.indexOf(before.id));
  });
});
