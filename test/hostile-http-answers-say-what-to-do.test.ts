import { gzipSync } from 'node:zlib';
import { eventText, good } from './support/hostile-events';
import { HostileStack, heard } from './support/hostile-stack';

jest.setTimeout(120_000);

/** What `http-faults-are-problem-documents` holds of single faults is not said again here. */
let stack: HostileStack;
let sent = 0;
beforeAll(async () => {
  stack = await HostileStack.start();
});
afterAll(() => stack?.stop());

/** The service is up: it takes a good event, and the last test sees each of these carded. */
afterEach(async () => {
  const { status } = await stack.call('POST', '/v1/events', good(`after-${sent}`));
  expect(status).toBe(202);
  sent += 1;
});

async function refusal(
  status: number,
  code: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const answer = await stack.call('POST', '/v1/events', body, headers);
  expect([answer.status, answer.type]).toEqual([
    status,
    expect.stringMatching(/^application\/problem\+json/),
  ]);
  expect(answer.body).toMatchObject({ status, code, type: `urn:cairn:problem:${code}` });
  expect(answer.body.detail).toMatch(/\w{3}.*\w{3}/);
  return answer.body;
}

describe('a body', () => {
  it.each(['gzip', 'br', 'deflate', 'GZIP', 'identity, gzip'])('in %s is 415', async (coding) => {
    const body = gzipSync(eventText('compressed'));
    const { detail } = await refusal(415, 'unsupported_media_type', body, {
      'content-encoding': coding,
    });
    expect(detail).toContain('Content-Encoding');
  });

  it.each([
    'application/json; charset=utf-16',
    'application/json;charset="iso-8859-1"',
    'application/json; charset=windows-1252',
    'application/json; a=b; charset=utf-32',
  ])('of %s is 415', async (type) => {
    const { detail } = await refusal(415, 'unsupported_media_type', eventText('foreign'), {
      'content-type': type,
    });
    expect(detail).toContain('UTF-8');
  });

  it.each(['application/json; charset=UTF-8', 'Application/JSON;charset="utf8"'])(
    'of %s is taken',
    async (type) => {
      const body = eventText(`charset-${type.length}`);
      const { status } = await stack.call('POST', '/v1/events', body, { 'content-type': type });
      expect(status).toBe(202);
    },
  );

  it.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/x-ndjson',
    'nonsense',
    'application/json/json',
  ])('of %s is 415', async (type) => {
    await refusal(415, 'unsupported_media_type', eventText('typed'), { 'content-type': type });
  });

  it.each([
    ['cut off', eventText('cut').slice(0, -9)],
    ['NUL bytes', Buffer.alloc(64)],
    ['UTF-16', Buffer.from(`\ufeff${eventText('wide')}`, 'utf16le')],
    ['a raw line break in a string', eventText('line', ',"text":"a\nb"')],
    ['two events behind one another', `${eventText('one')}\n${eventText('two')}`],
    ['NaN', eventText('nan', ',"input":NaN')],
    ['a comment', `// hello\n${eventText('comment')}`],
    ['levels that are never closed', `{"events":[${'['.repeat(1_000_000)}`],
  ])('with %s is not JSON', async (_, body) => {
    expect((await refusal(400, 'invalid', body)).detail).toBe('the body is not JSON');
  });

  it.each([
    ['of 501 events', { events: Array.from({ length: 501 }, (_, at) => good(`n-${at}`)) }],
    ['whose events are no list', { events: good('no-list') }],
    ['with a field beside its events', { events: [], [`x${'y'.repeat(90_000)}`]: 1 }],
  ])('%s is refused with its place', async (_, body) => {
    const { pointer, detail } = await refusal(400, 'invalid', body);
    expect(pointer).toMatch(/^\/[ex]/);
    expect(`${pointer}${detail}`.length).toBeLessThan(500);
  });

  it.each([
    ['lists', '[],'.repeat(1_100_000)],
    ['numbers', '0,'.repeat(2_100_000)],
    ['members', `{${'"a":1,'.repeat(1_100_000)}"b":2},`],
    ['levels', `${'['.repeat(2_100_000)}${']'.repeat(2_100_000)},`],
  ])('of millions of %s is 413 before anything is made of it', async (_, items) => {
    const body = await refusal(413, 'too_large', `{"events":[${items}0]}`);
    expect(body.detail).toContain('in parts');
  });

  it('of 500 events, all refused, is answered item by item, in a sane size', async () => {
    const events = Array.from({ length: 500 }, (_, at) => ({
      ...good(`r-${at}`),
      [`${'k'.repeat(2_000)}${at}`]: 1,
    }));
    const { status, body, text } = await stack.call('POST', '/v1/events', { events });
    expect([status, body.items.length]).toEqual([202, 500]);
    expect(text.length).toBeLessThan(250_000);
  });
});

