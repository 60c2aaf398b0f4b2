import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Erasure } from '../src/contracts/erasure';
import type { TombstonesFile } from '../src/contracts/erasure-proof';
import { createDatabase, withDatabase } from './support/admin';
import { startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';
import { erased, erasedBy } from './support/erasing';
import { Filing, type RecallLane, startRecallLane } from './support/filing';
import { readRunRecord } from './support/run-record';

jest.setTimeout(240_000);

const run = promisify(execFile);
const { postgresBinDir, adminUrl } = readRunRecord();
// Skipped where the run was given a server of somebody else's, whose programs are not here; the name says so.
const suite = postgresBinDir === null || adminUrl === null ? describe.skip : describeNative;

suite('after a restore to an earlier point [needs its own Postgres]', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-restore-'));
  const name = `cairn_restored_${process.pid}`;
  let lane: RecallLane;
  let restored: { api: TestApi; clock: RecallLane['clock'] };
  let mine: string;
  let other: string;
  let erasure: Erasure;
  let file: TombstonesFile;

  const tool = (program: string, ...args: string[]) =>
    run(join(postgresBinDir as string, program), args);
  const apply = (body: unknown) => restored.api.call('POST', '/v1/tombstones', { body });
  const statusOf = async (id: string) => (await restored.api.call('GET', `/v1/cards/${id}`)).status;

  beforeAll(async () => {
    lane = await startRecallLane();
    const guest = { subject: 'guest-1', service: 'crane', operation: 'lift' };
    mine = await lane.filing.card({ ...guest, event_id: 'visit-1', input: { load: 'jacaranda' } });
    other = await lane.filing.card({ ...guest, subject: 'guest-2', input: { load: 'iron' } });
    const backup = join(dir, 'backup.dump');
    await tool(
      'pg_dump',
      '--format=custom',
      '--no-unlogged-table-data',
      '-f',
      backup,
      lane.api.testDatabase.url,
    );

    lane.clock.advance(60_000);
    erasure = await erased(lane, { subject: 'guest-1' });
    expect(erasure.status).toBe('completed');
    file = (await lane.api.call('GET', '/v1/tombstones')).body;

    const url = await createDatabase(adminUrl as string, name);
    await tool('pg_restore', '--exit-on-error', '-d', url, backup);
    const testDatabase = { url, kind: 'native' as const, drop: async () => undefined };
    const { clock } = lane;
    const { secretKey } = lane.api;
    restored = { clock, api: await startApi({ clock: clock.now, testDatabase, secretKey }) };
  });
  afterAll(async () => {
    await restored?.api.close();
    await lane?.close();
    await withDatabase(adminUrl as string, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    rmSync(dir, { recursive: true, force: true });
  });

  test('what was erased is back, and the receipt says that it does not hold', async () => {
    expect(await statusOf(mine)).toBe(200);
    const { body } = await restored.api.call('POST', '/v1/erasures/verify', {
      body: { receipt: erasure.receipt },
    });
    expect(body).toMatchObject({
      ok: false,
      signature: 'valid',
      missing: erasure.receipt?.hashes.length,
    });
    expect(body.returned).toEqual(
      expect.arrayContaining([{ place: 'table events', kind: 'event', found: 1 }]),
    );
  });

  test('a file that was changed, or is of another key, is refused and changes nothing', async () => {
    const [first, ...others] = file.tombstones;
    for (const body of [
      { ...file, tombstones: others },
      { ...file, tombstones: [{ ...first, at: '2020-01-01T00:00:00Z' }, ...others] },
      { ...file, workspace: 'another' },
    ]) {
      expect((await apply(body)).status).toBe(400);
    }
    expect(await statusOf(mine)).toBe(200);
  });

  test('no id stands in the file', () => {
    expect(file.tombstones.length).toBeGreaterThan(2);
    for (const id of ['guest-1', 'visit-1', mine]) expect(JSON.stringify(file)).not.toContain(id);
  });

  test('applied, it is gone again with a receipt of its own, and nothing else is', async () => {
    const { status, body } = await apply(file);
    expect({ status, returned: body.returned }).toMatchObject({
      status: 202,
      returned: { subject: 1, event: 1, card: 1 },
    });
    // From the answer on, before anything is gone: what comes late is refused, as of the first erasure.
    const filing = new Filing(restored);
    await expect(filing.card({ event_id: 'visit-1', subject: 'guest-1' })).rejects.toThrow();
    const again = await erasedBy(restored, { workspace: 'default', ...body });
    expect(again.status).toBe('completed');
    expect(again.receipt?.hashes).toEqual(
      expect.arrayContaining(erasure.receipt?.hashes ?? ['none']),
    );
    expect([await statusOf(mine), await statusOf(other)]).toEqual([404, 200]);
    const verified = await restored.api.call('POST', '/v1/erasures/verify', {
      body: { receipt: erasure.receipt, search: ['jacaranda'] },
    });
    expect(verified.body).toMatchObject({ ok: true, missing: 0, returned: [] });
  });

  test('once more it finds nothing to do', async () => {
    expect((await apply(file)).body).toMatchObject({ written: 0, returned: {}, erasure_id: null });
  });
});
