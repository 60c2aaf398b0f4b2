import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startApi, type TestApi } from './support/api';

const PAGE = `<!doctype html><style nonce="__CSP_NONCE__"></style>
<script type="module" nonce="__CSP_NONCE__" src="/assets/index-Ab12Cd34.js"></script>`;
const SCRIPT = 'console.log("a script that is long enough to be worth it");'.repeat(40);

let dir: string;
let api: TestApi;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'cairn-console-'));
  mkdirSync(join(dir, 'console', 'assets'), { recursive: true });
  const write = (name: string, content: string | Buffer) =>
    writeFileSync(join(dir, 'console', name), content);
  write('index.html', PAGE);
  write('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write('.secret', 'hidden');
  write('assets/index-Ab12Cd34.js', SCRIPT);
  write('assets/index-Ab12Cd34.js.br', brotliCompressSync(SCRIPT));
  write('assets/index-Ab12Cd34.js.gz', gzipSync(SCRIPT));
  writeFileSync(join(dir, 'outside.txt'), 'not for anybody');
  api = await startApi({ consoleDir: join(dir, 'console') });
});
afterAll(async () => {
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const open = (path: string, headers: Record<string, string> = HTML) =>
  api.call('GET', path, { key: null, headers });

/** With a path, and without headers, that `fetch` would write otherwise. */
function asWritten(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(api.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on('error', reject).end();
  });
}

it('whatever place of it a link leads to', async () => {
  for (const path of [
    '/',
    '/cards',
    '/cards/card_01?tab=history',
    '/runs/a%2Fb',
    '/v1x',
    '/docsy',
  ]) {
    const { status, text, headers } = await open(path);
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).toContain('<script type="module"');
  }
  expect((await api.call('HEAD', '/cards', { key: null, headers: HTML })).status).toBe(200);
});

it('but none of the API, where a mistake stays one', async () => {
  for (const path of ['/v1', '/v1/nothing', '/v3/x', '/docs/nothing', '/mcp/x', '/healthz/x']) {
    const { status, headers } = await open(path);
    expect([path, status]).toEqual([path, 404]);
    expect(headers.get('content-type')).toContain('application/problem+json');
  }
  // A program that asks, or a page's script for a file that is gone, is told so too.
  for (const path of ['/cards', '/assets/index-Old00000.js']) {
    expect((await open(path, { accept: '*/*' })).body).toMatchObject({ status: 404 });
  }
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    expect((await api.call(method, '/cards', { key: null, headers: HTML })).status).toBe(404);
  }
});

describe('a file of it', () => {
  const SCRIPT_PATH = '/assets/index-Ab12Cd34.js';

  it('is kept for a year where its name says what is in it, and asked for anew elsewhere', async () => {
    const script = await open(SCRIPT_PATH, { accept: '*/*' });
    expect(script.status).toBe(200);
    expect(script.headers.get('content-type')).toMatch(/javascript/);
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const icon = await open('/favicon.svg', { accept: 'image/*' });
    expect(icon.headers.get('cache-control')).toBe('no-cache');
    const etag = icon.headers.get('etag') ?? '';
    expect((await asWritten('/favicon.svg', { 'if-none-match': etag })).status).toBe(304);
  });

  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['identity', null],
  ])('is sent as it was compressed to who takes %s', async (accepted, encoding) => {
    const answer = await fetch(api.url + SCRIPT_PATH, { headers: { 'accept-encoding': accepted } });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
    expect(answer.headers.get('content-type')).toMatch(/javascript/);
    expect(await answer.text()).toBe(SCRIPT);
  });

  it('is never one of another folder, nor one that is hidden', async () => {
    for (const path of [
      ...[
        '/../outside.txt',
        '/assets/../../outside.txt',
        '/%2e%2e/outside.txt',
        '/..%2foutside.txt',
      ],
      ...['/assets/..%2f..%2foutside.txt', '/.secret', '//outside.txt', '/..\\outside.txt'],
      ...['/assets', '/assets/', '/assets/index-Ab12Cd34.js.br', '/index.html'],
    ]) {
      const { status, text } = await asWritten(path);
      expect([path, status === 400 || status === 404]).toEqual([path, true]);
      expect(text).not.toMatch(/not for anybody|hidden/);
    }
  });
});

it('and where it is not built, a page that says how to', async () => {
  const bare = await startApi({ consoleDir: join(dir, 'nowhere') });
  try {
    const { status, text, headers } = await bare.call('GET', '/', { key: null, headers: HTML });
    expect(status).toBe(404);
    expect(headers.get('content-type')).toContain('text/html');
    expect(text).toContain('npm run build');
    expect((await bare.call('GET', '/v1/teams')).status).toBe(200);
  } finally {
    await bare.close();
  }
});