describe('a route', () => {
  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])('is not found by %s', async (method) => {
    const { status, body } = await stack.call(method, '/v1/events', good('x'));
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  it.each([
    ['GET /v1/events/../../etc/passwd', 404],
    ['GET /v1/events/..%2f..%2f..%2fetc%2fpasswd', 404],
    ['GET /docs/static/..%2f..%2f..%2fpackage.json', 404],
    ['GET /docs/static/../../../../../../etc/passwd', 404],
    ['GET /v1/events/%2e%2e%2f%2e%2e', 404],
    ['GET /v1/events/a%00b', 400],
    ['GET /v1/events/%c0%ae', 400],
    ['GET http://elsewhere.example/v1/nothing', 404],
    ['GET //v1//events', 404],
    ['PROPFIND /v1/events', 404],
    ['TRACE /v1/events', 404],
    ['BREW /v1/events', 400],
    [`GET /v1/events/${'x'.repeat(17_000)}`, 431],
    ['GET /v1/events?limit=0x10', 400],
    ['GET /v1/events?limit=1e2', 400],
    ['GET /v1/events?limit=%20', 400],
    ['GET /v1/events?limit=', 400],
    ['GET /v1/events?limit=501', 400],
    ['GET /v1/events?limit=5&limit=6', 400],
    ['GET /v1/graph?depth=0x1', 400],
    ['GET /v1/graph?depth=3', 400],
    ['GET /v1/graph?limit=%2B5', 400],
  ])('%.60s is a problem document', async (line, status) => {
    const socket = await stack.open();
    const answer = heard(socket);
    const [, ...headers] = stack.head(0).split('\r\n');
    socket.write([`${line} HTTP/1.1`, 'Connection: close', ...headers].join('\r\n'));
    const text = await answer;
    expect(text).toMatch(
      new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*application/problem\\+json`, 'i'),
    );
    const body = JSON.parse(text.slice(text.indexOf('{')));
    expect(body).toMatchObject({ status, detail: expect.stringMatching(/\w{3}/) });
  });

  it.each(['1', '500'])('takes limit=%s', async (limit) => {
    expect((await stack.call('GET', `/v1/events?limit=${limit}`)).status).toBe(200);
    expect((await stack.call('GET', `/v1/graph?depth=2&limit=${limit}`)).status).toBe(200);
  });
});

describe('what is no HTTP', () => {
  it.each([
    ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001'],
    ['another protocol', 'EHLO example.org\r\n\r\n'],
    ['a version that is none', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\n: x\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['a length below zero', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('(%s) is answered with 400 and closed', async (_, bytes) => {
    const socket = await stack.open();
    const answer = heard(socket);
    socket.write(bytes);
    expect(await answer).toMatch(/^HTTP\/1.1 400 /);
  });

  it('is headers of 20 KB: 431, with what to do', async () => {
    const socket = await stack.open();
    const answer = heard(socket);
    socket.write(stack.head(0, [`X-Long: ${'x'.repeat(20_000)}`]));
    const text = await answer;
    expect(text).toMatch(/^HTTP\/1.1 431 /);
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({ code: 'too_large' });
  });

  it('is garbage behind a good request, whose event is kept', async () => {
    const body = eventText('before-garbage');
    const socket = await stack.open();
    const answer = heard(socket);
    socket.write(`${stack.head(Buffer.byteLength(body))}${body}\u0000\u0001garbage\r\n\r\n`);
    await answer;
    expect((await stack.settled('before-garbage')).disposition).toBe('carded');
  });

  it('is a body behind the length that it names', async () => {
    const body = eventText('too-short');
    const socket = await stack.open();
    const answer = heard(socket);
    socket.write(`${stack.head(20)}${body}`);
    expect(await answer).toMatch(/^HTTP\/1.1 400 /);
  });

  it('is a chunk that is none', async () => {
    const socket = await stack.open();
    const answer = heard(socket);
    const head = stack.head(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked');
    socket.write(`${head}zz\r\n{}\r\n0\r\n\r\n`);
    expect(await answer).toMatch(/^HTTP\/1.1 400 /);
  });
});

it('fifty requests in one breath are answered in their order', async () => {
  const bodies = Array.from({ length: 50 }, (_, at) => eventText(`piped-${at}`));
  const socket = await stack.open();
  const answer = heard(socket);
  const requests = bodies.map((body, at) => {
    const last = at === bodies.length - 1 ? ['Connection: close'] : [];
    return `${stack.head(Buffer.byteLength(body), last)}${body}`;
  });
  socket.write(requests.join(''));
  const ids = [...(await answer).matchAll(/"event_id":"(piped-\d+)"/g)].map(([, id]) => id);
  expect(ids).toEqual(bodies.map((_, at) => `piped-${at}`));
});

it('every good event in between has its card', async () => {
  const ids = Array.from({ length: sent }, (_, at) => `after-${at}`);
  expect(await stack.withoutCard(ids)).toEqual([]);
});
