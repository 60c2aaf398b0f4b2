import { MockActivityEnvironment } from '@temporalio/testing';
import { createCaptureActivities } from '../src/activities/capture';
import { ROUTE_RULES } from '../src/api/roles';
import type { SettledEvent } from '../src/contracts/event';
import { distill } from '../src/domain/distill/distill';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { saveDraft } from '../src/store/drafts';
import type { Answer, Method } from './support/api';
import { Filing, HOUR, type RecallLane, startRecallLane } from './support/filing';
import { McpSession } from './support/mcp';
import { createSwitchableEmbedder } from './support/switchable-embedder';

let lane: RecallLane;
let reviewer: string;
beforeAll(async () => {
  lane = await startRecallLane();
  reviewer = await lane.api.keyOf('reviewer');
});
afterAll(() => lane.close());
beforeEach(() => lane.clock.advance(HOUR));
afterEach(async () => {
  const { body } = await lane.api.call('GET', '/v1/sources?stopped=true&limit=500');
  for (const { id } of body.items) await turn(id, false);
});

let events = 0;
const eventOf = (fields: Partial<SettledEvent> = {}): SettledEvent => {
  events += 1;
  return {
    event_id: `call-${events}`,
    kind: 'service_call',
    agent: 'scout',
    service: 'mailer',
    operation: 'send_bulk',
    outcome: 'worked',
    occurred_at: lane.clock.text(),
    input: { list: `readers-${events}` },
    output: `sent to list ${events}`,
    ...fields,
  };
};

const as = (key: string, method: Method, path: string, body?: object, headers = {}) =>
  lane.api.call(method, path, { key, headers, ...(body === undefined ? {} : { body }) });
const report = (body: object, key = lane.runtimeKey) => as(key, 'POST', '/v1/events', body);
const turn = (id: string, stopped: boolean, reason?: string, key = reviewer): Promise<Answer> =>
  as(key, 'PUT', `/v1/sources/${encodeURIComponent(id)}`, {
    stopped,
    ...(reason === undefined ? {} : { reason }),
  });
const rows = <Row>(sql: string, values: unknown[] = []) =>
  lane.api.database.inWorkspace('default', (tx) => tx.query<Row>(sql, values));

/** Accepted, and waiting for its capture. */
async function accepted(event: SettledEvent, key?: string) {
  const { body } = await report({ events: [event] }, key);
  expect(body.items).toMatchObject([{ status: 'accepted', disposition: 'pending' }]);
  const { event_id, operation_id } = body.items[0];
  return { event_id: event_id as string, operation_id: operation_id as string };
}

const HELD = { disposition: 'quarantined', reason: 'stopped', card_id: null };

describe('an event of a stopped source', () => {
  it.each([
    ['runtime:harness', ''],
    ['agent:scout', '/agent'],
    ['service:mailer', '/service'],
  ])('is refused from the next request on: %s', async (source, pointer) => {
    await accepted(eventOf());
    expect(await turn(source, true)).toMatchObject({ status: 200, body: { stopped: true } });
    const single = await report(eventOf());
    expect(single).toMatchObject({ status: 403, body: { code: 'stopped', pointer } });
    expect(single.body.items).toMatchObject([{ status: 'refused', reason: { code: 'stopped' } }]);
    const batch = await report({ events: [eventOf(), { nonsense: true }] });
    expect(batch.status).toBe(202);
    expect(batch.body.items).toMatchObject([
      { status: 'refused', reason: { code: 'stopped', pointer } },
      { status: 'refused', reason: { code: 'invalid' } },
    ]);
    await turn(source, false);
    await accepted(eventOf());
  });

  it('leaves nothing: no event, no agent, no team', async () => {
    await turn('service:mailer', true);
    const event = eventOf({ agent: 'unheard-of', team: 'unseen' });
    await report(event);
    expect((await as(reviewer, 'GET', `/v1/events/${event.event_id}`)).status).toBe(404);
    expect((await as(reviewer, 'GET', '/v1/agents/unheard-of')).status).toBe(404);
    expect((await as(reviewer, 'GET', '/v1/teams/unseen')).status).toBe(404);
  });

  it('costs no other event of its batch', async () => {
    await turn('service:browser', true);
    const { body } = await report({ events: [eventOf({ service: 'browser' }), eventOf()] });
    expect(body.items).toMatchObject([{ status: 'refused' }, { status: 'accepted' }]);
  });

  it('that is known already is answered as known, and changes nothing', async () => {
    const event = eventOf();
    await accepted(event);
    await turn('service:mailer', true);
    expect((await report(event)).body.items).toMatchObject([{ status: 'duplicate' }]);
  });

  it('is none of another runtime’s, nor of an agent that reports itself', async () => {
    await turn('runtime:harness', true);
    const other = await lane.api.keyFor({ kind: 'runtime', id: 'other-harness' });
    const itself = await lane.api.keyFor({ kind: 'agent', id: 'scout' });
    await accepted(eventOf(), other);
    await accepted(eventOf(), itself);
  });
});

