import type { Answer } from './support/api';
import { startApi, type TestApi } from './support/api';
import { good } from './support/hostile-events';
import { McpSession } from './support/mcp';

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const setLimits = async (limits: Record<string, number | null>) => {
  const { body } = await api.call('GET', '/v1/policy');
  const headers = { 'if-match': `"${body.version}"` };
  const put = await api.call('PUT', '/v1/policy', { body: { limits }, headers });
  expect(put.status).toBe(200);
};
const runtime = (id: string) => api.keyFor({ kind: 'runtime', id });
const read = (key: string) => api.call('GET', '/v1/teams', { key });

const statuses = async (calls: number, call: () => Promise<Answer>): Promise<number[]> => {
  const seen: number[] = [];
  for (let made = 0; made < calls; made += 1) seen.push((await call()).status);
  return seen;
};

/** Every refusal says which bound, how much it is, and when to come back. */
function expectRefusal(answer: Answer, of: string, limit: number): void {
  expect(answer.status).toBe(429);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(answer.body).toMatchObject({ code: 'rate_limited', status: 429, of, limit });
  const seconds = Number(answer.headers.get('retry-after'));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(answer.body.retry_after).toBe(seconds);
  expect(answer.body.detail).toContain(String(limit));
}

/** A runtime's key with a number of its own. */
const slow = async (requests_per_minute: number, id = 'slow'): Promise<string> => {
  const body = { principal: { kind: 'runtime', id }, requests_per_minute };
  return (await api.call('POST', '/v1/keys', { body })).body.key;
};

it('every answer tells what is left, and the call past it when to come back', async () => {
  const key = await slow(3);
  const first = await read(key);
  expect(first.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60, "workspace";q=120000;w=60');
  expect(first.headers.get('ratelimit')).toMatch(/^"key";r=2;t=\d+, "workspace";r=\d+;t=\d+$/);
  expect(await statuses(2, () => read(key))).toEqual([200, 200]);
  for (let again = 0; again < 3; again += 1) {
    const refused = await read(key);
    expectRefusal(refused, 'key', 3);
    expect(refused.headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/);
  }
});

it("one key's flood takes nothing from another's, whoever holds it", async () => {
  const [flooding, calm] = [await slow(2, 'one'), await slow(2, 'one')];
  expect(await statuses(4, () => read(flooding))).toEqual([200, 200, 429, 429]);
  expect(await statuses(2, () => read(calm))).toEqual([200, 200]);
});

it('a key keeps to its own lower number, and to no higher one than the policy', async () => {
  const [low, high] = [await slow(1), await slow(1_000)];
  await setLimits({ key_requests_per_minute: 60 });
  expect(await statuses(2, () => read(low))).toEqual([200, 429]);
  const seen = await statuses(62, () => read(high));
  expect(seen.indexOf(429)).toBe(60);
  expectRefusal(await read(high), 'key', 60);
});

it('the keys of a workspace share its number; who can revoke them, and other workspaces, do not', async () => {
  const [one, two] = [await runtime('one'), await runtime('two')];
  const other = await api.call('POST', '/v1/workspaces', { body: { id: 'other', name: 'Other' } });
  await setLimits({ requests_per_minute: 60 });
  expect(new Set(await statuses(40, () => read(one)))).toEqual(new Set([200]));
  expect((await statuses(30, () => read(two))).indexOf(429)).toBe(20);
  expectRefusal(await read(one), 'workspace', 60);
  expect((await read(other.body.owner_key)).status).toBe(200);
  const { body } = await api.call('GET', '/v1/keys');
  const flooding = body.items.find(
    (key: { principal: { id: string } }) => key.principal.id === 'one',
  );
  expect((await api.call('DELETE', `/v1/keys/${flooding.id}`)).status).toBe(204);
});

it('a rate that would lock out whoever set it is refused', async () => {
  for (const limits of [{ requests_per_minute: 1 }, { key_requests_per_minute: 59 }]) {
    const headers = { 'if-match': '"0"' };
    const answer = await api.call('PUT', '/v1/policy', { body: { limits }, headers });
    expect([answer.status, answer.body.pointer]).toEqual([
      400,
      `/limits/${Object.keys(limits)[0]}`,
    ]);
  }
});

it('no bound is no header and no refusal', async () => {
  const key = await runtime('free');
  await setLimits({
    ...{ key_requests_per_minute: null, requests_per_minute: null, key_requests_at_once: null },
  });
  const answer = await read(key);
  expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, null]);
});

it('health and metrics are never counted, nor refused', async () => {
  const key = await slow(1);
  for (const path of ['/healthz', '/metrics', '/openapi.json']) {
    expect(await statuses(3, () => api.call('GET', path, { key }))).toEqual([200, 200, 200]);
  }
  expect(await statuses(2, () => read(key))).toEqual([200, 429]);
  expect((await api.call('GET', '/healthz', { key })).status).toBe(200);
});

it('holds for MCP, traces and memories as for everything else', async () => {
  const doors: [string, () => Promise<Answer>][] = [];
  for (const [name, method, path, body] of [
    ['mcp', 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }],
    ['otel', 'POST', '/v1/otel/v1/traces', { resourceSpans: [] }],
    ['mem0', 'GET', '/v1/memories', undefined],
  ] as const) {
    const key = await slow(1, `of-${name}`);
    const headers = { 'cairn-agent': `of-${name}` };
    const more = body === undefined ? {} : { body };
    doors.push([name, () => api.call(method, path, { key, headers, ...more })]);
  }
  for (const [name, call] of doors) {
    const seen = await statuses(2, call);
    expect([name, seen]).toEqual([name, [200, 429]]);
    expectRefusal(await call(), 'key', 1);
  }
});

describe('events', () => {
  const batch = (name: string, count: number) => ({
    events: Array.from({ length: count }, (_, at) => good(`${name}-${at}`)),
  });

  it('are counted one by one, and a batch that does not fit in is not begun', async () => {
    const key = await runtime('reporter');
    await setLimits({ events_per_minute: 10 });
    const post = (body: unknown) => api.call('POST', '/v1/events', { key, body });
    expect((await post(batch('first', 8))).status).toBe(202);
    expectRefusal(await post(batch('second', 3)), 'events', 10);
    expect((await api.call('GET', '/v1/events')).body.total).toBe(8);
    // What was refused used nothing up.
    expect((await post(batch('third', 2))).status).toBe(202);
    expectRefusal(await post(good('single')), 'events', 10);
    expect((await read(key)).status).toBe(200);
  });

  it('that were accepted are kept, whatever is refused meanwhile', async () => {
    const key = await runtime('reporter');
    await setLimits({ events_per_minute: 25 });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        api.call('POST', '/v1/events', { key, body: good(`at-once-${at}`) }),
      ),
    );
    const taken = answers.filter(({ status }) => status === 202);
    expect(taken).toHaveLength(25);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    expect((await api.call('GET', '/v1/events')).body.total).toBe(25);
  });
});

it('an open MCP session meets it', async () => {
  const session = await McpSession.http(api, await slow(4), { 'cairn-agent': 'talker' });
  const calls = async () => (await session.call('read_notes')).isError;
  await expect(calls().then(calls).then(calls).then(calls)).rejects.toThrow(/rate_limited/);
  await session.close();
});
