import Fastify from 'fastify';
import type { App } from '../src/api/app';
import { enforceRoles, type Hat, ROUTE_RULES } from '../src/api/roles';
import { PERSON_ROLES } from '../src/contracts/names';
import { type Method, startApi, type TestApi } from './support/api';

let api: TestApi;
const keys = new Map<Hat, string>();
let restricted: string;

beforeAll(async () => {
  api = await startApi();
  for (const role of PERSON_ROLES) keys.set(role, await api.keyOf(role));
  keys.set('agent', await api.keyFor({ kind: 'agent', id: 'an-agent' }));
  keys.set('runtime', await api.keyFor({ kind: 'runtime', id: 'a-runtime' }));
  keys.set('installation', api.ownerKey);
  await api.call('PUT', '/v1/agents/narrow', { body: { restricted: true } });
  restricted = await api.keyFor({ kind: 'agent', id: 'narrow' });
});
afterAll(() => api.close());

const RULES = Object.entries(ROUTE_RULES).map(([route, rule]) => {
  const [method = '', url = ''] = route.split(' ');
  return { route, method: method as Method, url, path: url.replace(/:\w+/g, 'x'), ...rule };
});

const turnedAway = (answer: { status: number; body: { code?: string; detail?: string } | null }) =>
  answer.status === 403 &&
  answer.body?.detail?.startsWith('this takes another kind of key') === true;

describe('the table', () => {
  it('has a rule for every route that takes a key', () => {
    const { paths } = api.app.swagger() as { paths: Record<string, Record<string, unknown>> };
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      ),
    );
    expect(served.length).toBeGreaterThan(30);
    const open = ['GET /healthz', 'GET /readyz', 'GET /metrics', 'POST /v1/session'];
    for (const route of served) {
      if (!open.includes(route)) expect(Object.keys(ROUTE_RULES)).toContain(route);
    }
  });

  it('keeps a server with a route outside it from starting', () => {
    const app = Fastify() as unknown as App;
    enforceRoles(app);
    app.get('/healthz', { config: { open: true } }, () => 'ok');
    expect(() => app.get('/v1/something-new', () => 'hello')).toThrow(
      'GET /v1/something-new has no rule: add it to ROUTE_RULES in src/api/roles.ts',
    );
  });
});

describe.each(RULES)('$route', ({ route, method, url, path, who, access }) => {
  const served = () => api.app.hasRoute({ method, url });

  it('lets in whom its rule names, and nobody else', async () => {
    if (!served()) return;
    for (const hat of [...PERSON_ROLES, 'agent', 'runtime'] as const) {
      const key = keys.get(hat) ?? '';
      const answer = await api.call(method, path, { key });
      expect([route, hat, turnedAway(answer)]).toEqual([route, hat, !who.includes(hat)]);
      if (!who.includes(hat)) expect(answer.body).toMatchObject({ code: 'not_allowed' });
      expect(answer.status).not.toBe(500);
    }
  });

  it('takes a key', async () => {
    if (!served()) return;
    expect((await api.call(method, path, { key: null })).status).toBe(401);
    expect((await api.call(method, path, { key: 'cairn_unknown' })).status).toBe(401);
  });

  it('is no write for a restricted agent', async () => {
    if (!served() || !who.includes('agent')) return;
    const answer = await api.call(method, path, { key: restricted });
    const refused =
      answer.status === 403 &&
      String(answer.body?.detail).startsWith('a restricted agent reads only');
    expect([route, refused]).toEqual([route, access === 'write']);
  });
});

describe('the owner key of the installation', () => {
  it('is an owner, and a runtime too', async () => {
    const event = {
      event_id: 'by-the-owner',
      kind: 'observation',
      agent: 'somebody',
      outcome: 'neutral',
      occurred_at: '2026-03-02T08:24:15Z',
      text: 'Seen.',
    };
    expect((await api.call('POST', '/v1/events', { body: event })).status).toBe(202);
    expect((await api.call('GET', '/v1/keys')).status).toBe(200);
    const other = keys.get('owner') ?? '';
    expect((await api.call('POST', '/v1/events', { body: event, key: other })).status).toBe(403);
  });
});

describe('a member', () => {
  it('reads themselves, their subject, and the events about it', async () => {
    const key = await api.keyOf('member', 'grace');
    const runtime = keys.get('runtime') ?? '';
    for (const subject of ['grace', 'linus']) {
      await api.call('POST', '/v1/events', {
        key: runtime,
        body: {
          event_id: `about-${subject}`,
          kind: 'observation',
          agent: 'clerk',
          subject,
          outcome: 'neutral',
          occurred_at: '2026-03-02T08:24:15Z',
          text: 'Likes tea.',
        },
      });
    }
    await api.call('PUT', '/v1/subjects/linus', { body: {} });
    const status = async (url: string) => (await api.call('GET', url, { key })).status;
    expect(await status('/v1/people/the-member')).toBe(200);
    expect(await status('/v1/people/the-auditor')).toBe(404);
    expect(await status('/v1/subjects/grace')).toBe(200);
    expect(await status('/v1/subjects/linus')).toBe(404);
    expect(await status('/v1/events/about-grace')).toBe(200);
    expect(await status('/v1/events/about-linus')).toBe(404);
    const { body } = await api.call('GET', '/v1/events', { key });
    expect(body).toMatchObject({ items: [{ event_id: 'about-grace' }], total: 1 });
  });
});

describe('a member who names an agent', () => {
  it('does not see with its eyes', async () => {
    const key = keys.get('member') ?? '';
    const headers = { 'cairn-agent': 'clerk' };
    for (const path of ['/v1/cards', '/v1/events', '/v1/workspace']) {
      expect((await api.call('GET', path, { key, headers })).status).toBe(403);
    }
  });
});

describe('an event', () => {
  it('is read by people, its emitting agent, and a runtime for that agent', async () => {
    const runtime = keys.get('runtime') ?? '';
    const clerk = await api.keyFor({ kind: 'agent', id: 'clerk' });
    const other = keys.get('agent') ?? '';
    const url = '/v1/events/about-grace';
    const status = async (key: string, headers: Record<string, string> = {}) =>
      (await api.call('GET', url, { key, headers })).status;
    expect(await status(keys.get('auditor') ?? '')).toBe(200);
    expect(await status(clerk)).toBe(200);
    expect(await status(other)).toBe(404);
    expect(await status(runtime, { 'cairn-agent': 'clerk' })).toBe(200);
    expect(await status(runtime, { 'cairn-agent': 'an-agent' })).toBe(404);
    expect(await status(runtime)).toBe(400);
    // A person who names an agent sees what that agent sees.
    expect(await status(api.ownerKey, { 'cairn-agent': 'an-agent' })).toBe(404);
  });
});
