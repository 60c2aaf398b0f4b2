import type { importFile } from '../src/workflows/import-file';
import { startApi, type TestApi } from './support/api';
import { CaptureLane } from './support/capture-lane';
import { describeNative } from './support/database';
import { KilledWorkers } from './support/killed-workers';
import { sendOnly } from './support/outbox';
import { exportedLines, plantCards, rowsIn, sendImport, typeOf } from './support/transfers';

jest.setTimeout(600_000);

/** As `KilledWorkers` has it: the same installation. */
const SECRET = 'a secret key of the tests, of at least 32 characters';
const CARDS = 700;

describeNative('a worker that is killed in the middle of an import', () => {
  let lane: CaptureLane;
  let workers: KilledWorkers;
  let api: TestApi;
  let other: TestApi;
  beforeAll(async () => {
    lane = await CaptureLane.start('dev');
    const { databaseUrl: url } = lane;
    const clock = () => new Date('2026-03-02T08:00:00Z');
    api = await startApi({ secretKey: SECRET, clock });
    const testDatabase = { url, kind: 'native', drop: async () => undefined } as const;
    other = await startApi({ secretKey: SECRET, testDatabase, clock });
    workers = await KilledWorkers.on(lane);
  });
  afterAll(async () => {
    workers?.stop();
    await api?.close();
    await other?.close();
    await lane?.stop();
  });

  const count = async (what: string): Promise<number> => {
    const [row] = await lane.rows<{ n: number }>(
      'default',
      `SELECT count(*)::int AS n FROM ${what}`,
    );
    return row?.n ?? -1;
  };

  test('leaves whole transactions or nothing, and everything comes in once', async () => {
    await plantCards(api.database, 'default', CARDS, 'for the other side');
    const lines = await exportedLines(api);
    const taken = await sendImport(other, lines);
    expect(taken.status).toBe(202);
    const handles = await sendOnly<typeof importFile>(
      'start_import',
      lane.database,
      lane.env.client,
    );
    const [handle] = [...handles.values()];
    if (handle === undefined) throw new Error('nothing was started');
    const held = await count('import_lines');
    expect(held).toBe(lines.length - 2);

    await workers.killedBefore('SELECT 1 FROM imports FOR UPDATE');
    expect([await count('cards'), await count('import_lines')]).toEqual([0, held]);

    // In the third transaction: what the first two brought is there, and their lines are gone.
    await workers.killedBefore('SELECT 1 FROM import_lines WHERE n = 500 FOR UPDATE');
    const came = await count(`cards WHERE summary LIKE 'Planted%'`);
    expect(came).toBeGreaterThan(300);
    expect(came).toBeLessThan(500);
    expect(await count('import_lines')).toBe(held - 400);
    expect(await count(`cards WHERE id NOT IN (SELECT card_id FROM card_terms)`)).toBe(0);

    workers.start();
    expect(await handle.result()).toMatchObject({
      ...{ status: 'completed', skipped: 0, lines: held },
      ...{ imported: held - 1, known: 1 },
    });
    expect([await count('cards'), await count('import_lines')]).toEqual([CARDS, 0]);
    const { operation_id } = taken.body;
    const { body } = await other.call('GET', `/v1/operations/${operation_id}`);
    expect(body).toMatchObject({ state: 'completed', result: { problems: [] } });
    const rows = async (one: TestApi) =>
      rowsIn(await exportedLines(one)).filter((line) => typeOf(line) !== 'run');
    expect(await rows(other)).toEqual(await rows(api));
  });
});
