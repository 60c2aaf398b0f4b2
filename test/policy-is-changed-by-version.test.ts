import fc from 'fast-check';
import { DEFAULT_POLICY } from '../src/domain/policy';
import { policyPatchSchema } from '../src/schemas/policy';
import { type CallOptions, type Method, startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Every test has a workspace of its own, whose policy nobody has changed. */
let workspaces = 0;
let key: string;
beforeEach(async () => {
  workspaces += 1;
  const made = await api.call('POST', '/v1/workspaces', {
    body: { id: `w${workspaces}`, name: 'W' },
  });
  key = made.body.owner_key;
});

const call = (method: Method, path: string, options: CallOptions = {}) =>
  api.call(method, path, { key, ...options });

const put = (body: unknown, version: number | null) =>
  call('PUT', '/v1/policy', {
    body,
    ...(version === null ? {} : { headers: { 'if-match': `"${version}"` } }),
  });

describe('GET', () => {
  it('shows every default, with a version', async () => {
    const answer = await call('GET', '/v1/policy');
    expect(answer).toMatchObject({ status: 200, body: { version: 0 } });
    const { version: _version, ...document } = answer.body;
    expect(document).toEqual(DEFAULT_POLICY);
    expect(answer.headers.get('etag')).toBe('"0"');
  });
});

describe('PUT', () => {
  it('changes a part, stores a version, and is audited by its top-level names', async () => {
    const first = await put({ strikes: { count: 5 }, resolve: { tie: 'PT2H' } }, 0);
    expect(first).toMatchObject({
      status: 200,
      body: { version: 1, strikes: { count: 5, window: 'P30D' }, resolve: { tie: 'PT2H' } },
    });
    expect(first.headers.get('etag')).toBe('"1"');
    const second = await put({ retention: { by_kind: { experience: 'P90D' } } }, 1);
    expect(second.body).toMatchObject({
      version: 2,
      strikes: { count: 5 },
      retention: { by_kind: { experience: 'P90D', knowledge: null } },
    });
    expect((await call('GET', '/v1/policy')).body).toEqual(second.body);
    const audit = await call('GET', '/v1/audit?action=policy.changed');
    expect(audit.body.items).toMatchObject([
      { changed: ['retention'], versions: [1, 2] },
      { changed: ['resolve', 'strikes'].sort(), versions: [0, 1] },
    ]);
  });

  it('takes back the whole document that GET showed', async () => {
    const { body } = await call('GET', '/v1/policy');
    const answer = await put({ ...body, strikes: { count: 4, window: 'P7D' } }, 0);
    expect(answer.body).toEqual({ ...body, version: 1, strikes: { count: 4, window: 'P7D' } });
    expect((await put(body, 1)).status).toBe(412);
  });

  it('that changes nothing makes no version', async () => {
    expect((await put({ strikes: { count: 3 } }, 0)).body).toMatchObject({ version: 0 });
    expect((await call('GET', '/v1/audit?action=policy.changed')).body.total).toBe(0);
  });

  it('needs the version that it changes', async () => {
    expect(await put({}, null)).toMatchObject({
      status: 428,
      body: { code: 'precondition_required' },
    });
    await put({ strikes: { count: 5 } }, 0);
    expect(await put({ strikes: { count: 6 } }, 0)).toMatchObject({
      status: 412,
      body: { code: 'stale_version' },
    });
    const bad = { body: {}, headers: { 'if-match': 'latest' } };
    expect((await call('PUT', '/v1/policy', bad)).status).toBe(400);
  });

  it.each([
    [{ colour: 'red' }, '/colour'],
    [{ strikes: { count: 3, colour: 'red' } }, '/strikes/colour'],
    [{ strikes: { window: 'P1M' } }, '/strikes/window'],
    [{ strikes: { window: '30 days' } }, '/strikes/window'],
    [{ strikes: { window: 'PT0S' } }, '/strikes/window'],
    [{ strikes: { count: 0 } }, '/strikes/count'],
    [{ link: { threshold: 1.5 } }, '/link/threshold'],
    [{ learning: { novelty: 11 } }, '/learning/novelty'],
    [{ consolidation: { timezone: 'Mars/Olympus' } }, '/consolidation/timezone'],
    [{ consolidation: { at: '25:00' } }, '/consolidation/at'],
    [{ limits: { event_bytes: 10_000_000 } }, '/limits/event_bytes'],
    [{ retention: { by_kind: { episode: 'P1D' } } }, '/retention/by_kind/episode'],
    [
      { capture: { write_rules: [{ match: {}, route: 'sensitive' }] } },
      '/capture/write_rules/0/match',
    ],
    [{ capture: { write_rules: [{ match: { service: 'x' } }] } }, '/capture/write_rules/0/route'],
    [[], ''],
  ])('refuses %j', async (body, pointer) => {
    expect(await put(body, 0)).toMatchObject({ status: 400, body: { pointer } });
    expect((await call('GET', '/v1/policy')).body.version).toBe(0);
  });

  it('keeps no secret and no contact in its labels', async () => {
    const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
    const rule = (match: object) => ({ capture: { write_rules: [{ match, route: 'sensitive' }] } });
    expect(await put(rule({ service: secret }), 0)).toMatchObject({
      status: 422,
      body: { code: 'secret_in_identifier', pointer: '/capture/write_rules/0/match/service' },
    });
    expect(await put(rule({ service: 'ada@example.org' }), 0)).toMatchObject({
      body: { code: 'pii_in_identifier' },
    });
    const agent = 'ada@example.org';
    const known = (await call('PUT', `/v1/agents/${agent}`, { body: {} })).body.id;
    const answer = await put(rule({ agent }), 0);
    expect(answer.body.capture.write_rules[0].match).toEqual({ agent: known });
  });

  it('is the same again for the same Idempotency-Key', async () => {
    const again = () =>
      call('PUT', '/v1/policy', {
        body: { strikes: { count: 7 } },
        headers: { 'if-match': '"0"', 'idempotency-key': 'k' },
      });
    const first = await again();
    expect(first.body.version).toBe(1);
    expect(await again()).toMatchObject({ status: 200, body: first.body });
  });
});

describe('preview', () => {
  it('says what would change, and changes nothing', async () => {
    const body = { strikes: { count: 9, window: 'P30D' }, gate: { rules: [] } };
    const answer = await call('POST', '/v1/policy/preview', { body });
    expect(answer.status).toBe(200);
    expect(answer.body.changed.map(({ path }: { path: string }) => path).sort()).toEqual([
      'gate.rules',
      'strikes.count',
    ]);
    expect(answer.body.document).toEqual({
      ...DEFAULT_POLICY,
      strikes: { count: 9, window: 'P30D' },
      gate: { rules: [] },
    });
    expect((await call('GET', '/v1/policy')).body.version).toBe(0);
  });
});

describeNative('two changes at the same moment', () => {
  it('end in one version', async () => {
    const answers = await Promise.all([2, 4, 5, 6].map((count) => put({ strikes: { count } }, 0)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 412, 412, 412]);
    expect((await call('GET', '/v1/policy')).body.version).toBe(1);
  });
});

describe('a policy that is in force', () => {
  it('decides on the next event', async () => {
    await put(
      { capture: { write_rules: [{ match: { service: 'payroll*' }, route: 'sensitive' }] } },
      0,
    );
    const runtime = await call('POST', '/v1/keys', {
      body: { principal: { kind: 'runtime', id: 'r' } },
    });
    const { body } = await call('POST', '/v1/events', {
      key: runtime.body.key,
      body: {
        event_id: 'pay',
        kind: 'service_call',
        agent: 'clerk',
        service: 'payroll-eu',
        outcome: 'worked',
        occurred_at: '2026-03-02T08:24:15Z',
      },
    });
    expect(body.items).toMatchObject([{ status: 'accepted', disposition: 'sensitive' }]);
    expect((await call('GET', '/v1/events/pay')).body).toMatchObject({
      disposition: 'sensitive',
      event: null,
      kind: null,
    });
  });
});

test('the defaults are a policy that could be put', () => {
  expect(policyPatchSchema.safeParse(DEFAULT_POLICY)).toMatchObject({ success: true });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (count, threshold) => {
        const patch = { strikes: { count }, link: { threshold } };
        expect(policyPatchSchema.parse(patch)).toEqual(patch);
      },
    ),
  );
});
