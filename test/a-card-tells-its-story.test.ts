import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CardStory } from '../src/contracts/story';
import { moveCard } from '../src/store/card-writes-promoted';
import { type Ran, runCommand } from './support/cli';
import { MINUTE, type RecallLane, startRecallLane } from './support/filing';

const SPARE = { service: 'flights', operation: 'book_seat' } as const;

let lane: RecallLane;
let keys: Record<'scout' | 'mate', string>;
/** A warning of scout's, and what worked after it; and a warning of another agent's about the same. */
let warning: string;
let success: string;
let foreign: string;

beforeAll(async () => {
  lane = await startRecallLane();
  const { api, filing, clock } = lane;
  for (const team of ['red', 'blue']) {
    await api.call('PUT', `/v1/teams/${team}`, { body: { name: team } });
  }
  for (const [agent, team] of [
    ['scout', 'red'],
    ['mate', 'blue'],
    ['stranger', 'blue'],
  ]) {
    await api.call('PUT', `/v1/agents/${agent}`, { body: { team } });
  }
  keys = {
    scout: await api.keyFor({ kind: 'agent', id: 'scout' }),
    mate: await api.keyFor({ kind: 'agent', id: 'mate' }),
  };
  const failed = (event_id: string, agent: string) =>
    filing.card({
      ...SPARE,
      event_id,
      agent,
      outcome: 'failed',
      input: { from: 'JFK', to: 'SFO', paid: 304 },
      error: 'payment amount does not add up, total price is 608, but paid 304',
    });
  foreign = await failed('strange-1', 'stranger');
  clock.advance(MINUTE);
  warning = await failed('booking-1', 'scout');
  clock.advance(MINUTE);
  success = await filing.card({
    ...SPARE,
    event_id: 'booking-2',
    input: { from: 'JFK', to: 'SFO', paid: 608 },
    output: { seat: '12A' },
  });
});
afterAll(() => lane.close());

const storyOf = async (id: string, key = lane.api.ownerKey, headers = {}): Promise<CardStory> => {
  const { status, body, text } = await lane.api.call('GET', `/v1/cards/${id}/story`, {
    key,
    headers,
  });
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return body;
};

describe('why it exists', () => {
  it('names the event, who wrote it and by what, and the workflow that did', async () => {
    const { card, why } = await storyOf(success);
    expect(card).toMatchObject({ id: success, sign: 'worked', agent: 'scout', version: 1 });
    expect(why).toMatchObject({
      event: {
        event_id: 'booking-2',
        kind: 'service_call',
        outcome: 'worked',
        agent: 'scout',
        reported_by: { kind: 'runtime', id: 'harness' },
      },
      operation: { type: 'capture', workflow_id: 'capture/default/booking-2' },
      written_by: { kind: 'runtime', id: 'harness' },
      distilled_by: 'fallback',
      model: null,
      prompt_version: expect.any(String),
      workflow_id: 'capture/default/booking-2',
      run_id: expect.any(String),
    });
    const { body } = await lane.api.call('GET', `/v1/operations/${why.operation?.id}`);
    expect(body.result.card_id).toBe(success);
  });

  it('names the cards that it came of', async () => {
    const { why } = await storyOf(success);
    expect(why.sources).toMatchObject([{ id: warning, relation: 'derived_from', generation: 1 }]);
    const { became } = await storyOf(warning);
    expect(became.derived.map(({ id }) => id)).toEqual([success]);
  });

  it('has no event where somebody wrote it by hand', async () => {
    const body = { summary: 'Seats in row 12 are wide.', scope: { type: 'agent', id: 'scout' } };
    const made = await lane.api.call('POST', '/v1/cards', { body });
    expect((await storyOf(made.body.id)).why).toMatchObject({
      event: null,
      operation: null,
      written_by: { kind: 'person', id: 'owner' },
      distilled_by: 'person',
    });
  });
});

