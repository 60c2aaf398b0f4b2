import { gzipSync } from 'node:zlib';
import { type Answer, startApi, type TestApi } from './support/api';
import { otlp, otlpSpan, spanId, type TestSpan, traceId } from './support/otel';
import { email, githubToken } from './support/secret-strings';

let api: TestApi;
let runtime: string;
beforeAll(async () => {
  api = await startApi();
  runtime = await api.keyFor({ kind: 'runtime', id: 'fleet' });
});
afterAll(() => api.close());

const ROUTE = '/v1/otel/v1/traces';
const send = (
  body: unknown,
  headers: Record<string, string> = {},
  key = runtime,
): Promise<Answer> => api.call('POST', ROUTE, { key, body, headers });

const tool = (span: string, more: Partial<TestSpan> = {}): TestSpan => ({
  span,
  ...more,
  attributes: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'book_flight',
    'gen_ai.agent.name': 'planner',
    'gen_ai.tool.call.arguments': JSON.stringify({ seats: 2, of: span }),
    ...more.attributes,
  },
});
const counts = ({ headers }: Answer) => headers.get('cairn-spans');
const event = async (span: string, trace = 'a') =>
  await api.call(
    'GET',
    `/v1/events/${encodeURIComponent(`otel:${traceId(trace)}.${spanId(span)}`)}`,
  );

/** A JavaScript SDK writes integers as numbers and times as strings; a collector all of them as strings. */
const FROM_JAVASCRIPT = {
  resourceSpans: [
    {
      resource: {
        attributes: [
          { key: 'service.name', value: { stringValue: 'trips' } },
          { key: 'telemetry.sdk.language', value: { stringValue: 'nodejs' } },
          { key: 'process.pid', value: { intValue: 4711 } },
        ],
        droppedAttributesCount: 0,
        entityRefs: [],
      },
      scopeSpans: [
        {
          scope: { name: '@acme/agents', version: '2.1.0' },
          spans: [
            {
              traceId: '5b8efff798038103d269b633813fc60c',
              spanId: 'eee19b7ec3c1b174',
              parentSpanId: 'eee19b7ec3c1b173',
              flags: 257,
              name: 'execute_tool get_weather',
              kind: 1,
              startTimeUnixNano: '1780315200000000000',
              endTimeUnixNano: '1780315201500000000',
              attributes: [
                { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
                { key: 'gen_ai.tool.name', value: { stringValue: 'get_weather' } },
                { key: 'gen_ai.tool.call.arguments', value: { stringValue: '{"city":"Bergen"}' } },
                { key: 'gen_ai.tool.call.result', value: { stringValue: '{"rain":true}' } },
                { key: 'gen_ai.agent.name', value: { stringValue: 'scout' } },
              ],
              droppedAttributesCount: 0,
              events: [],
              droppedEventsCount: 0,
              status: { code: 0 },
              links: [],
              droppedLinksCount: 0,
            },
          ],
        },
      ],
      schemaUrl: 'https://opentelemetry.io/schemas/1.37.0',
    },
  ],
};

test('an export becomes events, and sent again changes nothing', async () => {
  const first = await send(FROM_JAVASCRIPT);
  expect([first.status, first.body, counts(first)]).toEqual([
    200,
    {},
    'taken=1, duplicates=0, skipped=0, rejected=0',
  ]);
  const again = await send(FROM_JAVASCRIPT);
  expect([again.body, counts(again)]).toEqual([{}, 'taken=0, duplicates=1, skipped=0, rejected=0']);
  const { body } = await api.call(
    'GET',
    '/v1/events/otel%3A5b8efff798038103d269b633813fc60c.eee19b7ec3c1b174',
  );
  expect(body).toMatchObject({ agent: 'scout', kind: 'service_call', disposition: 'pending' });
  expect(body.event).toMatchObject({
    ...{ operation: 'get_weather', input: { city: 'Bergen' }, output: { rain: true } },
    occurred_at: '2026-06-01T12:00:01.500Z',
  });
});

test('a span that comes again in other company is the same span', async () => {
  const run = (span: string): TestSpan => ({
    ...{
      span,
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'top' },
    },
  });
  const call = tool('inner', { parent: 'outer', attributes: { 'gen_ai.agent.name': '' } });
  expect(counts(await send(otlp([call])))).toContain('taken=1');
  // With its parent in sight it would be another agent's.
  expect(counts(await send(otlp([call, run('outer')])))).toContain('taken=1, duplicates=1');
  expect((await event('inner')).body.agent).toBe('desk');
});

