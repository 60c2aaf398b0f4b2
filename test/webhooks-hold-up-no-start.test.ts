import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import pino from 'pino';
import { OutboxSender } from '../src/api/outbox-sender';
import { workflowStarter } from '../src/api/workflow-starter';
import type { WebhookDelivery } from '../src/contracts/webhook';
import { freePort } from '../src/embedded/free-port';
import { leaseDeliveries } from '../src/store/outbox-deliveries';
import { withDatabase } from './support/admin';
import { createTestDatabase, describeNative, type TestDatabase } from './support/database';
import { Program } from './support/program';
import { createDevServerEnv } from './support/temporal';
import {
  answers,
  hangs,
  startWebhookReceiver,
  until,
  type WebhookReceiver,
} from './support/webhook-receiver';
import { WebhookLane } from './support/webhooks';

jest.setTimeout(240_000);

describe('a receiver that hangs', () => {
  let lane: WebhookLane;
  let env: TestWorkflowEnvironment;
  let dead: WebhookReceiver;
  let healthy: WebhookReceiver;
  let starts: OutboxSender;
  beforeAll(async () => {
    [lane, env, dead, healthy] = await Promise.all([
      WebhookLane.start(),
      createDevServerEnv(),
      startWebhookReceiver(),
      startWebhookReceiver(),
    ]);
    starts = new OutboxSender({
      database: lane.api.database,
      clock: lane.clock.now,
      log: pino({ level: 'silent' }),
      send: workflowStarter(env.client, false),
    });
    await lane.allowPrivate(true);
    dead.script(hangs);
    await lane.put('dead', dead.url, ['run.failed']);
    await lane.put('healthy', healthy.url, ['insight.urgent']);
  });
  afterAll(async () => {
    // First, so that the ones in hand end.
    await dead?.close();
    await starts?.stop();
    await lane?.close();
    await healthy?.close();
    await env?.teardown();
  });

  it('gets four at a time, while starts and the deliveries of others go their way', async () => {
    for (let run = 0; run < 40; run += 1)
      await lane.announce('run.failed', { run_id: `op_${run}` });
    // None of them ends while this test runs.
    lane.send({ deadlineMs: 600_000 });
    await until(async () => dead.received.length >= 4);

    starts.start();
    const event = {
      kind: 'service_call',
      agent: 'herald',
      service: 'mailer',
      operation: 'send_bulk',
      outcome: 'failed',
      occurred_at: '2026-03-02T09:00:00Z',
      error: 'too many recipients',
    };
    const events = Array.from({ length: 30 }, (_one, index) => ({
      ...event,
      event_id: `event-${index}`,
      input: { list: index },
    }));
    const key = await lane.api.keyFor({ kind: 'runtime', id: 'fleet' });
    const taken = await lane.api.call('POST', '/v1/events', { key, body: { events } });
    expect(taken.status).toBe(202);
    starts.poke();
    await until(async () =>
      (await lane.outbox()).every(({ action }) => action !== 'start_capture'),
    );
    const started = env.client.workflow.getHandle('capture/default/event-29');
    expect((await started.describe()).status.name).toBe('RUNNING');

    await lane.announce('insight.urgent', { insight_id: 'ins_1' });
    expect(await lane.tried('healthy', 1, 1)).toMatchObject({ state: 'delivered' });

    expect(dead.received).toHaveLength(4);
    expect((await lane.outbox()).filter(({ webhook_id }) => webhook_id === 'dead')).toHaveLength(
      40,
    );
    const { text } = await lane.api.call('GET', '/metrics', { key: null });
    expect(text).toMatch(/^cairn_outbox_unsent 0$/m);
    expect(text).toMatch(/^cairn_outbox_oldest_seconds 0$/m);
    expect(text).toMatch(/^cairn_outbox\{action="deliver_webhook",state="due"\} 40$/m);
  });

  it('is left after the deadline, and tried again', async () => {
    await dead.close();
    await lane.stopSending();
    const slow = await startWebhookReceiver();
    slow.script(hangs);
    await lane.put('slow', slow.url, ['erasure.completed']);
    await lane.announce('erasure.completed', { erasure_id: 'era_1' });
    lane.send({ deadlineMs: 300 });
    expect(await lane.tried('slow', 1, 1)).toMatchObject({
      state: 'pending',
      last_status: null,
      last_error: 'timeout',
    });
    await slow.close();
  });
});