describe('what it became', () => {
  it('has its versions, newest first, with who made them', async () => {
    const { api } = lane;
    const card = await lane.filing.card({ event_id: 'version-1', operation: 'look_up' });
    await api.call('PATCH', `/v1/cards/${card}`, {
      body: { topic: 'seats' },
      headers: { 'if-match': '"1"' },
    });
    await api.call('POST', `/v1/cards/${card}/validation`, { body: { verdict: 'success' } });
    const move = { cardId: card, to: { type: 'team', id: 'red' }, at: lane.clock.now() } as const;
    const actor = { kind: 'person', id: 'reviewer' };
    await api.database.inWorkspace('default', (tx) =>
      moveCard(tx, { ...move, expected: 3, action: 'promoted', actor }),
    );
    const { became } = await storyOf(card);
    expect(became.versions).toMatchObject([
      { version: 4, action: 'promoted', actor, scope: { type: 'team', id: 'red' } },
      { version: 3, action: 'validated', status: 'validated', changed: ['status'] },
      { version: 2, action: 'edited', changed: ['topic'], actor: { kind: 'person', id: 'owner' } },
      { version: 1, action: 'created', scope: { type: 'agent', id: 'scout' } },
    ]);
    // What was in them stands in the history.
    expect(JSON.stringify(became.versions)).not.toContain('seats');
  });

  it('names what superseded it', async () => {
    const note = (value: string) =>
      lane.api.call('POST', '/v1/cards', {
        body: { summary: value, key: 'gate', scope: { type: 'agent', id: 'scout' } },
      });
    const [first, second] = [await note('The gate is 4.'), await note('The gate is 7.')];
    const { card, became } = await storyOf(first.body.id);
    expect(card.status).toBe('superseded');
    expect(became.superseded_by).toMatchObject({
      id: second.body.id,
      summary: 'The gate is 7.',
    });
  });

  it('names the proposals that it is evidence of', async () => {
    const path = `/v1/cards/${success}/promotion`;
    const body = { scope: { type: 'team', id: 'red' } };
    const asked = await lane.api.call('POST', path, { body, key: keys.scout });
    expect(asked.status).toBe(202);
    const found = {
      id: asked.body.proposal_id,
      type: 'promotion',
      status: 'open',
      evidence: [success],
    };
    expect((await storyOf(success)).became.proposals).toMatchObject([found]);
    expect((await storyOf(success, keys.scout)).became.proposals).toMatchObject([found]);
  });

  it('has its edges, with the card at the other end', async () => {
    const { became } = await storyOf(success);
    expect(became.edges).toContainEqual(
      expect.objectContaining({
        type: 'satisfies',
        from: success,
        to: warning,
        other: expect.objectContaining({ id: warning, sign: 'failed' }),
      }),
    );
  });

  it('names no card that the reader does not see', async () => {
    const others = ({ became }: CardStory) => became.edges.map(({ other }) => other.id);
    const whole = await storyOf(warning);
    expect(others(whole)).toContain(foreign);
    const own = await storyOf(warning, keys.scout);
    expect(others(own)).not.toContain(foreign);
    expect(others(own)).toContain(success);
    expect(JSON.stringify(own)).not.toContain(foreign);
  });
});