test('a bad span never costs the others, and is told of', async () => {
  const body = otlp([
    ...[tool('good'), tool('not ended'), tool('no trace'), tool('deep'), tool('odd')],
    ...[tool('long', { attributes: { 'gen_ai.agent.name': githubToken() } })],
  ]) as { resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[] };
  const spans = body.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
  const [, unended, traceless, deep, odd] = spans;
  let value: unknown = { stringValue: 'x' };
  for (let n = 0; n < 100; n += 1) value = { arrayValue: { values: [value] } };
  Object.assign(unended ?? {}, { endTimeUnixNano: '0' });
  Object.assign(traceless ?? {}, { traceId: '0'.repeat(32) });
  Object.assign(deep ?? {}, { attributes: [{ key: 'x', value }] });
  Object.assign(odd ?? {}, { attributes: 'none' });
  spans.push('no span' as never, null as never, [] as never);
  const answer = await send(body);
  expect(answer.status).toBe(200);
  expect(counts(answer)).toBe('taken=1, duplicates=0, skipped=0, rejected=8');
  expect(answer.body.partialSuccess.rejectedSpans).toBe(8);
  expect(answer.body.partialSuccess.errorMessage).toContain('/traceId');
  expect(answer.body.partialSuccess.errorMessage).toContain('a span: ');
  expect(answer.text).not.toContain(githubToken());
  expect((await event('good')).status).toBe(200);
});

test('what a span carries is redacted before it is kept', async () => {
  const planted = [email(), githubToken()];
  await send(
    otlp([
      tool('planted', {
        status: { code: 2, message: `refused ${planted[0]}` },
        name: `execute_tool ${planted[1]}`,
        attributes: {
          'gen_ai.tool.call.arguments': JSON.stringify({ to: planted[0], key: planted[1] }),
          'gen_ai.tool.call.result': `sent with ${planted[1]}`,
        },
      }),
    ]),
  );
  const { text, status } = await event('planted');
  expect(status).toBe(200);
  for (const one of planted) expect(text).not.toContain(one);
  expect(text).toContain('[EMAIL_');
});

test('an agent’s key reports its own work, whatever its spans name', async () => {
  const key = await api.keyFor({ kind: 'agent', id: 'solo' });
  const answer = await send(otlp([tool('own')]), {}, key);
  expect([answer.status, counts(answer)]).toEqual([
    200,
    'taken=1, duplicates=0, skipped=0, rejected=0',
  ]);
  expect((await event('own')).body.agent).toBe('solo');
});

test('a runtime may name the agent for spans that name none', async () => {
  await send(
    otlp([tool('named', { attributes: { 'gen_ai.agent.name': '' } })], { service: null }),
    {
      'cairn-agent': 'concierge',
    },
  );
  expect((await event('named')).body.agent).toBe('concierge');
  const nobody = await send(
    otlp([tool('nobody', { attributes: { 'gen_ai.agent.name': '' } })], { service: null }),
  );
  expect(nobody.body.partialSuccess.errorMessage).toContain('names no agent');
});

test('people and restricted agents report nothing by it', async () => {
  expect((await send(otlp([tool('x')]), {}, await api.keyOf('auditor'))).status).toBe(403);
  await api.call('PUT', '/v1/agents/watcher', { body: { restricted: true } });
  const key = await api.keyFor({ kind: 'agent', id: 'watcher' });
  expect((await send(otlp([tool('x')]), {}, key)).status).toBe(403);
  expect((await api.call('POST', ROUTE, { key: null, body: otlp([]) })).status).toBe(401);
});

test('more spans than a batch of events holds are taken', async () => {
  const many = Array.from({ length: 1_100 }, (_, n) => tool(`many ${n}`, { trace: 'many', at: n }));
  expect(counts(await send(otlp(many)))).toContain('taken=1100');
});

test('memory that is off keeps nothing of a span', async () => {
  await api.call('PUT', '/v1/agents/quiet', { body: { memory_mode: 'off' } });
  const answer = await send(
    otlp([tool('quiet', { attributes: { 'gen_ai.agent.name': 'quiet' } })]),
  );
  expect([answer.status, answer.body]).toEqual([200, {}]);
  expect((await event('quiet')).body).toMatchObject({ disposition: 'mode_off', event: null });
});