describe('an event that was accepted before the stop', () => {
  it.each(['runtime:harness', 'agent:scout', 'service:mailer'])(
    'gets no card after it, and its record says why: %s',
    async (source) => {
      const event = eventOf();
      const key = await accepted(event);
      await turn(source, true);
      expect(await lane.filing.atOnce(key)).toMatchObject({
        admission: { decision: 'quarantined', reason: 'stopped', card_id: null },
        filed: { ...HELD, kind: null, edges: [] },
      });
      const told = await as(reviewer, 'GET', `/v1/events/${key.event_id}`);
      expect(told.body).toMatchObject({ ...HELD, event: { event_id: key.event_id } });
      const operation = await as(reviewer, 'GET', `/v1/operations/${key.operation_id}`);
      expect(operation.body).toMatchObject({
        state: 'completed',
        result: { disposition: 'quarantined', reason: 'stopped' },
      });
      // The step once more, as after an answer that nobody heard.
      expect((await lane.filing.atOnce(key)).filed).toMatchObject({ ...HELD, edges: [] });
      expect(await rows('SELECT id FROM cards WHERE event_id = $1', [key.event_id])).toEqual([]);
    },
  );

  it('gets its card once the stop is lifted and it is sent again, and not before', async () => {
    const event = eventOf();
    const key = await accepted(event);
    await turn('service:mailer', true);
    await lane.filing.atOnce(key);
    expect((await report(event)).body.items).toMatchObject([HELD_AS_DUPLICATE]);
    await turn('service:mailer', false);
    expect((await report(event)).body.items).toMatchObject([
      { status: 'duplicate', disposition: 'pending' },
    ]);
    expect((await lane.filing.atOnce(key)).filed).toMatchObject({ disposition: 'carded' });
  });

  const HELD_AS_DUPLICATE = { status: 'duplicate', disposition: 'quarantined' };

  it('gets none where the stop comes between reading it and filing it', async () => {
    const embedder = createSwitchableEmbedder();
    const filing = new Filing({ api: lane.api, clock: lane.clock, embedder });
    const key = await accepted(eventOf());
    embedder.meanwhile = async () => {
      await turn('agent:scout', true);
    };
    await expect(filing.atOnce(key)).rejects.toThrow();
    expect((await filing.atOnce(key)).filed).toMatchObject(HELD);
    expect(await rows('SELECT id FROM cards WHERE event_id = $1', [key.event_id])).toEqual([]);
  });

  it('gets none where the stop comes while the model is at it', async () => {
    const event = eventOf();
    const key = await accepted(event);
    const steps = createCaptureActivities({
      database: lane.api.database,
      clock: lane.clock.now,
      embedder: createHashedEmbedder(),
      distiller: 'model',
    });
    const input = { ...key, workspace: 'default' };
    const run = <T>(step: () => Promise<T>) =>
      new MockActivityEnvironment().run(step) as Promise<T>;
    const begun = await run(() => steps.captureAtOnce({ ...input, stand_in: false }));
    expect(begun).toMatchObject({ admission: { decision: 'admit', distiller: 'model' } });
    await lane.api.database.inWorkspace('default', (tx) =>
      saveDraft(tx, key.event_id, { draft: distill(event, []), shown: [] }, lane.clock.now()),
    );
    await turn('service:mailer', true);
    expect(await run(() => steps.fileCard(input))).toMatchObject(HELD);
    expect(await rows('SELECT 1 FROM capture_drafts WHERE event_id = $1', [key.event_id])).toEqual(
      [],
    );
  });
});

