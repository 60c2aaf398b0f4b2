import { startApi, type TestApi } from './support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

interface Operation {
  summary?: string;
  tags?: string[];
  requestBody?: unknown;
  parameters?: { name: string; in: string }[];
  responses?: Record<string, unknown>;
}

async function operations(): Promise<{ name: string; path: string; operation: Operation }[]> {
  const { body } = await api.call('GET', '/openapi.json', { key: null });
  return Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        path,
        operation,
      })),
  );
}

describe('/openapi.json', () => {
  it('is OpenAPI 3.1, without a key, with the scheme of the key', async () => {
    const { status, body } = await api.call('GET', '/openapi.json', { key: null });
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    expect(body.components.securitySchemes.key).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  it('names every /v1 route with a summary, a tag, its path parameters and its body', async () => {
    const found = (await operations()).filter(({ path }) => path.startsWith('/v1/'));
    expect(found.length).toBeGreaterThan(30);
    for (const { name, path, operation } of found) {
      expect([name, operation.summary?.length ?? 0]).not.toEqual([name, 0]);
      expect([name, operation.tags?.length]).toEqual([name, 1]);
      const inPath = (operation.parameters ?? []).filter((one) => one.in === 'path');
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect([name, inPath.map((one) => one.name)]).toEqual([name, named]);
      if (name.startsWith('PUT '))
        expect([name, operation.requestBody]).not.toEqual([name, undefined]);
    }
  });

  it('says what a list takes and answers', async () => {
    const { body } = await api.call('GET', '/openapi.json', { key: null });
    const { parameters, responses } = body.paths['/v1/audit'].get;
    const inQuery = parameters.filter((one: { in: string }) => one.in === 'query');
    expect(inQuery.map((one: { name: string }) => one.name).sort()).toEqual([
      'action',
      'actor',
      'cursor',
      'limit',
      'since',
      'target',
      'target_type',
      'until',
    ]);
    const page = responses['200'].content['application/json'].schema;
    expect(Object.keys(page.properties).sort()).toEqual([
      'items',
      'next_cursor',
      'total',
      'total_capped',
    ]);
  });
});

test('the docs are a page, without a key', async () => {
  const answer = await api.call('GET', '/docs', { key: null });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/html'),
  ]);
});

describe('/metrics', () => {
  it('counts without a key on this machine, and names nobody', async () => {
    const key = await api.keyFor({ kind: 'runtime', id: 'metered-runtime' });
    const body = {
      event_id: 'metered-event',
      kind: 'observation',
      agent: 'metered-agent',
      outcome: 'neutral',
      occurred_at: '2026-03-02T08:24:15Z',
      text: 'Metered text.',
    };
    await api.call('POST', '/v1/events', { key, body });
    const { status, text } = await api.call('GET', '/metrics', { key: null });
    expect(status).toBe(200);
    expect(text).toMatch(/^cairn_captures\{disposition="pending"\} 1$/m);
    expect(text).toMatch(/^cairn_captures\{disposition="carded"\} 0$/m);
    expect(text).toMatch(/^cairn_outbox_unsent 1$/m);
    expect(text).toMatch(/^cairn_captures_pending_oldest_seconds [0-9.e-]+$/m);
    expect(text).toMatch(/^process_cpu_seconds_total/m);
    expect(text.toLowerCase()).not.toContain('metered');
    expect(text).not.toContain('default"');
  });

  it('takes a key of a person who governs when a proxy forwards', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const status = async (key: string | null) =>
      (await api.call('GET', '/metrics', { key, headers })).status;
    expect(await status(null)).toBe(401);
    expect(await status(await api.keyFor({ kind: 'runtime', id: 'r' }))).toBe(403);
    expect(await status(await api.keyOf('auditor'))).toBe(200);
  });
});
