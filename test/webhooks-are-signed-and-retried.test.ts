import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import fc from 'fast-check';
import { createSweepActivities } from '../src/activities/sweep';
import { afterTry, DELIVERY_TRIES, deliveryDelayMs } from '../src/domain/webhook-retry';
import { createNoEmbedder } from '../src/models/no-embedder';
import { auditHolding } from '../src/store/card-holding';
import { announce } from '../src/store/webhooks';
import { describeNative } from './support/database';
import { DAY, HOUR } from './support/filing';
import {
  answers,
  bodyOf,
  expectSigned,
  type Received,
  startWebhookReceiver,
  until,
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

describe('a delivery', () => {
  it('carries ids, its id and the time, and is signed with a secret that is shown once', async () => {
    const made = await lane.put('inbox', receiver.url, ['proposal.opened']);
    expect(made).toMatchObject({
      status: 201,
      body: { id: 'inbox', url: receiver.url, events: ['proposal.opened'], has_secret: false },
    });
    const secret = made.body.signing_secret;
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    await lane.announce('proposal.opened', { proposal_id: 'prop_1', version: 2 });
    const [received] = await receiver.arrived(1);
    const { headers, ...rest } = received as Received;
    expect(JSON.parse(rest.body)).toEqual({
      id: headers['cairn-webhook-id'],
      type: 'proposal.opened',
      at: lane.clock.text(),
      workspace: 'default',
      data: { proposal_id: 'prop_1', version: 2 },
    });
    expect(headers['content-type']).toBe('application/json');
    expect(headers['cairn-webhook-timestamp']).toBe(`${Date.parse(lane.clock.text()) / 1000}`);
    expectSigned(received as Received, secret);
    for (const path of ['/v1/webhooks', '/v1/webhooks/inbox']) {
      const { text } = await lane.api.call('GET', path);
      expect(text).not.toContain('secret":"');
      expect(text).not.toContain(secret);
    }
  });

  it('is verified by the ten lines that the docs give', async () => {
    const page = readFileSync(join(__dirname, '..', 'docs', 'webhooks.md'), 'utf8');
    const [, source = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
    const isFromCairn = new Function('require', 'Date', `${source}; return isFromCairn;`);
    const verify = isFromCairn(require, { now: () => lane.clock.now().getTime() });
    await lane.put('inbox', receiver.url, ['ping'], SECRET);
    await lane.ping('inbox');
    const [{ headers, body }] = (await receiver.arrived(1)) as [Received];
    expect(verify(SECRET, headers, body)).toBe(true);
    expect(verify(`${SECRET}!`, headers, body)).toBe(false);
    expect(verify(SECRET, headers, body.replace('ping', 'pong'))).toBe(false);
    expect(verify(SECRET, {}, body)).toBe(false);
    lane.clock.advance(HOUR);
    expect(verify(SECRET, headers, body)).toBe(false);
  });

  it('goes to who subscribes, under one id, and is counted by each', async () => {
    await lane.put('one', `${receiver.url}/one`, ['run.failed', 'proposal.decided']);
    await lane.put('two', `${receiver.url}/two`, ['run.failed']);
    await lane.put('none', `${receiver.url}/none`, ['insight.urgent']);
    await lane.announce('run.failed', { run_id: 'op_1' });
    await receiver.arrived(2);
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/hook/one', '/hook/two']);
    expect(new Set(receiver.received.map((one) => bodyOf(one).id)).size).toBe(1);
    await lane.announce('proposal.decided', { proposal_id: 'prop_1' });
    await receiver.arrived(3);
    expect((await lane.tried('one', 2, 1)).type).toBe('proposal.decided');
    expect(await lane.deliveries('two')).toMatchObject([{ n: 1, type: 'run.failed' }]);
    expect(await lane.deliveries('none')).toEqual([]);
    const left = lane.api.database.inWorkspace('elsewhere', (tx) =>
      announce(tx, { type: 'run.failed', at: lane.clock.now(), data: {} }),
    );
    await left;
    expect(await lane.deliveries('one')).toHaveLength(2);
  });

  it('of a transaction that is rolled back is none', async () => {
    await lane.put('inbox', receiver.url, ['run.failed']);
    const rolledBack = lane.api.database.inWorkspace('default', async (tx) => {
      await announce(tx, { type: 'run.failed', at: lane.clock.now(), data: { run_id: 'op_0' } });
      throw new Error('changed its mind');
    });
    await expect(rolledBack).rejects.toThrow('changed its mind');
    expect(await lane.queued()).toEqual([]);
    await lane.announce('run.failed', { run_id: 'op_1' });
    await receiver.arrived(1);
    expect(bodyOf(receiver.received[0] as Received).data).toEqual({ run_id: 'op_1' });
    expect(await lane.deliveries('inbox')).toMatchObject([{ n: 1 }]);
  });
});

describe('a card that is held back', () => {
  it('is told of, whether the policy did it or a person', async () => {
    await lane.put('inbox', receiver.url, ['card.quarantined']);
    const scope = { type: 'workspace', id: 'default' };
    const card = await lane.api.call('POST', '/v1/cards', { body: { summary: 'A note.', scope } });
    expect(card.status).toBe(201);
    await lane.api.call('POST', `/v1/cards/${card.body.id}/quarantine`, { body: {} });
    await lane.api.database.inWorkspace('default', (tx) =>
      auditHolding(tx, {
        id: 'card_2',
        versions: [1],
        at: lane.clock.now(),
        channel: 'workflow',
        workflowId: null,
      }),
    );
    lane.poke();
    const told = (await receiver.arrived(2)).map((one) => bodyOf(one));
    expect(told.map(({ type, data }) => [type, data.card_id]).sort()).toEqual(
      [card.body.id, 'card_2'].map((id) => ['card.quarantined', id]).sort(),
    );
  });
});

describe('the log', () => {
  it('forgets what is older than 30 days at a sweep, and keeps the rest', async () => {
    await lane.put('inbox', receiver.url, ['ping']);
    const old = await lane.ping('inbox');
    await lane.tried('inbox', old, 1);
    lane.clock.advance(29 * DAY);
    const { sweepWorkspaces } = createSweepActivities({
      database: lane.api.database,
      clock: lane.clock.now,
      embedder: createNoEmbedder(),
      hasModel: false,
    });
    const sweep = () => new MockActivityEnvironment().run(() => sweepWorkspaces({ after: '' }));
    await sweep();
    const n = await lane.ping('inbox');
    await lane.tried('inbox', n, 1);
    expect(await lane.deliveries('inbox')).toHaveLength(2);
    lane.clock.advance(2 * DAY);
    expect(await sweep()).toMatchObject({ failed: 0, forgotten: expect.any(Number) });
    expect(await lane.deliveries('inbox')).toMatchObject([{ n }]);
  });
});

describeNative('deliveries that are announced at the same moment', () => {
  it('have each their number', async () => {
    await lane.put('inbox', receiver.url, ['run.failed']);
    const runs = Array.from({ length: 25 }, (_one, index) => `op_${index}`);
    await Promise.all(runs.map((run) => lane.announce('run.failed', { run_id: run })));
    await receiver.arrived(25);
    await until(async () => (await lane.queued()).length === 0);
    const deliveries = await lane.deliveries('inbox');
    expect(deliveries.map(({ n }) => n)).toEqual(Array.from({ length: 25 }, (_, at) => 25 - at));
    expect(receiver.received.map((one) => bodyOf(one).data.run_id).sort()).toEqual(runs.sort());
  });
});

describe('a receiver', () => {
  it('that fails twice is tried again with the same id until it takes it', async () => {
    receiver.script(answers(500), answers(503), answers(200));
    await lane.put('inbox', receiver.url, ['ping']);
    const n = await lane.ping('inbox');
    const first = await lane.tried('inbox', n, 1);
    expect(first).toMatchObject({ state: 'pending', last_status: 500, last_error: 'status' });
    lane.wait(first);
    const second = await lane.tried('inbox', n, 2);
    expect(second).toMatchObject({ state: 'pending', last_status: 503 });
    lane.wait(second);
    expect(await lane.tried('inbox', n, 3)).toMatchObject({
      state: 'delivered',
      attempts: 3,
      last_status: 200,
      last_error: null,
      delivered_at: lane.clock.text(),
      next_at: null,
    });
    expect(new Set(receiver.received.map((one) => bodyOf(one).id)).size).toBe(1);
    expect(receiver.received).toHaveLength(3);
    expect(await lane.queued()).toEqual([]);
  });

  it('that never takes it is given up after its tries, and a person may try again', async () => {
    receiver.script(answers(500));
    await lane.put('inbox', receiver.url, ['ping']);
    const n = await lane.ping('inbox');
    for (let attempt = 1; attempt < DELIVERY_TRIES; attempt += 1) {
      lane.wait(await lane.tried('inbox', n, attempt));
    }
    expect(await lane.tried('inbox', n, DELIVERY_TRIES)).toMatchObject({
      state: 'failed',
      attempts: DELIVERY_TRIES,
      next_at: null,
    });
    expect(await lane.queued()).toEqual([]);
    const again = () => lane.api.call('POST', `/v1/webhooks/inbox/deliveries/${n}/retry`);
    expect(await again()).toMatchObject({ status: 202, body: { state: 'pending' } });
    lane.poke();
    // With all its tries again.
    expect(await lane.tried('inbox', n, DELIVERY_TRIES + 1)).toMatchObject({ state: 'pending' });
    receiver.script(answers(200));
    await again();
    lane.poke();
    expect(await lane.tried('inbox', n, DELIVERY_TRIES + 2)).toMatchObject({ state: 'delivered' });
    // What was taken can be had once more, by who lost it.
    await again();
    lane.poke();
    await lane.tried('inbox', n, DELIVERY_TRIES + 3);
    expect(new Set(receiver.received.map((one) => bodyOf(one).id)).size).toBe(1);
    const nowhere = await lane.api.call('POST', '/v1/webhooks/inbox/deliveries/99/retry');
    expect(nowhere.status).toBe(404);
  });

  it('that says 410 is not asked again', async () => {
    receiver.script(answers(410), answers(200));
    await lane.put('inbox', receiver.url, ['ping']);
    const gone = await lane.ping('inbox');
    expect(await lane.tried('inbox', gone, 1)).toMatchObject({
      state: 'failed',
      last_status: 410,
      last_error: 'gone',
    });
    const next = await lane.ping('inbox');
    expect(await lane.tried('inbox', next, 1)).toMatchObject({ state: 'delivered' });
  });

  it('that points elsewhere is not followed', async () => {
    receiver.script(answers(307, { location: `${receiver.url}/elsewhere` }));
    await lane.put('inbox', receiver.url, ['ping']);
    const n = await lane.ping('inbox');
    expect(await lane.tried('inbox', n, 1)).toMatchObject({
      state: 'pending',
      last_status: 307,
      last_error: 'redirected',
    });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
  });

  it.each([
    ['closes the connection', 'unreachable'],
    ['speaks no HTTP', 'bad_answer'],
    ['changes the protocol', 'unreachable'],
  ])('that %s is tried again', async (what, code) => {
    receiver.script((response) => {
      const { socket } = response;
      if (what === 'speaks no HTTP') socket?.end('220 mail.example.com ESMTP\r\n\r\n');
      else if (what === 'changes the protocol')
        socket?.write('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
      else socket?.destroy();
    });
    await lane.put('inbox', receiver.url, ['ping']);
    const n = await lane.ping('inbox');
    expect(await lane.tried('inbox', n, 1)).toMatchObject({
      state: 'pending',
      last_status: null,
      last_error: code,
    });
  });

  it('is done with once it has said so, however much it goes on to say', async () => {
    receiver.script((response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', more);
      more();
    });
    await lane.put('inbox', receiver.url, ['ping']);
    const n = await lane.ping('inbox');
    expect(await lane.tried('inbox', n, 1)).toMatchObject({ state: 'delivered', last_status: 200 });
  });
});

describe('the pause before the next try', () => {
  it('grows, stays within its bounds, and all of them last about a day', () => {
    const dice = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: DELIVERY_TRIES }), dice, (tries, thrown) => {
        const delay = deliveryDelayMs(tries, thrown);
        expect(delay).toBeGreaterThanOrEqual(4_000);
        expect(delay).toBeLessThanOrEqual(7.2 * HOUR);
        expect(deliveryDelayMs(tries + 1, thrown)).toBeGreaterThanOrEqual(delay);
      }),
    );
    const pauses = Array.from({ length: DELIVERY_TRIES - 1 }, (_, at) => at + 1);
    const sum = pauses.reduce((total, tries) => total + deliveryDelayMs(tries, 0.5), 0);
    expect(sum / HOUR).toBeCloseTo(22.6, 1);
    expect(afterTry({ status: 500, error: 'status' }, DELIVERY_TRIES, 0)).toEqual({
      state: 'failed',
      delayMs: null,
    });
  });
});