/** Every route by which memory is written, with an agent's key or a runtime's. */
const writesOf = (hat: 'agent' | 'runtime') =>
  Object.entries(ROUTE_RULES)
    .filter(([, rule]) => rule.access !== 'read' && rule.who.includes(hat))
    .map(([route]) => route)
    .filter((route) => route !== 'POST /v1/events');

const call = (route: string, key: string, headers = {}) => {
  const [method = '', url = ''] = route.split(' ');
  return as(key, method as Method, url.replace(/:\w+/g, 'x'), {}, headers);
};

const WRITING_TOOLS: [string, Record<string, unknown>][] = [
  ['add_memory', { text: 'Readers answer on Mondays.' }],
  ['note', { key: 'k', value: 'Not to be kept.' }],
  ['note', { key: 'k', delete: true }],
  ['share', { id: 'card_x', agent: 'mate' }],
  ['unshare', { id: 'card_x', agent: 'mate' }],
];

describe('all other doors', () => {
  it.each(writesOf('agent'))('are shut for a stopped agent: %s', async (route) => {
    const agent = await lane.api.keyFor({ kind: 'agent', id: 'scout' });
    const acting = { 'cairn-agent': 'scout' };
    await turn('agent:scout', true);
    expect((await call(route, agent)).body).toMatchObject({ status: 403, code: 'stopped' });
    expect((await call(route, lane.runtimeKey, acting)).body).toMatchObject({ code: 'stopped' });
    await turn('agent:scout', false);
    expect((await call(route, agent)).body?.code).not.toBe('stopped');
  });

  it.each(writesOf('runtime'))('are shut for a stopped runtime: %s', async (route) => {
    await turn('runtime:harness', true);
    const acting = { 'cairn-agent': 'mate' };
    expect((await call(route, lane.runtimeKey, acting)).body).toMatchObject({ code: 'stopped' });
    await turn('runtime:harness', false);
    expect((await call(route, lane.runtimeKey, acting)).body?.code).not.toBe('stopped');
  });

  it('are shut over MCP, in a session that is open, whoever holds the key', async () => {
    const acting = { 'cairn-agent': 'scout' };
    const agent = await lane.api.keyFor({ kind: 'agent', id: 'scout' });
    const sessions = await Promise.all([
      McpSession.http(lane.api, agent),
      McpSession.http(lane.api, lane.runtimeKey, acting),
      McpSession.http(lane.api, lane.api.ownerKey, acting),
    ]);
    await turn('agent:scout', true);
    for (const session of sessions) {
      for (const [tool, args] of WRITING_TOOLS) {
        const answer = await session.call(tool, args);
        expect([tool, answer.isError, answer.text]).toEqual([
          tool,
          true,
          expect.stringContaining('[403 stopped]'),
        ]);
      }
      expect(await session.tools()).not.toContain('add_memory');
      expect((await session.call('memory_search', { query: 'readers' })).isError).toBe(false);
      expect((await session.call('read_notes')).isError).toBe(false);
    }
    await turn('agent:scout', false);
    for (const session of sessions) {
      expect((await session.call('add_memory', { text: 'Back again.' })).isError).toBe(false);
      await session.close();
    }
  });

  it('stay open to read, and to people', async () => {
    const agent = await lane.api.keyFor({ kind: 'agent', id: 'scout' });
    const { body } = await as(agent, 'POST', '/v1/cards', { summary: 'Written while it might.' });
    await turn('agent:scout', true);
    expect((await as(agent, 'GET', `/v1/cards/${body.id}`)).status).toBe(200);
    expect((await as(agent, 'POST', '/v1/recall', { query: 'written' })).status).toBe(200);
    const corrected = await as(
      reviewer,
      'PATCH',
      `/v1/cards/${body.id}`,
      { importance: 1 },
      {
        'if-match': '"1"',
      },
    );
    expect(corrected.status).toBe(200);
    expect((await as(reviewer, 'DELETE', `/v1/cards/${body.id}`)).status).toBe(204);
  });

  it('are shut to what is written about a stopped service, but not to a person’s warning', async () => {
    const agent = await lane.api.keyFor({ kind: 'agent', id: 'scout' });
    const about = (service: string) => ({ summary: 'Pages lie.', hints: { service } });
    const before = await as(agent, 'POST', '/v1/cards', about('browser'));
    await turn('service:browser', true);
    const refused = { status: 403, body: { code: 'stopped' } };
    expect(await as(agent, 'POST', '/v1/cards', about('browser'))).toMatchObject(refused);
    const headers = { 'if-match': '"1"' };
    const reworded = { summary: 'Pages lie often.' };
    const id = before.body.id as string;
    expect(await as(agent, 'PATCH', `/v1/cards/${id}`, reworded, headers)).toMatchObject(refused);
    expect((await as(agent, 'POST', '/v1/cards', about('mailer'))).status).toBe(201);
    const warning = { ...about('browser'), scope: { type: 'agent', id: 'scout' } };
    expect((await as(reviewer, 'POST', '/v1/cards', warning)).status).toBe(201);
  });
});

