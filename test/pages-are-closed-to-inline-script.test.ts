import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi, type TestApi } from './support/api';

let dir: string;
let api: TestApi;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'cairn-pages-'));
  writeFileSync(
    join(dir, 'index.html'),
    '<style nonce="__CSP_NONCE__"></style><meta content="__CSP_NONCE__">',
  );
  writeFileSync(join(dir, 'worker.js'), 'onmessage = () => {};');
  api = await startApi({ consoleDir: dir });
});
afterAll(async () => {
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

const open = (path: string, more: Record<string, string> = {}) =>
  api.call('GET', path, { key: null, headers: { accept: 'text/html', ...more } });

function directives(policy: string | null): Record<string, string> {
  return Object.fromEntries(
    (policy ?? '').split('; ').map((one) => {
      const [name = '', ...sources] = one.split(' ');
      return [name, sources.join(' ')];
    }),
  );
}

const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src-attr': "'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

it('a page runs files of its own alone, and styles by these and by what has the nonce', async () => {
  const { headers } = await open('/cards');
  expect(directives(headers.get('content-security-policy'))).toEqual({
    ...POLICY,
    'style-src-elem': expect.stringMatching(/^'self' 'nonce-[\w+/]{22}=='$/),
  });
});

it('the nonce is another one for each answer, and stands in its page', async () => {
  const nonces = new Set<string>();
  for (let opened = 0; opened < 20; opened += 1) {
    const { text, headers } = await open('/');
    const policy = headers.get('content-security-policy') ?? '';
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
    expect(text).toBe(`<style nonce="${nonce}"></style><meta content="${nonce}">`);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(20);
});

it('a file goes by the same policy, so that a worker has one too, and has no nonce', async () => {
  const { headers } = await open('/worker.js');
  expect(directives(headers.get('content-security-policy'))).toEqual({
    ...POLICY,
    'style-src-elem': "'self'",
  });
});

it('both are closed to other pages as every answer is, and open nothing of the API', async () => {
  for (const path of ['/', '/worker.js', '/nothing/here']) {
    const { headers } = await open(path, { 'x-forwarded-proto': 'https' });
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
    });
    expect(headers.get('set-cookie')).toBeNull();
  }
  const api404 = await open('/v1/nothing');
  expect(api404.headers.get('content-security-policy')).toMatch(/form-action 'none'/);
});

it('a page of another origin gets neither', async () => {
  for (const path of ['/', '/worker.js']) {
    expect((await open(path, { origin: 'https://evil.example' })).status).toBe(403);
  }
});

it('an unbuilt console has a policy too', async () => {
  const bare = await startApi({ consoleDir: join(dir, 'nowhere') });
  try {
    const { headers, text } = await bare.call('GET', '/', {
      key: null,
      headers: { accept: 'text/html' },
    });
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(text).not.toMatch(/<script|<style|\son\w+=|style=/);
  } finally {
    await bare.close();
  }
});
