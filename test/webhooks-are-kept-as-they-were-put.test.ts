import { Client } from 'pg';
import { DELIVERY_ERRORS, WEBHOOK_EVENTS } from '../src/contracts/webhook';
import { slackWebhook } from './support/secret-strings';
import {
  answers,
  bodyOf,
  expectSigned,
  type Received,
  startWebhookReceiver,
  type WebhookReceiver,
} from './support/webhook-receiver';
import { WebhookLane } from './support/webhooks';

jest.setTimeout(120_000);

let lane: WebhookLane;
let receiver: WebhookReceiver;
beforeAll(async () => {
  [lane, receiver] = await Promise.all([WebhookLane.start(), startWebhookReceiver()]);
  await lane.allowPrivate(true);
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.script(answers(204));
  lane.send();
});
afterEach(async () => {
  for (const { id } of (await lane.api.call('GET', '/v1/webhooks')).body.items) {
    await lane.api.call('DELETE', `/v1/webhooks/${id}`);
  }
});
afterAll(async () => {
  await lane.close();
  await receiver.close();
});

const SECRET = 'a secret of the receiver'.replaceAll(' ', '-');

describe('a secret', () => {
  it('stays where it is left out, and is made anew for null', async () => {
    const own = await lane.put('inbox', receiver.url, ['ping'], SECRET);
    expect(own.body).toMatchObject({ has_secret: true });
    expect(own.body.signing_secret).toBeUndefined();
    await lane.put('inbox', `${receiver.url}/moved`, ['ping', 'run.failed']);
    await lane.ping('inbox');
    expectSigned((await receiver.arrived(1))[0] as Received, SECRET);

    const made = await lane.put('inbox', receiver.url, ['ping'], null);
    expect(made).toMatchObject({ status: 200, body: { has_secret: false } });
    await lane.ping('inbox');
    expectSigned((await receiver.arrived(2))[1] as Received, made.body.signing_secret);
    const again = await lane.put('inbox', receiver.url, ['ping'], null);
    expect(again.body.signing_secret).not.toBe(made.body.signing_secret);
    const other = await lane.put('other', receiver.url, ['ping']);
    expect(other.body.signing_secret).not.toBe(again.body.signing_secret);
  });

  it('is told once for an Idempotency-Key', async () => {
    const put = () =>
      lane.api.call('PUT', '/v1/webhooks/inbox', {
        body: { url: receiver.url, events: ['ping'] },
        headers: { 'idempotency-key': 'k' },
      });
    const [first, second] = [await put(), await put()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.signing_secret).toMatch(/^whsec_/);
    expect(second.body).toEqual({ ...first.body, signing_secret: undefined });
  });

  it('stands in no table, nor does the address; the audit names fields and a hash', async () => {
    const token = slackWebhook();
    const url = `http://127.0.0.1:${receiver.port}/${token}`;
    await lane.put('inbox', url, ['ping'], SECRET);
    await lane.put('inbox', url, ['ping', 'run.failed']);
    await lane.put('inbox', url, ['run.failed', 'ping']);
    await lane.ping('inbox');
    await receiver.arrived(1);
    expect(receiver.received[0]?.path).toBe(`/${token}`);
    await lane.api.call('DELETE', '/v1/webhooks/inbox');
    const { body } = await lane.api.call(
      'GET',
      '/v1/audit?target_type=webhook&target=inbox&limit=4',
    );
    expect(body.items).toMatchObject([
      { action: 'webhook.deleted' },
      { action: 'webhook.pinged' },
      { action: 'webhook.put', changed: ['events'], actor: { kind: 'person', id: 'owner' } },
      { action: 'webhook.put', changed: ['url', 'events', 'secret'] },
    ]);
    expect(body.items[2].hashes.url).toMatch(/^[0-9a-f]{64}$/);
    expect(body.items[2].hashes).toEqual(body.items[3].hashes);

    await lane.put('inbox', url, ['ping'], SECRET);
    const dump = await everyRow();
    expect(dump).toContain('webhook.put');
    for (const planted of [token, SECRET]) {
      expect(dump).not.toContain(planted);
      expect(dump).not.toContain(Buffer.from(planted).toString('hex'));
    }
    const auditor = await lane.api.keyOf('auditor');
    const seen = await lane.api.call('GET', '/v1/webhooks/inbox', { key: auditor });
    expect(seen).toMatchObject({ status: 200, body: { id: 'inbox', has_secret: true } });
    expect(seen.text).not.toContain(token);
    expect((await lane.api.call('GET', '/v1/webhooks/inbox')).body.url).toBe(url);
  });
});

