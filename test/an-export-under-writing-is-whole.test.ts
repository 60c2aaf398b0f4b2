import { startApi, type TestApi } from './support/api';
import { createTestDatabase, type TestDatabase } from './support/database';
import { Filing, LANE_START, TestClock } from './support/filing';
import { exportedLines, imported, typeOf } from './support/transfers';

jest.setTimeout(300_000);

/** As on the embedded database: one session, which an export holds for a page at a time, and others write in between. */
const SECRET = 'the secret key of two databases of one installation';
const clock = new TestClock(LANE_START);
const options = { clock: clock.now, secretKey: SECRET };
let shared: TestDatabase;
let source: TestApi;
let writer: TestApi;
let target: TestApi;

beforeAll(async () => {
  shared = await createTestDatabase();
  const { url } = shared;
  const drop = async () => undefined;
  [writer, target] = await Promise.all([
    startApi({ ...options, testDatabase: { url, kind: shared.kind, drop } }),
    startApi(options),
  ]);
  source = await startApi({ ...options, testDatabase: { url, kind: 'pglite', drop } });
});
afterAll(async () => {
  await Promise.all([source?.close(), writer?.close(), target?.close()]);
  await shared?.drop();
});

it('has no row that refers to what was written behind its page', async () => {
  const filing = new Filing({ api: writer, clock });
  let n = 0;
  const cards: string[] = [];
  /** An agent of its own, a failure and the same call that worked, which is linked; and a card that is corrected. */
  const write = async (): Promise<void> => {
    n += 1;
    clock.advance(1_000);
    // Some sort before the page that is in hand, some behind it.
    const id = `${n % 2 === 0 ? 'a' : 'z'}-${n}`;
    const call = {
      agent: `agent-${id}`,
      service: 'crane',
      operation: 'lift',
      subject: `guest-${id}`,
    };
    cards.push(
      await filing.card({
        ...{ event_id: `${id}-1`, ...call, outcome: 'failed', input: { load: n } },
        error: `402 ${n} is too heavy`,
      }),
    );
    clock.advance(1_000);
    cards.push(await filing.card({ event_id: `${id}-2`, ...call, input: { load: n + 1 } }));
    const [first] = cards;
    const { status } = await writer.call('PATCH', `/v1/cards/${first}`, {
      headers: { 'if-match': `"${n}"` },
      body: { summary: `The crane lifts ${n} at most, says its sign.` },
    });
    expect(status).toBe(200);
  };
  for (let k = 0; k < 5; k += 1) await write();

  const { database } = source;
  const real = database.inWorkspace.bind(database);
  let reads = 0;
  let isWriting = false;
  database.inWorkspace = (async (...args: Parameters<typeof real>) => {
    const result = await real(...args);
    reads += 1;
    if (reads % 6 === 0 && !isWriting) {
      isWriting = true;
      await write();
      isWriting = false;
    }
    return result;
  }) as typeof database.inWorkspace;
  const lines = await exportedLines(source);
  database.inWorkspace = real as typeof database.inWorkspace;

  expect(n).toBeGreaterThan(10);
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ consistency: 'pages' });
  // Those that were there before the first page are all in it.
  const ids = lines
    .filter((line) => typeOf(line) === 'card')
    .map((line) => JSON.parse(line).row.id);
  expect(ids).toEqual(expect.arrayContaining(cards.slice(0, 10)));
  const { result } = await imported(target, lines);
  expect(result).toMatchObject({
    status: 'completed',
    skipped: 0,
    problems: [],
  });
  const [first = ''] = cards;
  const history = await target.call('GET', `/v1/cards/${first}/history`);
  const card = await target.call('GET', `/v1/cards/${first}`);
  const versions = history.body.items.map(({ version }: { version: number }) => version);
  expect(Math.max(...versions)).toBe(card.body.version);
});
