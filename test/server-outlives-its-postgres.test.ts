import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../src/embedded/free-port';
import { withDatabase } from './support/admin';
import { describeNative } from './support/database';
import { startPostgres } from './support/postgres';
import { Program } from './support/program';
import { readRunRecord } from './support/run-record';

jest.setTimeout(180_000);

const KEY = ['cairn', 'owner key of this test, long enough'].join('_').replace(/ /g, '-');
const { postgresBinDir } = readRunRecord();

// Skipped where the run was given a server of somebody else's, which is not ours to stop; the name says so.
const suite = postgresBinDir === null ? describe.skip : describeNative;

suite('a server whose Postgres goes away and comes back [needs its own Postgres]', () => {
  const root = mkdtempSync(join(tmpdir(), 'cairn-outage-'));
  // Postgres runs as another account where we are root, and has to get in.
  chmodSync(root, 0o755);
  let server: Program | undefined;
  let stop: (() => Promise<void>) | undefined;

  afterAll(async () => {
    await server?.stop('SIGKILL');
    await stop?.();
    rmSync(root, { recursive: true, force: true });
  });

  test('answers 503 with Retry-After meanwhile, takes nothing it cannot keep, and goes on', async () => {
    const [databasePort, port] = [await freePort(), await freePort()];
    const start = async () => {
      const running = await startPostgres({
        binDir: postgresBinDir as string,
        dir: join(root, 'postgres'),
        port: databasePort,
        durable: true,
      });
      stop = () => running.stop();
      return running;
    };
    const first = await start();
    await withDatabase(first.url('postgres'), 'CREATE DATABASE cairn');
    server = Program.spawn(
      join(root, 'data'),
      {
        DATABASE_URL: first.url('cairn'),
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        CAIRN_SECRET_KEY: 'a secret key of the tests, of at least 32 characters',
        CAIRN_BOOTSTRAP_KEY: KEY,
        CAIRN_PORT: String(port),
      },
      'server',
    );
    const call = (path: string, body: unknown) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${KEY}`,
          'content-type': 'application/json',
          'cairn-agent': 'scout',
        },
        body: JSON.stringify(body),
      });
    const report = (id: string) =>
      call('/v1/events', {
        event_id: id,
        kind: 'service_call',
        agent: 'scout',
        outcome: 'worked',
        occurred_at: '2026-06-01T09:00:00Z',
      });
    const until = async (status: number, ask: () => Promise<Response>): Promise<Response> => {
      for (let tries = 0; ; tries += 1) {
        const answer = await ask().catch(() => null);
        if (answer?.status === status) return answer;
        if (tries > 300) throw new Error(`never ${status}: ${server?.output.join('')}`);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    };
    await until(202, () => report('before'));

    // Requests are in hand while it goes: their connections break under them.
    const inHand = Array.from({ length: 20 }, () => call('/v1/recall', { query: 'send' }));
    process.kill(first.pid, 'SIGQUIT');
    await Promise.allSettled(inHand);
    const away = await until(503, () => report('during'));
    expect(away.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(away.headers.get('content-type')).toContain('application/problem+json');
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);

    await first.stop().catch(() => undefined);
    await start();
    await until(202, () => report('after'));
    const again = await report('before');
    expect(await again.json()).toMatchObject({ items: [{ status: 'duplicate' }] });
  });
});
