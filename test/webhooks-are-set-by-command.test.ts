import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runCairn } from '../src/cli/run';
import { CairnClient } from '../src/client/index';
import { answers, startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver';
import { WebhookLane } from './support/webhooks';

let lane: WebhookLane;
let receiver: WebhookReceiver;
let dir: string;
beforeAll(async () => {
  [lane, receiver] = await Promise.all([WebhookLane.start(), startWebhookReceiver()]);
  dir = mkdtempSync(join(tmpdir(), 'cairn-webhook-'));
  await lane.allowPrivate(true);
  lane.send();
});
afterAll(async () => {
  await lane.close();
  await receiver.close();
  rmSync(dir, { recursive: true, force: true });
});

async function cairn(args: string[], input = '') {
  const said = { out: '', err: '' };
  const out = new PassThrough().setEncoding('utf8').on('data', (text) => (said.out += text));
  const err = new PassThrough().setEncoding('utf8').on('data', (text) => (said.err += text));
  const terminal = { out, err, input: Readable.from([Buffer.from(input)]) };
  const environment = {
    CAIRN_DATA_DIR: dir,
    CAIRN_URL: lane.api.url,
    CAIRN_KEY: lane.api.ownerKey,
  };
  const code = await runCairn(['webhook', ...args], terminal, environment);
  return { code, ...said };
}

const json = async (args: string[], input?: string) =>
  JSON.parse((await cairn([...args, '--json'], input)).out);

const SECRET = 'a secret of the receiver'.replaceAll(' ', '-');

test('a webhook is put, pinged, looked at, retried and deleted', async () => {
  const put = ['put', 'inbox', '--url', receiver.url, '--event', 'ping', '--event', 'run.failed'];
  const made = await cairn(put);
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toContain(receiver.url);
  expect(made.out).toMatch(/signed with whsec_[\w-]{43} {2}\(shown this once\)/);
  expect(await json(['list'])).toMatchObject({
    items: [{ id: 'inbox', events: ['ping', 'run.failed'], has_secret: false }],
    total: 1,
  });
  receiver.script(answers(500), answers(200));
  const { n } = await json(['ping', 'inbox']);
  await lane.tried('inbox', n, 1);
  expect((await cairn(['deliveries', 'inbox'])).out).toMatch(
    /^1 {2}\S+ {2}ping {2}pending {2}1 try {2}status 500 {2}next \S+\n$/,
  );
  expect((await cairn(['retry', 'inbox', String(n)])).code).toBe(0);
  await lane.tried('inbox', n, 2);
  expect(await json(['deliveries', 'inbox', '--state', 'delivered'])).toMatchObject({
    items: [{ n, attempts: 2, last_status: 200 }],
  });
  expect(await json(['delete', 'inbox'])).toEqual({ id: 'inbox', deleted: true });
  expect((await cairn(['list'])).out).toBe('No webhooks.\n');
});

test('a secret comes from a file or from standard input, never from an argument', async () => {
  const file = join(dir, 'secret');
  writeFileSync(file, `${SECRET}\n`);
  const put = ['put', 'inbox', '--url', receiver.url, '--event', 'ping'];
  const made = await json([...put, '--secret-file', file]);
  expect(made).toMatchObject({ has_secret: true });
  expect(made.signing_secret).toBeUndefined();
  expect(await json([...put, '--secret-file', '-'], `${SECRET}-2`)).toMatchObject({
    has_secret: true,
  });
  expect((await json([...put, '--new-secret'])).signing_secret).toMatch(/^whsec_/);
  const both = await cairn([...put, '--new-secret', '--secret-file', file]);
  expect(both).toMatchObject({ code: 2, err: expect.stringContaining('either') });
  const missing = await cairn([...put, '--secret-file', join(dir, 'none')]);
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('cannot be read') });
});

test('what is wrong is said in one sentence', async () => {
  const unknown = ['put', 'x', '--url', receiver.url, '--event', 'proposal.closed'];
  expect(await cairn(unknown)).toMatchObject({
    code: 2,
    err: expect.stringContaining('proposal.opened'),
  });
  expect((await cairn(['put', 'x', '--url', receiver.url])).code).toBe(2);
  const metadata = ['put', 'x', '--url', 'http://169.254.169.254/', '--event', 'ping'];
  expect(await cairn(metadata)).toMatchObject({
    code: 1,
    err: expect.stringContaining('url_not_allowed'),
  });
  expect(await cairn(['deliveries', 'nowhere'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('404'),
  });
});

test('the client does the same', async () => {
  const { webhooks } = new CairnClient({ url: lane.api.url, key: lane.api.ownerKey });
  const made = await webhooks.put('of/the.client', { url: receiver.url, events: ['run.failed'] });
  expect(made.signing_secret).toMatch(/^whsec_/);
  expect(await webhooks.get('of/the.client')).toEqual({ ...made, signing_secret: undefined });
  expect((await webhooks.list()).items.map(({ id }) => id)).toContain('of/the.client');
  for (const _ of [1, 2, 3]) await webhooks.ping('of/the.client');
  await webhooks.retry('of/the.client', 1);
  const seen: number[] = [];
  for await (const { n } of webhooks.iterateDeliveries('of/the.client', { limit: 2 })) seen.push(n);
  expect(seen).toEqual([3, 2, 1]);
  await webhooks.delete('of/the.client');
  await expect(webhooks.get('of/the.client')).rejects.toMatchObject({ status: 404 });
});