describe('a sender that ends', () => {
  let lane: WebhookLane;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    [lane, receiver] = await Promise.all([WebhookLane.start(), startWebhookReceiver()]);
    await lane.allowPrivate(true);
  });
  afterAll(async () => {
    await lane.close();
    await receiver.close();
  });

  it('hands back what hangs, for the next to send at once with the same id', async () => {
    receiver.script(hangs, answers(200));
    await lane.put('inbox', receiver.url, ['ping']);
    lane.send();
    const n = await lane.ping('inbox');
    await until(async () => receiver.received.length === 1);
    await lane.stopSending();
    expect(await lane.deliveries('inbox')).toMatchObject([{ state: 'pending', attempts: 0 }]);
    expect(await lane.queued()).toMatchObject([{ leased_until: null }]);
    lane.send();
    expect(await lane.tried('inbox', n, 1)).toMatchObject({ state: 'delivered' });
    const ids = receiver.received.map(({ body }) => JSON.parse(body).id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});

describeNative('two senders', () => {
  it('never hold the same delivery', async () => {
    const lane = await WebhookLane.start();
    await lane.allowPrivate(true);
    for (const id of ['a', 'b', 'c']) await lane.put(id, 'http://127.0.0.1:9/', ['run.failed']);
    for (let run = 0; run < 20; run += 1)
      await lane.announce('run.failed', { run_id: `op_${run}` });
    const lease = { now: lane.clock.now(), leaseMs: 60_000, limit: 7, eachLimit: 4, busy: [] };
    const taken = await Promise.all(
      Array.from({ length: 12 }, () =>
        lane.api.database.acrossWorkspaces((tx) => leaseDeliveries(tx, lease)),
      ),
    );
    const ids = taken.flat().map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(7);
    expect(new Set(ids).size).toBe(ids.length);
    const busy = [{ workspace_id: 'default', webhook_id: 'b' }];
    const later = { ...lease, now: new Date(lease.now.getTime() + 61_000), limit: 100, busy };
    const next = await lane.api.database.acrossWorkspaces((tx) => leaseDeliveries(tx, later));
    expect(next.map(({ webhook_id }) => webhook_id).sort()).toEqual([...'aaaacccc']);
    expect(
      next
        .filter(({ webhook_id }) => webhook_id === 'a')
        .map(({ n }) => n)
        .sort(),
    ).toEqual([1, 2, 3, 4]);
    await lane.close();
  });
});

describeNative('a server that is killed between sending and writing it down', () => {
  const KEY = ['cairn', 'owner', 'key', 'of', 'this', 'test', 'long', 'enough'].join('-');
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  let dataDir: string;
  let url: string;
  const running: Program[] = [];
  let environment: Record<string, string>;

  beforeAll(async () => {
    [database, receiver] = await Promise.all([createTestDatabase(), startWebhookReceiver()]);
    dataDir = mkdtempSync(join(tmpdir(), 'cairn-webhooks-'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    environment = {
      DATABASE_URL: database.url,
      // Nobody is there: deliveries need no Temporal.
      TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`,
      CAIRN_SECRET_KEY: 'a secret key of the tests, of at least 32 characters',
      CAIRN_BOOTSTRAP_KEY: KEY,
      CAIRN_EMBEDDING_MODEL: 'none',
      CAIRN_PORT: String(port),
    };
  });
  afterAll(async () => {
    for (const program of running) {
      if (program.process.exitCode === null) await program.stop('SIGKILL');
    }
    await receiver.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function serve(): Promise<Program> {
    const program = Program.spawn(dataDir, environment, 'server');
    running.push(program);
    await until(async () => {
      if (program.process.exitCode !== null) throw new Error(program.output.join(''));
      return await fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    return program;
  }

  async function call(method: string, path: string, body?: unknown, headers = {}) {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answered = (await answer.json()) as { items: WebhookDelivery[] };
    return { status: answer.status, body: answered };
  }

  it('sends it again with the same id', async () => {
    const first = await serve();
    const policy = { webhooks: { allow_private: true } };
    expect((await call('PUT', '/v1/policy', policy, { 'if-match': '"0"' })).status).toBe(200);
    const hook = { url: receiver.url, events: ['ping'] };
    expect((await call('PUT', '/v1/webhooks/inbox', hook)).status).toBe(201);
    receiver.script((response) => {
      // It has arrived; what is answered finds nobody there.
      void first.stop('SIGKILL').then(() => response.end());
    }, answers(200));
    expect((await call('POST', '/v1/webhooks/inbox/ping')).status).toBe(202);
    expect(await first.exited).toBe('SIGKILL');

    await serve();
    const waiting = await call('GET', '/v1/webhooks/inbox/deliveries');
    expect(waiting.body.items).toMatchObject([{ state: 'pending', attempts: 0 }]);
    // Its lease of a minute, over.
    await withDatabase(
      database.url,
      "UPDATE outbox SET leased_until = now() - interval '1 second'",
    );
    await until(async () => receiver.received.length === 2);
    const ids = receiver.received.map(({ body }) => JSON.parse(body).id);
    expect(new Set(ids).size).toBe(1);
    await until(async () => {
      const { body } = await call('GET', '/v1/webhooks/inbox/deliveries');
      return body.items[0]?.state === 'delivered';
    });
  });
});
