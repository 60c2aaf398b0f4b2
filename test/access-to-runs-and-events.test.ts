import { settleCapture } from '../src/store/captures';
import { startApi, type TestApi } from './support/api';

let api: TestApi;
let runtime: string;
const operations = new Map<string, string>();

beforeAll(async () => {
  api = await startApi();
  runtime = await api.keyFor({ kind: 'runtime', id: 'feeder' });
  for (const [id, agent] of [
    ['e1', 'ann'],
    ['e2', 'ann'],
    ['e3', 'ben'],
  ] as const) {
    const { body } = await api.call('POST', '/v1/events', {
      key: runtime,
      body: {
        event_id: id,
        kind: 'service_call',
        agent,
        service: 'mail',
        operation: 'send',
        input: { to: 'ada@example.org' },
        outcome: 'worked',
        occurred_at: '2026-03-02T08:24:15+02:00',
      },
    });
    operations.set(id, body.items[0].operation_id);
  }
  await api.database.inWorkspace('default', async (tx) => {
    await settleCapture(tx, {
      eventId: 'e2',
      disposition: 'duplicate_content',
      runId: null,
      reason: 'same_content',
      now: new Date(),
    });
    await tx.query(
      `INSERT INTO runs (workspace_id, id, type, scope_type, scope_id, state, result, counts, workflow_id, created_at)
       VALUES ($1, 'part', 'consolidation', 'team', 'red', 'completed', '{"status": "partial"}', '{"retired": 3}',
               'consolidate/default/red/1', now()),
              ($1, 'dropped', 'retention', 'workspace', 'default', 'cancelled', '{}', '{}', 'retain/default/1', now())`,
      [tx.workspace],
    );
  });
});
afterAll(() => api.close());

const get = async (path: string, key = api.ownerKey) => (await api.call('GET', path, { key })).body;
const ids = (page: { items: { id?: string; event_id?: string }[] }) =>
  page.items.map((item) => item.id ?? item.event_id).sort();

describe('a run', () => {
  it('has the id of its operation, and the status of how it ended', async () => {
    const operation = operations.get('e1') ?? '';
    expect(await get(`/v1/runs/${operation}`)).toMatchObject({
      id: operation,
      type: 'capture',
      scope: { type: 'agent', id: 'ann' },
      status: 'running',
      counts: {},
      cost: 0,
    });
    expect((await get(`/v1/operations/${operation}`)).id).toBe(operation);
    expect(await get('/v1/runs/part')).toMatchObject({
      status: 'partial',
      counts: { retired: 3 },
      scope: { type: 'team', id: 'red' },
    });
    expect(await get('/v1/runs/dropped')).toMatchObject({ status: 'failed' });
  });

  it('is found by type and status', async () => {
    expect(ids(await get('/v1/runs?type=consolidation'))).toEqual(['part']);
    expect(ids(await get('/v1/runs?status=failed'))).toEqual(['dropped']);
    expect(ids(await get('/v1/runs?status=completed'))).toEqual([operations.get('e2')]);
    expect((await get('/v1/runs?status=running')).total).toBe(2);
    expect((await api.call('GET', '/v1/runs?type=dreaming')).status).toBe(400);
  });

  it('of an agent is seen by that agent', async () => {
    const ben = await api.keyFor({ kind: 'agent', id: 'ben' });
    expect(ids(await get('/v1/runs', ben))).toEqual([operations.get('e3')]);
    expect((await api.call('GET', '/v1/runs/part', { key: ben })).status).toBe(404);
  });
});

describe('an event', () => {
  it('is shown as it was redacted, with what became of it', async () => {
    const { event, ...record } = await get('/v1/events/e1');
    expect(record).toMatchObject({
      event_id: 'e1',
      agent: 'ann',
      kind: 'service_call',
      outcome: 'worked',
      occurred_at: '2026-03-02T06:24:15.000Z',
      disposition: 'pending',
      reason: null,
      card_id: null,
      operation_id: operations.get('e1'),
      redactions: { email: 1 },
      needs_distill: false,
    });
    expect(event.input.to).toMatch(/^\[EMAIL_\w+\]$/);
    expect(await get('/v1/events/e2')).toMatchObject({
      disposition: 'duplicate_content',
      reason: 'same_content',
    });
  });

  it('is found by disposition, agent and time', async () => {
    expect(ids(await get('/v1/events?disposition=pending'))).toEqual(['e1', 'e3']);
    expect(ids(await get('/v1/events?agent=ann'))).toEqual(['e1', 'e2']);
    expect(ids(await get('/v1/events?agent=ann&disposition=pending'))).toEqual(['e1']);
    expect((await get('/v1/events?since=2999-01-01T00:00:00Z')).total).toBe(0);
    expect((await get('/v1/events')).total).toBe(3);
  });

  it('shows an agent no more by a filter than it may see', async () => {
    const ben = await api.keyFor({ kind: 'agent', id: 'ben' });
    expect((await get('/v1/events?agent=ann', ben)).total).toBe(0);
    expect(ids(await get('/v1/events', ben))).toEqual(['e3']);
  });
});
