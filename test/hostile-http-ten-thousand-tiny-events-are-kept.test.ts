import { startApi, type TestApi } from './support/api';
import { good } from './support/hostile-events';

jest.setTimeout(120_000);

const BATCHES = 20;
const BATCH = 500;

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

const batch = (at: number) => ({
  events: Array.from({ length: BATCH }, (_, item) => ({
    ...good(`tiny-${at}-${item}`),
    ...(item === 250 ? { outcome: 'perhaps' } : {}),
  })),
});
const send = (at: number) => api.call('POST', '/v1/events', { body: batch(at) });
const count = async (statement: string) => {
  const [row] = await api.database.inWorkspace('default', (tx) =>
    tx.query<{ count: number }>(statement),
  );
  return row?.count;
};

/** Each becomes a card in the long lane; here each has what its capture is started from. */
it('ten thousand tiny events, four batches at a time, are taken but for the bad ones', async () => {
  const answers: Awaited<ReturnType<typeof send>>[] = [];
  const numbers = Array.from({ length: BATCHES }, (_, at) => at);
  await Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (const at of numbers.filter((one) => one % 4 === lane)) answers.push(await send(at));
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 202));
  const items = answers.flatMap(({ body }) => body.items as { status: string; reason?: unknown }[]);
  const refused = items.filter(({ status }) => status === 'refused');
  expect(refused).toHaveLength(BATCHES);
  for (const { reason } of refused) expect(reason).toMatchObject({ pointer: '/outcome' });
  expect(items.filter(({ status }) => status === 'accepted')).toHaveLength(BATCHES * (BATCH - 1));

  const kept = BATCHES * (BATCH - 1);
  expect(await count('SELECT count(*)::int FROM events')).toBe(kept);
  expect(await count(`SELECT count(*)::int FROM outbox WHERE action = 'start_capture'`)).toBe(kept);
  expect(await count('SELECT count(DISTINCT operation_id)::int AS count FROM captures')).toBe(kept);
});

it('sent once more they change nothing, and the service takes the next one', async () => {
  const again = await send(3);
  expect(new Set(again.body.items.map((item: { status: string }) => item.status))).toEqual(
    new Set(['duplicate', 'refused']),
  );
  expect((await api.call('POST', '/v1/events', { body: good('next') })).body.items).toMatchObject([
    { status: 'accepted' },
  ]);
  expect(await count('SELECT count(*)::int FROM events')).toBe(BATCHES * (BATCH - 1) + 1);
});