describe('encodings', () => {
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
    fetch(new URL(ROUTE, api.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${runtime}`, ...headers },
      body,
    });
  const json = { 'content-type': 'application/json' };

  it('gzip is unpacked', async () => {
    const packed = gzipSync(JSON.stringify(otlp([tool('packed')])));
    const answer = await post(packed, { ...json, 'content-encoding': 'gzip' });
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
    expect((await event('packed')).status).toBe(200);
  });

  it('what only says that it is packed is 400, and what unpacks beyond the bound 413', async () => {
    const headers = { ...json, 'content-encoding': 'gzip' };
    expect((await post('{"resourceSpans":[]}', headers)).status).toBe(400);
    expect((await post(gzipSync(JSON.stringify(otlp([]))).subarray(0, 20), headers)).status).toBe(
      400,
    );
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, ' '));
    expect((await post(bomb, headers)).status).toBe(413);
  });

  it('protobuf is refused with what to set', async () => {
    const answer = await post(Buffer.from([10, 0]), { 'content-type': 'application/x-protobuf' });
    expect(answer.status).toBe(415);
    expect(await answer.text()).toContain('OTEL_EXPORTER_OTLP_PROTOCOL=http/json');
    const brotli = await post('x', { ...json, 'content-encoding': 'br' });
    expect([brotli.status, await brotli.text()]).toEqual([415, expect.stringContaining('gzip')]);
  });
});

test('what is no export is 400, and an empty one is fine', async () => {
  for (const body of [{}, { resourceSpans: [] }, { resourceSpans: [{}] }, otlp([])]) {
    expect([JSON.stringify(body), (await send(body)).status]).toEqual([JSON.stringify(body), 200]);
  }
  const odd = [
    ...['"text"', '[]', 'null', '1', '{', ''],
    ...['{"resourceSpans":{}}', '{"resourceSpans":[1]}', '{"resourceSpans":[{"scopeSpans":"x"}]}'],
    '{"resourceSpans":[{"scopeSpans":[{"spans":{}}]}]}',
  ];
  for (const body of odd) {
    const answer = await api.call('POST', ROUTE, {
      ...{ key: runtime, body },
      headers: { 'content-type': 'application/json' },
    });
    expect([body, answer.status]).toEqual([body, 400]);
  }
  const deep = `{"resourceSpans":[{"resource":${'{"attributes":['.repeat(5_000)}${']}'.repeat(5_000)}}]}`;
  expect((await send(deep)).status).toBe(200);
});

test('nothing that stands in a span makes it an error of the server’s', async () => {
  const odd: unknown[] = [
    ...[null, true, 1, -1, 1e308, '', 'x', '\u0000', '\ud800', [], {}, [[]], { values: 1 }],
    ...[{ stringValue: 1 }, { intValue: 'x' }, { intValue: -5 }, { doubleValue: 'NaN' }],
    ...[{ arrayValue: { values: 'x' } }, { kvlistValue: { values: [{ key: 1 }, null] } }],
    { kvlistValue: { values: [{ key: '__proto__', value: { stringValue: 'x' } }] } },
    { stringValue: '{"a":'.repeat(2_000) },
    { stringValue: `${'['.repeat(20_000)}${']'.repeat(20_000)}` },
    { stringValue: '\u202e\u0000\ud800x' },
  ];
  const fields = ['traceId', 'spanId', 'parentSpanId', 'name', 'kind', 'endTimeUnixNano'];
  const more = ['startTimeUnixNano', 'attributes', 'events', 'status'];
  const keys = ['gen_ai.operation.name', 'gen_ai.agent.name', 'gen_ai.tool.call.arguments'];
  const talk = ['gen_ai.input.messages', 'gen_ai.output.messages', 'gen_ai.conversation.id'];
  const whole = otlpSpan(tool('odd', { trace: 'odd' })) as { attributes: object[] };
  const spans = odd.flatMap((value) => [
    ...[...fields, ...more].map((field) => ({ ...whole, [field]: value })),
    ...[...keys, ...talk].map((key, n) => ({
      ...{ ...whole, spanId: spanId(`odd ${n}`) },
      attributes: [...whole.attributes, { key, value }],
    })),
    {
      ...whole,
      events: [{ name: 'exception', attributes: [{ key: 'exception.message', value }] }],
    },
    {
      ...whole,
      events: [{ name: 'gen_ai.user.message', attributes: [{ key: 'content', value }] }],
    },
  ]);
  for (const span of spans) {
    const answer = await send({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
    expect([JSON.stringify(span).slice(0, 300), answer.status]).toEqual([
      JSON.stringify(span).slice(0, 300),
      200,
    ]);
  }
  const all = await send({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  expect(all.status).toBe(200);
});
