import { ImportCounts, type LineProblem } from '../src/cli/import/counts';
import { importLines } from '../src/cli/import/run';
import { BATCH } from '../src/cli/import/sender';
import { CairnClient } from '../src/client/index';
import { startApi, type TestApi } from './support/api';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

function line(id: string, more: object = {}): string {
  return JSON.stringify({
    event_id: id,
    kind: 'service_call',
    agent: 'herald',
    service: 'mailer',
    operation: 'send_bulk',
    outcome: 'worked',
    occurred_at: '2026-03-02T09:00:00Z',
    input: { campaign: id },
    ...more,
  });
}

function lines(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_one, index) => line(`${prefix}-${index}`));
}

/** A client before which the server can be made to go away. */
function clientThrough(answerFor: (nth: number) => Response | null): CairnClient {
  let sent = 0;
  return new CairnClient({
    url: api.url,
    key: api.ownerKey,
    retries: 0,
    fetch: async (url, init) => answerFor(++sent) ?? (await fetch(url, init)),
  });
}

async function imported(
  text: string | AsyncIterable<Uint8Array>,
  client = clientThrough(() => null),
) {
  const counts = new ImportCounts();
  const problems: LineProblem[] = [];
  const notes: string[] = [];
  const chunks = typeof text === 'string' ? chunked(text) : text;
  const failure = await importLines({
    client,
    chunks,
    omit: new Set(),
    wait: false,
    problem: (problem) => problems.push(problem),
    note: (note) => notes.push(note),
    counts,
  }).then(
    () => null,
    (error: unknown) => error as Error,
  );
  return { counts, problems, notes, failure };
}

async function* chunked(text: string) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

async function taken(prefix: string): Promise<number> {
  let count = 0;
  for await (const { event_id } of clientThrough(() => null).events.iterate({ limit: 500 })) {
    if (event_id.startsWith(prefix)) count += 1;
  }
  return count;
}

test('a second import of the same file changes nothing and says so', async () => {
  const text = lines('twice', BATCH + 20).join('\n');
  expect((await imported(text)).counts).toMatchObject({ accepted: BATCH + 20, duplicates: 0 });
  expect((await imported(text)).counts).toMatchObject({ accepted: 0, duplicates: BATCH + 20 });
  expect(await taken('twice')).toBe(BATCH + 20);
});

test('an import that broke off goes on by being repeated', async () => {
  const all = lines('broken', 3 * BATCH);
  async function* breaking() {
    yield Buffer.from(`${all.slice(0, 2 * BATCH).join('\n')}\n`);
    throw new Error('the disk is gone');
  }
  const first = await imported(breaking());
  expect(first.failure?.message).toBe('the disk is gone');
  const second = await imported(all.join('\n'));
  expect(second.failure).toBeNull();
  expect(second.counts.accepted + second.counts.duplicates).toBe(3 * BATCH);
  expect(second.counts.duplicates).toBeGreaterThan(0);
  expect(await taken('broken')).toBe(3 * BATCH);
});

test('while the server is away it waits, says so once, and loses nothing', async () => {
  const away = () =>
    new Response(JSON.stringify({ code: 'unavailable', detail: 'come back' }), { status: 503 });
  const client = clientThrough((nth) => (nth === 2 || nth === 3 ? away() : null));
  const { counts, notes, failure } = await imported(lines('away', 3 * BATCH).join('\n'), client);
  expect(failure).toBeNull();
  expect(counts.accepted).toBe(3 * BATCH);
  expect(notes).toEqual(['Waiting: come back.', 'Going on.']);
  expect(await taken('away')).toBe(3 * BATCH);
});

test('a key that is refused stops it at once', async () => {
  const client = new CairnClient({ url: api.url, key: 'wrong' });
  const { failure, counts } = await imported(lines('nokey', 3).join('\n'), client);
  expect(failure).toMatchObject({ status: 401 });
  expect(counts.accepted).toBe(0);
});

test('bad lines are told with their number and reason, and the rest goes on', async () => {
  const text = [
    line('good-1'),
    '{"event_id": "good-2", ',
    '',
    '[]',
    line('bad-time', { occurred_at: '2026-03-02 09:00' }),
    line('good-1', { outcome: 'failed' }),
    '{"event_id":"poisoned","__proto__":{"admin":true}}',
    line('good-3', { source: 'elsewhere' }),
  ].join('\n');
  const { counts, problems, failure } = await imported(text);
  expect(failure).toBeNull();
  const byLine = [...problems].sort((a, b) => a.line - b.line);
  expect(byLine.map(({ line: number, code }) => [number, code])).toEqual([
    [2, 'not_json'],
    [4, 'not_an_event'],
    [5, 'invalid'],
    [6, 'event_id_conflict'],
    [7, 'invalid'],
  ]);
  expect(byLine[2]).toMatchObject({
    event_id: 'bad-time',
    reason: expect.stringContaining('/occurred_at'),
  });
  expect(counts).toMatchObject({ lines: 7, accepted: 2, refused: 5 });
  const kept = await clientThrough(() => null).events.get('good-3');
  expect(kept.event).toMatchObject({ metadata: { source: 'elsewhere' } });
});
