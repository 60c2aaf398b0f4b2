import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createCaptureActivities } from '../src/activities/capture';
import type { SettledEvent } from '../src/contracts/event';
import type { CardStop } from '../src/contracts/stop';
import { distill } from '../src/domain/distill/distill';
import { saveDraft } from '../src/store/drafts';
import type { Method } from './support/api';
import { runCommand } from './support/cli';
import { describeWithData } from './support/data';
import { describeNative } from './support/database';
import { failedCall } from './support/distilling';
import { cardIds, Filing, HOUR, type RecallLane, startRecallLane } from './support/filing';
import { accessLog, writeCard } from './support/fleet';
import { McpSession } from './support/mcp';
import { PLANTED } from './support/quarantine';
import { createSwitchableEmbedder } from './support/switchable-embedder';

let lane: RecallLane;
let reviewer: string;
let dir: string;
beforeAll(async () => {
  lane = await startRecallLane();
  reviewer = await lane.api.keyOf('reviewer');
  dir = mkdtempSync(join(tmpdir(), 'cairn-stop-'));
});
afterAll(async () => {
  await lane.close();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(() => lane.clock.advance(HOUR));

const as = (key: string, method: Method, path: string, body?: object) =>
  lane.api.call(method, path, { key, ...(body === undefined ? {} : { body }) });
const stop = (id: string, body: object = {}, key = reviewer) =>
  as(key, 'POST', `/v1/cards/${id}/stop`, body);
const rows = <Row>(sql: string, values: unknown[] = []) =>
  lane.api.database.inWorkspace('default', (tx) => tx.query<Row>(sql, values));
const statusOf = async (ids: readonly string[]) => {
  const found = await rows<{ id: string; status: string }>(
    'SELECT id, status FROM cards WHERE id = ANY ($1)',
    [ids],
  );
  return ids.map((id) => found.find((row) => row.id === id)?.status);
};

const cairn = (args: readonly string[], key = reviewer) =>
  runCommand(args, { CAIRN_DATA_DIR: dir, CAIRN_URL: lane.api.url, CAIRN_KEY: key });
async function json(args: readonly string[]) {
  const { code, out, err } = await cairn([...args, '--json']);
  if (code !== 0) throw new Error(`${code}: ${out}${err}`);
  return JSON.parse(out);
}

const summaries = { count: 0 };
/** A card of its own that agrees with no other. */
async function card(fields: object = {}): Promise<string> {
  summaries.count += 1;
  const summary = `Depot ${summaries.count} keeps crate ${summaries.count * 7}.`;
  const scope = { type: 'agent', id: 'scout' };
  return (await writeCard(lane.api, { summary, scope, ...fields })).id;
}

/** Lineage as whatever distills or consolidates writes it. */
async function cameOf(from: string, to: string, type = 'derived_from'): Promise<void> {
  await rows(
    `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
     VALUES ($1, $2, $3, $4, $5, 1, 'a test says so', $6)
     ON CONFLICT DO NOTHING`,
    ['default', `edge-${from}-${to}-${type}`, type, from, to, lane.clock.now()],
  );
}

/** root ← a ← b ← c, in the place of c came d, and root again came of d: a circle. */
async function family(): Promise<Record<'root' | 'a' | 'b' | 'c' | 'd' | 'other', string>> {
  await lane.filing.card({ operation: 'look', output: 'Looked.' });
  const root = await card();
  const [a, b, c, d, other] = [
    await card(),
    await card(),
    await card(),
    await card(),
    await card(),
  ];
  await cameOf(a, root);
  await cameOf(b, a);
  await cameOf(c, b);
  await cameOf(d, c, 'supersedes');
  await cameOf(root, d);
  // What the root itself came of, and what merely agrees with it, is no consequence of it.
  await cameOf(root, other);
  await cameOf(other, root, 'supports');
  return { root, a, b, c, d, other };
}

describe('a stop with all that came of it', () => {
  it('takes any depth, in one time, and nothing else', async () => {
    const { root, a, b, c, d, other } = await family();
    const { status, body } = await stop(root, { derived: true, reason: 'a planted page' });
    expect(status).toBe(200);
    const one = { was: 'active', status: 'quarantined', changed: true };
    expect(body.cards).toMatchObject([
      { id: root, ...one, relation: null, from: null, generation: 0 },
      { id: a, ...one, relation: 'derived_from', from: root, generation: 1 },
      { id: b, ...one, relation: 'derived_from', from: a, generation: 2 },
      { id: c, ...one, relation: 'derived_from', from: b, generation: 3 },
      { id: d, ...one, relation: 'supersedes', from: c, generation: 4 },
    ]);
    expect(body.counts).toEqual({ cards: 5, changed: 5, unchanged: 0 });
    expect(await statusOf([root, a, b, c, d, other])).toEqual([
      ...Array.from({ length: 5 }, () => 'quarantined'),
      'active',
    ]);
  });

  it('has a row in the audit for each, and one reason for all', async () => {
    const { root, a, b, c, d } = await family();
    await stop(root, { derived: true, action: 'delete', reason: 'a planted page' });
    const audit = await rows<{ target_id: string; reason_id: string }>(
      `SELECT target_id, action, actor_kind, hashes, versions, reason_id
         FROM audit_log WHERE target_id = ANY ($1) AND action <> 'card.created' ORDER BY seq`,
      [[root, a, b, c, d]],
    );
    const deleted = { action: 'card.deleted', actor_kind: 'person', versions: [1, 2] };
    expect(audit).toEqual([
      expect.objectContaining({ target_id: root, ...deleted, hashes: {} }),
      ...[a, b, c, d].map((id) =>
        expect.objectContaining({ target_id: id, ...deleted, hashes: { stopped_with: root } }),
      ),
    ]);
    const reasons = new Set(audit.map(({ reason_id }) => reason_id));
    expect(await rows('SELECT text FROM reasons WHERE id = ANY ($1)', [[...reasons]])).toEqual([
      { text: 'a planted page' },
    ]);
  });

  it('shows first what would go, and changes nothing', async () => {
    const { root, a, b, c, d } = await family();
    const dry = await stop(root, { derived: true, action: 'delete', dry_run: true });
    expect(dry.body).toMatchObject({ dry_run: true, counts: { changed: 5 } });
    expect((await accessLog(lane.api)).at(-1)).toEqual({
      agent: null,
      person: 'the-reviewer',
      via: 'person',
      surface: 'cards.stop',
      card_ids: [root, a, b, c, d],
    });
    expect(await statusOf([root, a, b, c, d])).toEqual([
      'active',
      'active',
      'active',
      'active',
      'active',
    ]);
    const done = await stop(root, { derived: true, action: 'delete' });
    const changes = ({ cards }: CardStop) => cards.map(({ changed_at: _at, ...one }) => one);
    expect(changes(done.body)).toEqual(changes(dry.body));
  });

  it('goes on past what is stopped already, and leaves that as it is', async () => {
    const { root, a, b, c, d } = await family();
    await as(reviewer, 'DELETE', `/v1/cards/${a}`);
    await as(reviewer, 'DELETE', `/v1/cards/${root}`);
    const { body } = await stop(root, { derived: true });
    expect(body.counts).toEqual({ cards: 5, changed: 3, unchanged: 2 });
    expect(await statusOf([root, a, b, c, d])).toEqual([
      ...['deleted', 'deleted', 'quarantined', 'quarantined', 'quarantined'],
    ]);
    expect((await stop(root, { derived: true })).body.counts.changed).toBe(0);
    const further = await stop(root, { derived: true, action: 'delete' });
    expect(further.body.counts).toEqual({ cards: 5, changed: 3, unchanged: 2 });
  });

  it('alone takes the card alone', async () => {
    const { root, a } = await family();
    expect((await stop(root)).body.cards).toMatchObject([{ id: root, status: 'quarantined' }]);
    expect(await statusOf([root, a])).toEqual(['quarantined', 'active']);
  });

  it('reaches what has expired meanwhile, and what came of that', async () => {
    const { root, a, b } = await family();
    await rows('UPDATE cards SET expires_at = $2 WHERE id = $1', [a, lane.clock.text()]);
    lane.clock.advance(HOUR);
    await stop(root, { derived: true, action: 'delete' });
    expect(await statusOf([a, b])).toEqual(['deleted', 'deleted']);
  });

  it('is answered the same again by its Idempotency-Key', async () => {
    const { root } = await family();
    const once = () =>
      lane.api.call('POST', `/v1/cards/${root}/stop`, {
        key: reviewer,
        body: { derived: true },
        headers: { 'idempotency-key': `stop-${root}` },
      });
    expect((await once()).body.counts.changed).toBe(5);
    expect((await once()).body.counts).toEqual({ cards: 5, changed: 0, unchanged: 5 });
  });

  it('says whose contexts they were put into, and which proposals rest on them', async () => {
    const { root, a } = await family();
    const [{ summary }] = (await rows('SELECT summary FROM cards WHERE id = $1', [a])) as [
      { summary: string },
    ];
    const shown = await lane.recall({ query: summary, limit: 50 });
    expect(cardIds(shown)).toContain(a);
    await lane.api.keyFor({ kind: 'agent', id: 'scout' });
    const { body } = await stop(root, { derived: true });
    expect(body.injected).toEqual({
      recalls: 1,
      agents: [{ agent: 'scout', recalls: 1, last_at: lane.clock.text() }],
    });
    expect(body.proposals).toEqual([]);
  });

  it('is refused whole where too much came of it', async () => {
    const root = await card();
    await rows(
      `WITH many AS (
         INSERT INTO cards (workspace_id, id, kind, tier, sign, status, summary, scope_type, scope_id, confidence,
                            trust, valid_from, recorded_at, edited_at, writer_kind, writer_id, distilled_by)
         SELECT workspace_id, id || '-' || n, kind, tier, sign, status, summary, scope_type, scope_id, confidence,
                trust, valid_from, recorded_at, edited_at, writer_kind, writer_id, distilled_by
           FROM cards, generate_series(1, 5000) n WHERE id = $1
         RETURNING id
       )
       INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
       SELECT 'default', 'edge-' || id, 'derived_from', id, $1, 1, 'many', $2 FROM many`,
      [root, lane.clock.now()],
    );
    const refused = await stop(root, { derived: true });
    expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_cards' } });
    expect(await statusOf([root])).toEqual(['active']);
    expect((await stop(root)).status).toBe(200);
  });

  it('is for people who see all of it', async () => {
    const { root } = await family();
    for (const role of ['auditor', 'member'] as const) {
      expect((await stop(root, {}, await lane.api.keyOf(role))).status).toBe(403);
    }
    const agent = await lane.api.keyFor({ kind: 'agent', id: 'scout' });
    expect((await stop(root, {}, agent)).status).toBe(403);
    const through = await lane.api.call('POST', `/v1/cards/${root}/stop`, {
      key: reviewer,
      headers: { 'cairn-agent': 'scout' },
      body: {},
    });
    expect(through.status).toBe(400);
    expect((await stop('card_nowhere', { derived: true })).status).toBe(404);
  });
});

describeNative('what is being written from a card at that moment', () => {
  it('does not quote it any more: by the rules', async () => {
    const embedder = createSwitchableEmbedder();
    const filing = new Filing({ api: lane.api, clock: lane.clock, embedder });
    const { occurred_at: _at, ...failed } = failedCall();
    const warning = await filing.card({ ...failed, event_id: 'call-failed' });
    lane.clock.advance(HOUR);
    const { error: _error, ...call } = failed;
    const worked = (n: number) => ({
      ...call,
      event_id: `call-worked-${n}`,
      outcome: 'worked' as const,
      input: { channel: `External_${n}` },
      output: ['Eve'],
    });
    const control = await filing.card(worked(0));
    const quotes = (id: string) =>
      rows(`SELECT to_card FROM edges WHERE from_card = $1 AND type = 'derived_from'`, [id]);
    expect(await quotes(control)).toEqual([{ to_card: warning }]);

    lane.clock.advance(HOUR);
    embedder.meanwhile = async () => {
      embedder.meanwhile = async () => undefined;
      expect((await stop(warning, { derived: true, action: 'delete' })).body.counts.changed).toBe(
        2,
      );
    };
    await expect(filing.file(worked(1))).rejects.toThrow();
    const [{ operation_id }] = (await rows(
      `SELECT operation_id FROM captures WHERE event_id = 'call-worked-1'`,
    )) as [{ operation_id: string }];
    const { filed } = await filing.atOnce({ event_id: 'call-worked-1', operation_id });
    expect(filed).toMatchObject({ disposition: 'carded' });
    expect(await quotes(filed?.card_id ?? '')).toEqual([]);
    expect(await statusOf([warning, control])).toEqual(['deleted', 'deleted']);
  });

  it('does not quote it any more: by a model', async () => {
    const { occurred_at: _at, ...failed } = failedCall({ operation: 'get_topic' });
    const warning = await lane.filing.card({ ...failed, event_id: 'topic-failed' });
    lane.clock.advance(HOUR);
    const { error: _error, ...call } = failed;
    const event: SettledEvent = {
      ...call,
      event_id: 'topic-worked',
      outcome: 'worked',
      occurred_at: lane.clock.text(),
      input: { channel: 'External_0' },
      output: ['Eve'],
    };
    const { body } = await as(lane.runtimeKey, 'POST', '/v1/events', { events: [event] });
    const { event_id, operation_id } = body.items[0];
    const draft = { ...distill(event, []), distilled_by: 'model' as const };
    await lane.api.database.inWorkspace('default', (tx) =>
      saveDraft(
        tx,
        event_id,
        { draft: { ...draft, derived_from: [warning] }, shown: [] },
        lane.clock.now(),
      ),
    );
    await stop(warning, { derived: true });
    const steps = createCaptureActivities({
      database: lane.api.database,
      clock: lane.clock.now,
      embedder: createSwitchableEmbedder(),
      distiller: 'model',
    });
    const file = () => steps.fileCard({ workspace: 'default', event_id, operation_id });
    expect(await new MockActivityEnvironment().run(file)).toMatchObject({
      disposition: 'carded',
      distilled_by: 'fallback',
      edges: [],
    });
  });
});

describe('the list of cards', () => {
  it('is narrowed to where they come from', async () => {
    const own = { kind: 'agent', id: 'scout' } as const;
    const planted = await lane.filing.file({ service: 'web', output: PLANTED }, own);
    const plain = await lane.filing.file({ service: 'web', output: 'Rooms are free.' });
    const listed = async (query: string) =>
      (
        (await as(reviewer, 'GET', `/v1/cards?limit=500&${query}`)).body.items as { id: string }[]
      ).map(({ id }) => id);
    expect(await listed('flag=instruction_like&service=web')).toEqual([planted.card_id]);
    expect(await listed('writer=agent/scout&service=web')).toEqual([planted.card_id]);
    expect(await listed('writer=runtime/harness&service=web')).toEqual([plain.card_id]);
    expect(await listed(`event=${plain.event_id}`)).toEqual([plain.card_id]);
    expect(await listed(`event=${plain.event_id}&flag=instruction_like`)).toEqual([]);
    for (const query of [
      'flag=rude',
      'writer=harness',
      'writer=robot/x',
      'writer=agent/',
      'event=',
    ]) {
      expect([query, (await as(reviewer, 'GET', `/v1/cards?${query}`)).status]).toEqual([
        query,
        400,
      ]);
    }
  });
});

describe('cairn stop', () => {
  it('card: shows, stops, and lifts what it stopped and no more', async () => {
    const { root, a, b, c, d } = await family();
    await stop(b);
    lane.clock.advance(HOUR);
    const dry = await cairn(['stop', 'card', root, '--with-derived', '--delete', '--dry-run']);
    expect(dry).toMatchObject({ code: 0, err: '' });
    expect(dry.out).toContain('5 cards would be deleted');
    expect(await statusOf([root])).toEqual(['active']);
    const done = await json(['stop', 'card', root, '--with-derived', '--reason', 'planted']);
    expect(done.counts).toEqual({ cards: 5, changed: 4, unchanged: 1 });
    const lifted = await json(['stop', '--lift', 'card', root, '--with-derived']);
    expect(lifted).toEqual({ lifted: [d, c, a, root], failed: [] });
    expect(await statusOf([root, a, b, c, d])).toEqual([
      ...['active', 'active', 'quarantined', 'active', 'active'],
    ]);
    expect((await cairn(['stop', '--lift', 'card', root])).err).toContain('no stop to lift');
    await cairn(['stop', 'card', root, '--with-derived', '--delete']);
    expect(await statusOf([root, b])).toEqual(['deleted', 'deleted']);
    await cairn(['stop', 'card', root, '--with-derived', '--lift']);
    // What was quarantined before it was deleted is quarantined again.
    expect(await statusOf([root, a, b, c, d])).toEqual([
      ...['active', 'active', 'quarantined', 'active', 'active'],
    ]);
  });

  it('agent, source, list: says what is stopped and what it left', async () => {
    const made = await json(['stop', 'source', 'service:web', '--reason', 'pages lie']);
    expect(made).toMatchObject({ id: 'service:web', stopped: true, cards: expect.any(Number) });
    const told = await cairn(['stop', 'agent', 'scout']);
    expect(told.out).toMatch(
      /agent:scout is stopped.*\n\S+ cards that it left in use: cairn stop --find agent:scout/,
    );
    const listed = await json(['stop', 'list']);
    expect(listed.items).toMatchObject([
      { id: 'agent:scout', stopped: true, reason: null },
      { id: 'service:web', stopped: true, reason: 'pages lie' },
    ]);
    expect((await cairn(['stop', 'list'])).out).toContain('service:web');
    await cairn(['stop', '--lift', 'agent', 'scout']);
    await cairn(['stop', 'source', 'service:web', '--lift']);
    expect((await json(['stop', 'list'])).items).toEqual([]);
  });

  it('says how it is right', async () => {
    for (const args of [
      ['stop'],
      ['stop', '--find', 'colour:red'],
      ['stop', '--find', 'flag:rude'],
      ['stop', '--find', 'writer:robot/x'],
      ['stop', '--find', 'flag:instruction_like', '--lift'],
      ['stop', 'card', 'x', '--lift', '--dry-run'],
    ]) {
      expect([args, (await cairn(args)).code]).toEqual([args, 2]);
    }
    expect((await cairn(['stop', 'card', 'card_nowhere'])).code).toBe(1);
  });
});

interface Line extends SettledEvent {
  labels: { poisoned?: boolean };
}

describeWithData('poison in the work of a real fleet', (folder) => {
  const LINES = 1_500;
  let lines: Line[];
  let stopped: string[];

  const inFile = () =>
    readFileSync(join(folder, 'fleet-dev.jsonl'), 'utf8').split('\n').slice(0, LINES);

  /** Ids of the cards that the poisoned events became: the answer key, for the score only. */
  const poisonedCards = async () => {
    const events = lines
      .filter(({ labels }) => labels.poisoned === true)
      .map((one) => one.event_id);
    const found = await rows<{ card_id: string }>(
      'SELECT card_id FROM captures WHERE event_id = ANY ($1) AND card_id IS NOT NULL',
      [events],
    );
    return found.map(({ card_id }) => card_id);
  };

  beforeAll(async () => {
    lines = inFile().map((line) => JSON.parse(line) as Line);
    lane.clock.set('2026-06-02T08:00:00.000Z');
    const file = join(dir, 'fleet.jsonl');
    writeFileSync(file, inFile().join('\n'));
    const runtime = await lane.api.keyFor({ kind: 'runtime', id: 'fleet' });
    const imported = await cairn(['import', file, '--omit', 'labels', '--no-wait'], runtime);
    expect(imported.out).toContain(`${LINES.toLocaleString('en-US')} new`);
    const waiting = await rows<{ event_id: string; operation_id: string }>(
      `SELECT c.event_id, c.operation_id FROM captures c
        JOIN events e ON e.workspace_id = c.workspace_id AND e.event_id = c.event_id
       WHERE c.disposition = 'pending' AND e.reporter_id = 'fleet' ORDER BY e.occurred_at, e.event_id`,
    );
    expect(waiting).toHaveLength(LINES);
    for (const key of waiting) await lane.filing.atOnce(key);
    // Somebody already worked with it.
    for (const { agent, service } of lines.filter(({ labels }) => labels.poisoned).slice(0, 10)) {
      await lane.recall({ query: `work with ${service}`, limit: 20 }, { 'cairn-agent': agent });
    }
  }, 500_000);

  it('is found by where it comes from, and goes with everything derived by one command', async () => {
    const poisoned = await poisonedCards();
    expect(poisoned.length).toBeGreaterThan(40);
    // Which of them a later card quotes: something has to be derived, or the test says nothing.
    await cameOf(
      await lane.filing.card({ operation: 'sum_up', output: 'Read.' }),
      poisoned[0] ?? '',
    );

    const where = ['stop', '--find', 'flag:instruction_like', '--with-derived', '--delete'];
    const since = ['--since', '2026-06-01'];
    const dry = await json([...where, ...since, '--dry-run']);
    expect(await statusOf(dry.cards)).not.toContain('deleted');
    const narrow = await json([...where, ...since, '--service', 'web', '--dry-run']);
    expect(narrow.found).toBeGreaterThan(0);
    expect(narrow.found).toBeLessThan(dry.found);

    const done = await json([...where, ...since, '--reason', 'planted instructions']);
    expect(done).toMatchObject({ found: dry.found, stopped: dry.stopped, failed: [] });
    expect([...done.cards].sort()).toEqual([...dry.cards].sort());
    expect(done.derived).toBeGreaterThan(0);
    stopped = done.cards;
    const byFlag = poisoned.filter((id) => stopped.includes(id));
    expect(byFlag.length / poisoned.length).toBeGreaterThanOrEqual(0.99);
    // What the flag missed is found by its event.
    for (const id of poisoned.filter((one) => !stopped.includes(one))) {
      const [{ event_id }] = (await rows('SELECT event_id FROM cards WHERE id = $1', [id])) as [
        { event_id: string },
      ];
      const more = await json([
        ...['stop', '--find', `event:${event_id}`, '--with-derived', '--delete'],
      ]);
      stopped.push(...more.cards);
    }
    expect(new Set(await statusOf(poisoned))).toEqual(new Set(['deleted']));
    expect(done.injected.map(({ agent }: { agent: string }) => agent)).toEqual(
      expect.arrayContaining([expect.stringMatching(/\w/)]),
    );
    expect((await json([...where, ...since])).found).toBe(0);
  });

  it('leaves nothing derived behind', async () => {
    const left = await rows(
      `WITH RECURSIVE came AS (
         SELECT e.from_card AS id FROM edges e JOIN cards c ON c.id = e.from_card
          WHERE e.to_card = ANY ($1) AND e.type IN ('derived_from', 'supersedes') AND c.kind <> 'competence'
         UNION
         SELECT e.from_card FROM came
           JOIN edges e ON e.to_card = came.id AND e.type IN ('derived_from', 'supersedes')
           JOIN cards c ON c.id = e.from_card AND c.kind <> 'competence'
       )
       SELECT c.id FROM came JOIN cards c ON c.id = came.id WHERE c.status <> 'deleted'`,
      [stopped],
    );
    expect(left).toEqual([]);
  });

  it('is in no record of who is good at what, and every record has its card', async () => {
    const counted = await rows(
      `SELECT o.event_id FROM competence_observations o JOIN cards c ON c.event_id = o.event_id
        WHERE c.id = ANY ($1)`,
      [stopped],
    );
    expect(counted).toEqual([]);
    const records = await rows<{ status: string; sources: string[] }>(
      `SELECT c.status, array(SELECT e.to_card FROM edges e
                               WHERE e.from_card = c.id AND e.type = 'derived_from') AS sources
         FROM competence r LEFT JOIN cards c ON c.id = r.card_id`,
    );
    expect(records.length).toBeGreaterThan(0);
    expect(new Set(records.map(({ status }) => status))).toEqual(new Set(['active']));
    const sources = records.flatMap((one) => one.sources);
    expect(sources.filter((id) => stopped.includes(id))).toEqual([]);
  });

  it('shows nowhere any more', async () => {
    const gone = new Set(stopped);
    const none = (ids: readonly string[]) => expect(ids.filter((id) => gone.has(id))).toEqual([]);
    const events = lines.filter(({ labels }) => labels.poisoned === true);
    for (const { agent, service, operation } of events.slice(0, 15)) {
      const by = { 'cairn-agent': agent };
      const query = `${service} ${operation}`;
      const { body } = await lane.recall({ query, limit: 50, explain: true }, by);
      none(body.cards.map(({ id }: { id: string }) => id));
      const session = await McpSession.http(lane.api, lane.runtimeKey, by);
      const found = await session.call('search_memories', { query, limit: 50 });
      none(found.structured.results.map(({ id }: { id: string }) => id));
      await session.close();
      const graph = await lane.api.call('GET', '/v1/graph', { key: lane.runtimeKey, headers: by });
      none(graph.body.nodes.map(({ id }: { id: string }) => id));
    }
    for (const status of ['', '&status=quarantined', '&status=superseded', '&status=archived']) {
      let cursor = '';
      do {
        const { body } = await as(reviewer, 'GET', `/v1/cards?limit=500${status}${cursor}`);
        none(body.items.map(({ id }: { id: string }) => id));
        cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
      } while (cursor !== '');
    }
    const neighbours = await rows<{ id: string }>(
      `SELECT DISTINCT CASE WHEN e.from_card = ANY ($1) THEN e.to_card ELSE e.from_card END AS id
         FROM edges e WHERE (e.from_card = ANY ($1)) <> (e.to_card = ANY ($1)) LIMIT 30`,
      [stopped],
    );
    expect(neighbours.length).toBeGreaterThan(0);
    for (const { id } of neighbours) {
      const { body } = await as(reviewer, 'GET', `/v1/cards/${id}/edges?limit=500`);
      none(
        (body.items ?? []).flatMap((edge: { from: string; to: string }) => [edge.from, edge.to]),
      );
    }
    for (const id of stopped.slice(0, 20)) {
      expect((await as(reviewer, 'GET', `/v1/cards/${id}`)).status).toBe(404);
    }
  });
});
