import { Client } from 'pg';
import type { AuditVerification } from '../src/contracts/audit';
import { markHorizon } from '../src/store/audit-sealing';
import { startApi, type TestApi } from './support/api';
import { fillLogs, sealAll, sealStep } from './support/audit';
import { describeNative } from './support/database';
import { MINUTE, TestClock } from './support/filing';

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
  await api.call('PUT', '/v1/agents/scout', { body: {} });
});
afterEach(() => api.close());

const verify = async (): Promise<AuditVerification> =>
  (await api.call('GET', '/v1/audit/verify')).body;

const AUDIT = `INSERT INTO audit_log (workspace_id, at, actor_kind, actor_id, action, target_type, target_id, channel)
               VALUES ('default', now(), 'system', $1, 'test.done', 'test', 'test', 'test') RETURNING seq`;
const ACCESS = `INSERT INTO access_log (workspace_id, at, agent, execution_mode, via, surface, count, card_ids)
                VALUES ('default', now(), $1, 'headless', 'team', 'test', 1, '{card}') RETURNING id AS seq`;

/** A session of its own, as another process would have. */
async function connection(): Promise<Client> {
  const client = new Client({ connectionString: api.testDatabase.url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function write(client: Client, statement: string, by: string): Promise<number> {
  const { rows } = await client.query<{ seq: string }>(statement, [by]);
  return Number(rows[0]?.seq);
}

/** Rows of a log, and how often each is covered by a block; from the seals alone. */
async function covered(): Promise<{ log: string; seq: number; times: number }[]> {
  return await api.database.inWorkspace('default', (tx) =>
    tx.query(
      `SELECT 'audit' AS log, l.seq, count(c.n) AS times
         FROM audit_log l
         LEFT JOIN audit_chain c ON l.seq BETWEEN c.audit_from AND c.audit_to
              AND ' ' || c.audit_marks LIKE '% ' || l.seq || ':%'
        GROUP BY l.seq
        UNION ALL
       SELECT 'access', l.id, count(c.n)
         FROM access_log l
         LEFT JOIN audit_chain c ON l.id BETWEEN c.access_from AND c.access_to
              AND ' ' || c.access_marks LIKE '% ' || l.id || ':%'
        GROUP BY l.id`,
    ),
  );
}

describe('sealing', () => {
  it('covers every number once, in blocks of a bounded size', async () => {
    await api.database.inWorkspace('default', (tx) =>
      tx.query(
        `INSERT INTO access_log (workspace_id, at, execution_mode, via, surface, count, card_ids)
         SELECT 'default', now(), 'headless', 'team', 'test', 1, ARRAY[n::text] FROM generate_series(1, 1100) n`,
      ),
    );
    await fillLogs(api, 'desk', 1);
    const { totals } = await sealAll(api.database);
    const { body } = await api.call('GET', '/v1/audit/seals');
    expect(body.items.map((seal: { access: { rows: number } }) => seal.access.rows)).toEqual([
      101, 500, 500,
    ]);
    expect(totals).toMatchObject({ n: 3, head: body.items[0].head });
    expect((await covered()).filter(({ times }) => times !== 1)).toEqual([]);
    expect(await verify()).toMatchObject({ ok: true, seals: 3, unsealed: 0 });
  });

  it('adds no block where there is nothing to seal', async () => {
    await sealAll(api.database);
    const { totals } = await sealAll(api.database);
    expect(totals).toMatchObject({ n: 1, seals: 0, audit_rows: 0, access_rows: 0 });
    expect((await verify()).seals).toBe(1);
  });

  it('takes another horizon where its own is of another server', async () => {
    const foreign = { audit: '0', access: '0', xid: '99999999999' };
    const { state, horizon } = await sealAll(api.database, 'default', foreign);
    expect(state).toBe('sealed');
    expect(horizon.xid).not.toBe(foreign.xid);
    expect((await verify()).unsealed).toBe(0);
  });

  it('is waited for by rows whose age can be seen', async () => {
    const clock = new TestClock('2026-06-01T00:00:00Z');
    const other = await startApi({ clock: clock.now });
    const age = async () => {
      clock.advance(MINUTE);
      const { text } = await other.call('GET', '/metrics');
      return Number(/^cairn_audit_unsealed_oldest_seconds (\S+)$/m.exec(text)?.[1]);
    };
    expect(await age()).toBe(60);
    expect(await age()).toBe(120);
    await sealAll(other.database);
    expect(await age()).toBe(0);
    await other.close();
  });

  it('keeps to its workspace', async () => {
    const made = await api.call('POST', '/v1/workspaces', { body: { id: 'other', name: 'Other' } });
    await sealAll(api.database);
    await sealAll(api.database, 'other');
    const other = await api.call('GET', '/v1/audit/verify', { key: made.body.owner_key });
    expect(other.body).toMatchObject({ ok: true, seals: 1, unsealed: 0 });
    expect(other.body.head).not.toBe((await verify()).head);
  });
});

describeNative('a transaction that is still open', () => {
  let late: Client;
  let quick: Client;
  beforeEach(async () => {
    await sealAll(api.database);
    [late, quick] = [await connection(), await connection()];
  });
  afterEach(async () => {
    await late.end();
    await quick.end();
  });

  it.each([
    ['audit', AUDIT],
    ['access', ACCESS],
  ])('keeps what comes after its row in the %s log from being sealed', async (log, statement) => {
    await late.query('BEGIN');
    const first = await write(late, statement, 'late');
    const second = await write(quick, statement, 'quick');
    expect(first).toBeLessThan(second);
    const waiting = await sealStep(api.database);
    expect(waiting).toMatchObject({ state: 'waiting', more: true, totals: { seals: 0 } });
    expect(await verify()).toMatchObject({ seals: 1, unsealed: 1 });

    await late.query('COMMIT');
    const { totals } = await sealAll(api.database, 'default', waiting.horizon);
    expect(totals).toMatchObject({ n: 2, [`${log}_rows`]: 2 });
    expect(await verify()).toMatchObject({ ok: true, unsealed: 0 });
  });

  it('counts also where its row has a lower number than that of an older transaction', async () => {
    // The older one has its id first and its number last: its row, committed, says nothing about the other's.
    await quick.query('BEGIN');
    await quick.query("UPDATE workspaces SET name = name WHERE workspace_id = 'default'");
    await late.query('BEGIN');
    const first = await write(late, AUDIT, 'late');
    const second = await write(quick, AUDIT, 'quick');
    await quick.query('COMMIT');
    expect(first).toBeLessThan(second);
    const waiting = await sealStep(api.database);
    expect(waiting.state).toBe('waiting');
    await late.query('COMMIT');
    const { totals } = await sealAll(api.database, 'default', waiting.horizon);
    expect(totals.audit_rows).toBe(2);
    expect(await verify()).toMatchObject({ ok: true, unsealed: 0 });
  });

  it('holds up nothing that was there before it: its own rows wait for the next horizon', async () => {
    await write(quick, AUDIT, 'before');
    const horizon = await api.database.inWorkspace('default', markHorizon);
    await late.query('BEGIN');
    await write(late, AUDIT, 'late');
    const { totals } = await sealAll(api.database, 'default', horizon);
    expect(totals.audit_rows).toBe(1);
    await late.query('COMMIT');
    expect(await verify()).toMatchObject({ ok: true, seals: 2, unsealed: 1 });
  });

  it.each([
    ['audit', AUDIT],
    ['access', ACCESS],
  ])('has its id before its row of the %s log has a number', async (_log, statement) => {
    const id = statement.replace('$1', 'COALESCE(pg_current_xact_id_if_assigned()::text, $1)');
    const column = statement === AUDIT ? 'actor_id' : 'agent';
    const table = statement === AUDIT ? 'audit_log WHERE seq' : 'access_log WHERE id';
    // One number in 33 has its transaction take an id by itself, to write the sequence down: not both of these.
    for (let turn = 1; turn <= 2; turn += 1) {
      const seq = await write(quick, id, 'none');
      const { rows } = await quick.query(`SELECT ${column} AS id FROM ${table} = $1`, [seq]);
      // The expression comes after the number in the row, and nothing before it takes an id but the trigger.
      expect(rows[0]?.id).toMatch(/^\d+$/);
    }
  });

  it('that is rolled back leaves a number without a row, and no fault', async () => {
    await late.query('BEGIN');
    await write(late, AUDIT, 'late');
    await write(quick, AUDIT, 'quick');
    await late.query('ROLLBACK');
    const { totals } = await sealAll(api.database);
    expect(totals.n).toBe(2);
    expect(await verify()).toMatchObject({ ok: true, unsealed: 0 });
  });
});

describeNative('many writers and several sealers at once', () => {
  it('leave every row in one block, and one chain', async () => {
    const writers = 6;
    const each = 40;
    let writing = true;
    const seal = async (): Promise<void> => {
      let horizon: Awaited<ReturnType<typeof sealStep>>['horizon'] | null = null;
      while (writing) {
        const batch = await sealStep(api.database, 'default', horizon);
        horizon = batch.more ? batch.horizon : null;
      }
    };
    const written = async (writer: number): Promise<void> => {
      const client = await connection();
      for (let at = 0; at < each; at += 1) {
        await client.query('BEGIN');
        // Some take their id long before their number, some hold their number for a while.
        if (at % 3 === 0) await client.query('SELECT pg_current_xact_id()');
        if (at % 2 === 0) await client.query('SELECT pg_sleep(0.003)');
        await write(client, at % 2 === 0 ? AUDIT : ACCESS, `writer ${writer}`);
        if (at % 5 === 0) await client.query('SELECT pg_sleep(0.01)');
        await write(client, at % 2 === 0 ? ACCESS : AUDIT, `writer ${writer}`);
        await client.query(at % 7 === 0 ? 'ROLLBACK' : 'COMMIT');
      }
      await client.end();
    };
    const sealers = [seal(), seal()];
    await Promise.all(Array.from({ length: writers }, (_, writer) => written(writer)));
    writing = false;
    await Promise.all(sealers);
    await sealAll(api.database);

    const rows = await covered();
    expect(rows.length).toBeGreaterThan(writers * each);
    expect(rows.filter(({ times }) => times !== 1)).toEqual([]);
    const verified = await verify();
    expect(verified).toMatchObject({ ok: true, unsealed: 0 });
    expect(verified.seals).toBeGreaterThan(2);
  });
});