/** Every row of every table, as text. */
async function everyRow(): Promise<string> {
  const client = new Client({ connectionString: lane.api.testDatabase.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(
        `SELECT t::text AS text FROM "${name}" t`,
      );
      texts.push(...rows.map(({ text }) => text));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}

describe('what is put', () => {
  it.each([
    [{ events: ['proposal.closed'] }, '/events/0'],
    [{ events: [] }, '/events'],
    [{ events: ['ping', 'ping'] }, '/events'],
    [{ secret: 'short' }, '/secret'],
    [{ secret: 'with a space in the middle' }, '/secret'],
    [{ colour: 'red' }, '/colour'],
    [{ url: 7 }, '/url'],
  ])('is refused where it is %j', async (change, pointer) => {
    const body = { url: receiver.url, events: ['ping'], ...change };
    const answer = await lane.api.call('PUT', '/v1/webhooks/inbox', { body });
    expect(answer).toMatchObject({ status: 400, body: { pointer } });
    expect((await lane.api.call('GET', '/v1/webhooks')).body.total).toBe(0);
  });

  it('may be any event there is, and each is told; the table takes every code', async () => {
    await lane.put('inbox', receiver.url, [...WEBHOOK_EVENTS]);
    for (const type of WEBHOOK_EVENTS) await lane.announce(type, {});
    const told = await receiver.arrived(WEBHOOK_EVENTS.length);
    expect(told.map((one) => bodyOf(one).type).sort()).toEqual([...WEBHOOK_EVENTS].sort());
    await lane.api.database.inWorkspace('default', async (tx) => {
      for (const code of DELIVERY_ERRORS) {
        await tx.query('UPDATE deliveries SET last_error = $1', [code]);
      }
    });
  });

  it('is listed by id, and gone with its log and what waited once it is deleted', async () => {
    await lane.stopSending();
    for (const id of ['b', 'a', 'c']) await lane.put(id, receiver.url, ['run.failed']);
    const { body } = await lane.api.call('GET', '/v1/webhooks?limit=2');
    expect(body).toMatchObject({ items: [{ id: 'a' }, { id: 'b' }], total: 3 });
    const rest = await lane.api.call('GET', `/v1/webhooks?cursor=${body.next_cursor}`);
    expect(rest.body.items).toMatchObject([{ id: 'c' }]);
    await lane.announce('run.failed', { run_id: 'op_1' });
    expect(await lane.queued()).toHaveLength(3);
    expect((await lane.api.call('DELETE', '/v1/webhooks/b')).status).toBe(204);
    expect((await lane.queued()).map((one) => one.webhook_id).sort()).toEqual(['a', 'c']);
    for (const path of ['', '/deliveries']) {
      expect((await lane.api.call('GET', `/v1/webhooks/b${path}`)).status).toBe(404);
    }
    expect((await lane.api.call('DELETE', '/v1/webhooks/b')).status).toBe(404);
    expect((await lane.api.call('POST', '/v1/webhooks/b/ping')).status).toBe(404);
  });

  it('keeps a log that is read a page at a time, by state', async () => {
    receiver.script(answers(204), answers(410), answers(204));
    await lane.put('inbox', receiver.url, ['ping']);
    for (const n of [1, 2, 3]) await lane.tried('inbox', (await lane.ping('inbox')) && n, 1);
    const page = async (query: string) =>
      (await lane.api.call('GET', `/v1/webhooks/inbox/deliveries?${query}`)).body;
    const first = await page('limit=2');
    expect(first).toMatchObject({ items: [{ n: 3 }, { n: 2 }], total: 3 });
    const second = await page(`limit=2&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ items: [{ n: 1 }], next_cursor: null });
    expect(await page('state=failed')).toMatchObject({ items: [{ n: 2 }], total: 1 });
  });
});