describe('who saw it, and where it was put to use', () => {
  it('counts reads by reader and way, and lists the recalls', async () => {
    const { api, clock } = lane;
    const card = await lane.filing.card({
      event_id: 'zeppelin-1',
      operation: 'moor',
      text: 'Moored the zeppelin at the tall mast.',
    });
    await api.call('PUT', `/v1/cards/${card}/grants/mate`, { body: {} });
    const first = clock.text();
    const seen = (key: string) => api.call('GET', `/v1/cards/${card}`, { key });
    await seen(keys.mate);
    clock.advance(MINUTE);
    const last = clock.text();
    await seen(keys.mate);
    await seen(keys.scout);
    const recalled = await lane.recall(
      { query: 'moor the zeppelin' },
      { 'cairn-session': 'morning' },
    );
    expect(recalled.body.cards[0].id).toBe(card);
    clock.advance(MINUTE);
    await lane.recall({ query: 'moor the zeppelin' }, { 'cairn-agent': 'mate' });

    const story = await storyOf(card, keys.scout);
    expect(story.seen).toMatchObject({ reads: 3, first_at: first, last_at: clock.text() });
    expect(story.seen.by).toEqual([
      {
        agent: 'mate',
        person: null,
        via: 'explicit',
        reads: 3,
        first_at: first,
        last_at: clock.text(),
      },
    ]);
    expect(story.injected).toMatchObject({ recalls: 2, sessions: 1, first_at: last });
    expect(story.injected.latest).toMatchObject([
      { agent: 'mate', session: null, via: ['explicit'] },
      {
        recall_id: recalled.body.recall_id,
        agent: 'scout',
        session: 'morning',
        position: 0,
        via: ['own'],
        proven_at: null,
      },
    ]);
    expect(story.truncated).toEqual([]);
  });

  it('says which lists have more', async () => {
    const card = await lane.filing.card({ event_id: 'long-1', operation: 'repeat' });
    await lane.api.database.inWorkspace('default', (tx) =>
      tx.query(
        `INSERT INTO access_log (workspace_id, at, agent, execution_mode, via, surface, count, card_ids)
         SELECT 'default', $1, 'reader-' || n, 'headless', 'team', 'test', 1, ARRAY[$2] FROM generate_series(1, 60) n`,
        [lane.clock.now(), card],
      ),
    );
    const story = await storyOf(card);
    expect(story.seen.by).toHaveLength(50);
    expect(story.seen.reads).toBe(60);
    expect(story.truncated).toEqual(['seen']);
  });

  it('is a read itself, of the card and of those that it names', async () => {
    await storyOf(success);
    const { body } = await lane.api.call('GET', `/v1/access-log?card=${warning}&limit=1`);
    expect(body.items[0]).toMatchObject({ surface: 'cards.story', via: 'person' });
    expect(body.items[0].card_ids).toEqual(expect.arrayContaining([success, warning, foreign]));
  });
});

describe('it is told', () => {
  const statusFor = async (key: string, headers = {}) =>
    (await lane.api.call('GET', `/v1/cards/${warning}/story`, { key, headers })).status;

  it('to people who govern, to its own agent, and to a runtime for it', async () => {
    for (const role of ['operator', 'reviewer', 'auditor'] as const) {
      expect(await statusFor(await lane.api.keyOf(role))).toBe(200);
    }
    expect(await statusFor(keys.scout)).toBe(200);
    expect(await statusFor(lane.runtimeKey, { 'cairn-agent': 'scout' })).toBe(200);
  });

  it('not to whoever merely sees the card, and to nobody else is it there', async () => {
    expect(await statusFor(keys.mate)).toBe(404);
    await lane.api.call('PUT', `/v1/cards/${warning}/grants/mate`, { body: {} });
    expect(await statusFor(keys.mate)).toBe(403);
    expect(await statusFor(await lane.api.keyOf('member', 'somebody'))).toBe(404);
    expect(await statusFor(lane.runtimeKey)).toBe(400);
  });
});

describe('cairn why', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'cairn-why-'));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const cairn = (...args: string[]): Promise<Ran> =>
    runCommand(['why', ...args], {
      CAIRN_DATA_DIR: dir,
      CAIRN_URL: lane.api.url,
      CAIRN_KEY: lane.api.ownerKey,
    });

  it('prints it to be read', async () => {
    const { code, out } = await cairn(success);
    expect(code).toBe(0);
    expect(out).toMatch(/Why it exists\n {2}recorded .*by runtime harness\n {2}event .*booking-2/);
    expect(out).toContain('worded by  the rules');
    expect(out).toContain(`derived from ${warning}: ! `);
    expect(out).toMatch(/What it became\n {2}1 .*created, by runtime harness/);
    expect(out).toContain('evidence of prop_');
    expect(out).toMatch(/Who saw it\n/);
    expect(out).toContain('Where it was put to use\n  It was in no recall.');
  });

  it('prints it for programs, and as an agent would see it', async () => {
    const { out } = await cairn(warning, '--as', 'scout', '--json');
    expect(JSON.parse(out)).toMatchObject({ card: { id: warning } });
    expect(out).not.toContain(foreign);
    expect((await cairn('card_none')).code).toBe(1);
    expect((await cairn()).code).toBe(2);
  });
});
