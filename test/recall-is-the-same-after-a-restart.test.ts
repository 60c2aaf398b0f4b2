import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { freePort } from '../src/embedded/free-port';
import { startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';
import { withoutModel } from './support/faults/short';
import { DAY, Filing, HOUR, TestClock } from './support/filing';
import { writeCard } from './support/fleet';
import { Program } from './support/program';
import { createDevServerEnv } from './support/temporal';
import { until } from './support/until';

jest.setTimeout(240_000);

interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body
  body: any;
}

const KEY = `owner_${randomBytes(24).toString('hex')}`;
/** Unlike enough not to be folded into one. */
const CARGOES = [
  'copper ore from a mine',
  'pineapples and bananas',
  'an empty hull for overhaul',
  'passengers on a midsummer cruise',
  'liquefied gas under pressure',
  'schoolchildren who learn to navigate',
  'frozen mackerel for the auction',
  'gravel to mend the breakwater',
  'a circus with two elephants',
];
const dock = { service: 'harbour', operation: 'assign_berth' };

describeNative('a recall', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-same-'));
  // Half a day from where an age in whole days changes.
  const clock = new TestClock(new Date(Date.now() - 20 * DAY - 12 * HOUR).toISOString());
  let api: TestApi;
  let temporal: TestWorkflowEnvironment;
  let server: Program;
  let url: string;
  let environment: Record<string, string>;
  /** A past in which everything below was known, and less than is known now. */
  let then: string;

  beforeAll(async () => {
    [api, temporal] = await Promise.all([startApi({ clock: clock.now }), createDevServerEnv()]);
    const filing = new Filing({ api, clock });
    for (const [at, cargo] of CARGOES.entries()) {
      clock.advance(3 * HOUR);
      await filing.card({
        ...dock,
        input: { cargo, berth: at + 1 },
        ...(at % 3 === 0
          ? { outcome: 'failed', error: `Error: the berth for ${cargo} is closed` }
          : { output: `${cargo}: at berth ${at + 1}` }),
      });
    }
    const asScout = { key: await api.keyFor({ kind: 'agent', id: 'scout' }) };
    const tide = { summary: 'High water at the berth is at noon.', key: 'tide' };
    await writeCard(api, tide, asScout);
    clock.advance(DAY);
    then = clock.text();
    clock.advance(HOUR);
    // What was said since: a newer value of a key, a card that was deleted, one that was corrected.
    await writeCard(api, { ...tide, summary: 'High water at the berth is at one.' }, asScout);
    await filing.card({ ...dock, input: { ship: 'late' }, output: 'late lies at berth 1' });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    environment = {
      ...withoutModel(dir),
      DATABASE_URL: api.testDatabase.url,
      TEMPORAL_ADDRESS: temporal.address,
      CAIRN_SECRET_KEY: api.secretKey,
      CAIRN_BOOTSTRAP_KEY: KEY,
      CAIRN_PORT: String(port),
    };
    await start();
  });
  afterAll(async () => {
    if (server?.process.exitCode === null) await server.stop('SIGKILL');
    await temporal?.teardown();
    await api?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    server = Program.spawn(join(dir, 'data'), environment, 'server');
    const said = { within: 90_000, otherwise: () => server.output.join('').slice(-2_000) };
    await until(
      'a server answers',
      async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok,
      said,
    );
    // Until its embedder is there, a recall goes by words alone, and says so.
    await until('it recalls by vectors', async () => !(await ask({})).body.degraded, said);
  }

  async function restart(): Promise<void> {
    expect(await server.stop()).toBe(0);
    await start();
  }

  async function ask(more: object): Promise<Reply> {
    const answer = await fetch(`${url}/v1/recall`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${KEY}`,
        'content-type': 'application/json',
        'cairn-agent': 'scout',
      },
      body: JSON.stringify({
        query: 'assign a berth of the harbour at high water',
        limit: 12,
        budget_tokens: 4_000,
        explain: true,
        ...more,
      }),
    });
    return { status: answer.status, body: await answer.json() };
  }

  /** All of an answer but what names the call itself. */
  async function repeatable(more: object): Promise<unknown> {
    const { status, body } = await ask(more);
    expect(status).toBe(200);
    expect(body.cards.length).toBeGreaterThan(5);
    const { recall_id: _id, took_ms: _took, ...rest } = body;
    return rest;
  }

  const past = () => repeatable({ as_of: then, known_at: then });

  it('of a past answers the same, once the server was stopped and started again', async () => {
    const before = await past();
    await restart();
    expect(await past()).toEqual(before);
  });

  it('of a past answers the same once the tables were vacuumed and analyzed', async () => {
    const before = await past();
    await api.database.asOwner('VACUUM (ANALYZE)');
    expect(await past()).toEqual(before);
    await api.database.asOwner('VACUUM (FULL, ANALYZE)');
    await api.database.asOwner('REINDEX SCHEMA public');
    expect(await past()).toEqual(before);
  });

  it('of now gives the same context, after a restart and a vacuum too', async () => {
    const context = async () => {
      const { body } = await ask({});
      return { context: body.context, context_version: body.context_version };
    };
    const before = await context();
    expect(before.context).toContain('at one');
    expect(await context()).toEqual(before);
    await api.database.asOwner('VACUUM (ANALYZE)');
    await restart();
    expect(await context()).toEqual(before);
  });

  it('of a past is another than one of now', async () => {
    expect(JSON.stringify(await past())).toContain('at noon');
    expect(JSON.stringify(await past())).not.toContain('at one');
  });
});
