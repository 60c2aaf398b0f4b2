import { cardIds, DAY, HOUR, MINUTE, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';

let lane: RecallLane;
/** An agent for each test, and sessions that begin with its name, so that the tests do not meet. */
let scout = 'scout-0';
beforeAll(async () => {
  lane = await startRecallLane();
});
beforeEach(() => {
  scout = `scout-${Number(scout.split('-')[1]) + 1}`;
  lane.clock.advance(HOUR);
});
afterAll(() => lane.close());

const by = (agent: string) => ({ key: lane.runtimeKey, headers: { 'cairn-agent': agent } });
const write = async (summary: string): Promise<string> =>
  (await writeCard(lane.api, { summary, confidence: 0.5 }, by(scout))).id;

const recallIn = (session: string | null, query = 'lock gate') =>
  lane.recall(
    { query, explain: true },
    {
      'cairn-agent': scout,
      ...(session === null ? {} : { 'cairn-session': `${scout}-${session}` }),
    },
  );

/** The last event of a task. */
const end = (session: string, outcome: 'worked' | 'failed' | 'neutral', more = {}) =>
  lane.filing.file({
    agent: 'closer',
    service: 'locks',
    operation: 'pass',
    session: `${scout}-${session}`,
    final: true,
    outcome,
    input: { session, outcome },
    ...more,
  });

async function standing(id: string) {
  const { body } = await lane.api.call('GET', `/v1/cards/${id}`, by(scout));
  return { uses: body.use_count, confidence: body.confidence, last: body.last_used_at };
}

const UNUSED = { uses: 0, confidence: 0.5, last: null };

it('a recall, however often, changes no score and no card', async () => {
  const id = await write('The lock gate opens inwards.');
  const first = await recallIn('s');
  for (let call = 0; call < 5; call += 1) {
    lane.clock.advance(MINUTE);
    const again = await recallIn('s');
    expect(again.body.cards).toEqual(first.body.cards);
    expect(again.body.context_version).toBe(first.body.context_version);
  }
  expect(await standing(id)).toEqual(UNUSED);
});

describe('the end of a session that worked', () => {
  it('proves what was recalled in it, once, however often it was recalled', async () => {
    const id = await write('The lock gate opens inwards.');
    const other = await write('The tower has no lift.');
    for (let call = 0; call < 4; call += 1) {
      lane.clock.advance(MINUTE);
      expect(cardIds(await recallIn('s'))).toEqual([id]);
    }
    lane.clock.advance(MINUTE);
    const at = lane.clock.text();
    await end('s', 'worked');
    expect(await standing(id)).toEqual({ uses: 1, confidence: 0.6, last: at });
    expect(await standing(other)).toEqual(UNUSED);
  });

  it('counts again only for what was recalled since', async () => {
    const id = await write('The lock gate opens inwards.');
    await recallIn('s');
    lane.clock.advance(MINUTE);
    await end('s', 'worked');
    lane.clock.advance(MINUTE);
    await end('s', 'worked', { input: { load: 'second' } });
    expect((await standing(id)).uses).toBe(1);
    lane.clock.advance(MINUTE);
    await recallIn('s');
    lane.clock.advance(MINUTE);
    await end('s', 'worked', { input: { load: 'third' } });
    expect((await standing(id)).uses).toBe(2);
  });

  it('proves nothing that was recalled after it', async () => {
    const id = await write('The lock gate opens inwards.');
    const before = lane.clock.text();
    lane.clock.advance(HOUR);
    await recallIn('s');
    lane.clock.advance(HOUR);
    // Reported late: the task had ended before the recall.
    await end('s', 'worked', { occurred_at: before });
    expect(await standing(id)).toEqual(UNUSED);
  });

  it('proves nothing of another session, or of none', async () => {
    const id = await write('The lock gate opens inwards.');
    await recallIn('other');
    await recallIn(null);
    lane.clock.advance(MINUTE);
    await end('s', 'worked');
    expect(await standing(id)).toEqual(UNUSED);
  });

  it('is what counts: an event that is not the last, or did not work, proves nothing', async () => {
    const id = await write('The lock gate opens inwards.');
    await recallIn('s');
    lane.clock.advance(MINUTE);
    await lane.filing.file({
      agent: 'closer',
      service: 'locks',
      operation: 'fill',
      session: `${scout}-s`,
      input: { a: 1 },
    });
    await end('s', 'failed', { error: 'Error: the gate jammed' });
    lane.clock.advance(MINUTE);
    await end('s', 'neutral');
    expect(await standing(id)).toEqual(UNUSED);
  });

  it('may be a delegation with a task, which is final by itself', async () => {
    const id = await write('The lock gate opens inwards.');
    await recallIn('s');
    lane.clock.advance(MINUTE);
    await lane.filing.file({
      kind: 'delegation',
      agent: 'closer',
      session: `${scout}-s`,
      task: 'pass-the-lock',
      task_type: 'passage',
      delegate: { agent: 'mate' },
      text: 'Passed the lock.',
    });
    expect((await standing(id)).uses).toBe(1);
  });

  it('makes the card score higher, and a use that is long ago less so', async () => {
    const id = await write('The lock gate opens inwards.');
    lane.clock.advance(20 * DAY);
    const [before] = (await recallIn('s')).body.cards;
    await end('s', 'worked');
    const [after] = (await recallIn('s')).body.cards;
    expect(after.id).toBe(id);
    expect(after.terms.uses).toBeCloseTo(1 + 0.15 * Math.log(2), 12);
    expect(before.terms.uses).toBe(1);
    expect(after.terms.recency).toBe(1);
    expect(before.terms.recency).toBeCloseTo(Math.exp(-20 / 30), 12);
    expect(after.score).toBeGreaterThan(before.score);
  });
});

describe('feedback', () => {
  const feedback = (recall: string, card: string, useful: boolean, as: object = by(scout)) =>
    lane.api.call('POST', `/v1/recalls/${recall}/feedback`, {
      ...as,
      body: { card_id: card, useful },
    });

  it('that a card was useful counts once for each injection', async () => {
    const id = await write('The lock gate opens inwards.');
    const { recall_id } = (await recallIn(null)).body;
    lane.clock.advance(MINUTE);
    const at = lane.clock.text();
    expect((await feedback(recall_id, id, true)).status).toBe(204);
    lane.clock.advance(MINUTE);
    expect((await feedback(recall_id, id, true)).status).toBe(204);
    expect(await standing(id)).toEqual({ uses: 1, confidence: 0.5, last: at });
    const next = (await recallIn(null)).body;
    await feedback(next.recall_id, id, true);
    expect((await standing(id)).uses).toBe(2);
  });

  it('twice at once counts once', async () => {
    const id = await write('The lock gate opens inwards.');
    const { recall_id } = (await recallIn(null)).body;
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => feedback(recall_id, id, true)),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect(await standing(id)).toMatchObject({ uses: 1, confidence: 0.5 });
  });

  it('that it was not useful takes nothing away', async () => {
    const id = await write('The lock gate opens inwards.');
    const { recall_id } = (await recallIn(null)).body;
    expect((await feedback(recall_id, id, false)).status).toBe(204);
    expect(await standing(id)).toEqual(UNUSED);
  });

  it('and the end of the session count one injection once between them', async () => {
    const id = await write('The lock gate opens inwards.');
    const { recall_id } = (await recallIn('s')).body;
    await feedback(recall_id, id, true);
    lane.clock.advance(MINUTE);
    await end('s', 'worked');
    expect((await standing(id)).uses).toBe(1);
  });

  it('on what was not injected, by another agent, or of an unknown recall is refused', async () => {
    const id = await write('The lock gate opens inwards.');
    const other = await write('The tower has no lift.');
    const { recall_id } = (await recallIn(null)).body;
    await lane.recall({ query: 'hello' }, { 'cairn-agent': 'mate' });
    expect((await feedback(recall_id, other, true)).status).toBe(404);
    expect((await feedback(recall_id, id, true, by('mate'))).status).toBe(404);
    expect((await feedback('recall_never', id, true)).status).toBe(404);
    expect((await feedback('%00', id, true)).status).toBe(400);
    expect((await feedback(recall_id, id, true, { key: lane.runtimeKey })).status).toBe(400);
    expect(await standing(id)).toEqual(UNUSED);
  });

  it('by a person is on any recall, by a member on their own', async () => {
    const subject = { subject: 'ann' };
    const put = (path: string, body: object) => lane.api.call('PUT', path, { body });
    await put('/v1/subjects/ann', {});
    await put('/v1/people/ann', { name: 'Ann', role: 'member', ...subject });
    const member = { key: await lane.api.keyFor({ kind: 'person', id: 'ann' }) };
    const { id } = await writeCard(
      lane.api,
      { summary: 'The lock gate opens inwards.', confidence: 0.5, ...subject },
      by(scout),
    );
    const { recall_id } = (await recallIn(null)).body;
    expect((await feedback(recall_id, id, true, member)).status).toBe(404);
    expect(await standing(id)).toEqual(UNUSED);
    const own = await lane.api.call('POST', '/v1/recall', { ...member, body: { query: 'lock' } });
    expect((await feedback(own.body.recall_id, id, true, member)).status).toBe(204);
    expect((await feedback(recall_id, id, true, {})).status).toBe(204);
    expect((await standing(id)).uses).toBe(2);
  });

  it('never makes a card more than certain', async () => {
    await lane.api.call('PUT', `/v1/agents/${scout}`, { body: {} });
    const { id } = await writeCard(lane.api, {
      summary: 'The lock gate opens inwards.',
      confidence: 0.95,
      scope: { type: 'agent', id: scout },
    });
    const { recall_id } = (await recallIn(null)).body;
    await feedback(recall_id, id, true, {});
    expect(await standing(id)).toMatchObject({ uses: 1, confidence: 1 });
  });
});