describe('a stop', () => {
  it('says who, when and why, and stands in the audit without a word of it', async () => {
    const stopped = await turn('service:browser', true, 'pages of eve@example.com lie');
    expect(stopped.body).toEqual({
      id: 'service:browser',
      kind: 'service',
      name: 'browser',
      stopped: true,
      reason: expect.stringMatching(/^pages of \[EMAIL_\w+\] lie$/),
      changed_at: lane.clock.text(),
    });
    expect((await turn('service:browser', true, 'again')).body).toEqual(stopped.body);
    expect((await as(reviewer, 'GET', '/v1/sources/service:browser')).body).toEqual(stopped.body);
    await turn('service:browser', false);
    const audit = await lane.api.call('GET', '/v1/audit?target_type=service&target=browser');
    const [lifted, stop] = audit.body.items;
    const who = { actor: { kind: 'person', id: 'the-reviewer' }, changed: ['stopped'] };
    expect(lifted).toMatchObject({ action: 'source.lifted', ...who, reason_id: null });
    expect(stop).toMatchObject({ action: 'source.stopped', ...who });
    expect(stop.reason_id).toMatch(/^reason_/);
    expect(JSON.stringify(audit.body)).not.toContain('lie');
  });

  it('of an agent is its own switch, wherever it is turned', async () => {
    const writes = async () =>
      (await lane.api.call('GET', '/v1/agents/scout')).body.writes_stopped as boolean;
    await turn('agent:scout', true, 'confused');
    expect(await writes()).toBe(true);
    await lane.api.call('PUT', '/v1/agents/scout', { body: { writes_stopped: false } });
    const lifted = await as(reviewer, 'GET', '/v1/sources/agent:scout');
    expect(lifted.body).toMatchObject({ stopped: false, reason: null });
    await lane.api.call('PUT', '/v1/agents/scout', { body: { writes_stopped: true } });
    const listed = await as(reviewer, 'GET', '/v1/sources?stopped=true');
    expect(listed.body).toMatchObject({
      items: [{ id: 'agent:scout', stopped: true, reason: null }],
      total: 1,
    });
    await turn('agent:scout', false);
    expect(await writes()).toBe(false);
    expect((await as(reviewer, 'GET', '/v1/sources?stopped=true')).body.items).toEqual([]);
  });

  it.each([
    ['agent:nobody', 404],
    ['person:owner', 400],
    ['browser', 400],
    ['service:', 400],
    ['service:eve@example.com', 422],
    ['service:bad\u0000name', 400],
  ])('needs a source: %j', async (id, status) => {
    expect((await turn(id, true)).status).toBe(status);
  });

  it('is a person’s who decides or governs', async () => {
    for (const role of ['owner', 'operator', 'reviewer'] as const) {
      const key = await lane.api.keyOf(role);
      expect((await turn('service:browser', true, undefined, key)).status).toBe(200);
    }
    const auditor = await lane.api.keyOf('auditor');
    expect((await turn('service:browser', false, undefined, auditor)).status).toBe(403);
    expect((await turn('service:browser', false, undefined, lane.runtimeKey)).status).toBe(403);
  });
});
