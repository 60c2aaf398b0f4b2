import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from './support/program';

jest.setTimeout(300_000);

let dataDir: string;
const started: Program[] = [];

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-start-'));
});

afterAll(async () => {
  for (const program of started) {
    if (program.process.exitCode === null && program.process.signalCode === null) {
      await program.stop('SIGKILL');
    }
  }
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<Program> {
  const program = await Program.start(dataDir);
  started.push(program);
  return program;
}

function event(id: string, minute: number) {
  return {
    event_id: id,
    kind: 'service_call',
    agent: 'scout',
    service: 'mailer',
    operation: 'send',
    outcome: 'worked',
    occurred_at: `2026-06-01T09:${String(minute).padStart(2, '0')}:00Z`,
    input: { list: id },
  };
}

async function dispositions(program: Program): Promise<Record<string, string>> {
  const { status, body } = await program.call('GET', '/v1/events?limit=500');
  // Busy with what it lost time on, the database may ask us to come back.
  if (status === 503) return { busy: 'pending' };
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  const items = body.items as { event_id: string; disposition: string }[];
  return Object.fromEntries(items.map((item) => [item.event_id, item.disposition]));
}

test('a first start makes its keys, says where it is, and shows the owner key once', async () => {
  const first = await start();
  expect(first.output.join('')).toContain(first.ownerKey);
  for (const file of ['owner.key', 'secret.key', 'runtime.json']) {
    expect([file, statSync(join(dataDir, file)).mode & 0o777]).toEqual([file, 0o600]);
  }
  expect(first.runtime).toEqual({
    pid: first.process.pid,
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    temporal_address: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    temporal_namespace: 'default',
    temporal_ui: expect.stringMatching(/^http:/),
    database_url: expect.stringMatching(/^postgres/),
  });
  const answer = await first.call('POST', '/v1/events?wait_ms=30000', event('before', 0));
  expect(answer.body.items).toMatchObject([{ status: 'accepted', disposition: 'carded' }]);
});

test('a second start on the same data is refused with a sentence that names the first', async () => {
  const [first] = started;
  const second = Program.spawn(dataDir);
  expect(await second.exited).toBe(1);
  const said = second.output.join('');
  expect(said).toContain('already runs');
  expect(said).toContain(String(first?.process.pid));
  expect(said).not.toContain('    at ');
});

test('SIGTERM drains and exits 0, and leaves nothing that runs', async () => {
  const [first] = started as [Program];
  const { runtime } = first;
  expect(await first.stop('SIGTERM')).toBe(0);
  expect(existsSync(join(dataDir, 'runtime.json'))).toBe(false);
  await expect(fetch(`${runtime.url}/healthz`)).rejects.toThrow();
});

test('what was remembered is there after a restart, under the same key, which is not shown again', async () => {
  const again = await start();
  expect(again.output.join('')).not.toContain(again.ownerKey);
  expect(await dispositions(again)).toEqual({ before: 'carded' });
});

test('after SIGKILL with work in hand every acknowledged event becomes its one card', async () => {
  const running = started.at(-1) as Program;
  const events = Array.from({ length: 40 }, (_, minute) => event(`batch-${minute}`, minute + 1));
  const answer = await running.call('POST', '/v1/events', { events });
  const acknowledged = (answer.body.items as { event_id: string; status: string }[])
    .filter((item) => item.status === 'accepted')
    .map((item) => item.event_id);
  expect(acknowledged).toHaveLength(40);
  await running.stop('SIGKILL');

  const after = await start();
  const until = Date.now() + 120_000;
  let settled = await dispositions(after);
  while (Object.values(settled).includes('pending') && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    settled = await dispositions(after);
  }
  expect(acknowledged.map((id) => settled[id])).toEqual(acknowledged.map(() => 'carded'));
  const cards = await after.call('GET', '/v1/cards?agent=scout&limit=500');
  expect(cards.body.total).toBe(41);
});
