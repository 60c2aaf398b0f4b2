import type { AuditVerification } from '../src/contracts/audit';
import { sealOf } from '../src/domain/audit-chain';
import { sha256 } from '../src/store/audit-sealing';
import { endAt, readBlock } from '../src/store/audit-verifying';
import { startApi, type TestApi } from './support/api';
import { fillLogs, sealAll, tamper } from './support/audit';

let api: TestApi;
let heads: string[];

/** Three blocks of six rows and more each, and a few rows that are not sealed. */
beforeEach(async () => {
  api = await startApi();
  await api.call('PUT', '/v1/agents/scout', { body: {} });
  heads = [];
  for (const prefix of ['morning', 'noon', 'evening']) {
    await fillLogs(api, prefix, 3);
    const { totals } = await sealAll(api.database);
    heads.push(totals.head ?? '');
  }
  await fillLogs(api, 'night', 1);
});
afterEach(() => api.close());

const verify = async (query = ''): Promise<AuditVerification> =>
  (await api.call('GET', `/v1/audit/verify${query}`)).body;

interface Block {
  from: number;
  to: number;
}

/** The numbers that a block covers, of the rows that it holds. */
async function numbersIn(log: 'audit' | 'access', n: number): Promise<number[]> {
  const { body } = await api.call('GET', '/v1/audit/seals');
  const { from, to } = body.items.find((seal: { n: number }) => seal.n === n)[log] as Block;
  const [table, number] = log === 'audit' ? ['audit_log', 'seq'] : ['access_log', 'id'];
  const rows = await api.database.inWorkspace('default', (tx) =>
    tx.query<{ number: number }>(
      `SELECT ${number} AS number FROM ${table} WHERE ${number} BETWEEN $1 AND $2 ORDER BY 1`,
      [from, to],
    ),
  );
  return rows.map((row) => row.number);
}

/** A number of a block. @throws where it has too few rows. */
async function numberIn(log: 'audit' | 'access', n: number, at: number): Promise<number> {
  const number = (await numbersIn(log, n))[at];
  if (number === undefined) throw new Error(`block ${n} has no row ${at}`);
  return number;
}

const VALUES: Record<string, string> = {
  at: "at + interval '1 microsecond'",
  actor_kind: "'agent'",
  actor_id: "'somebody'",
  action: "'team.seen'",
  target_type: "'agent'",
  target_id: "'another'",
  changed: "'{nothing}'",
  versions: "'{7}'",
  hashes: `'{"text": "00"}'`,
  reason_id: "'reason_1'",
  channel: "'mcp'",
  workflow_id: "'capture/default/x'",
  agent: "'sur_another'",
  person: "NULLIF('sur_another', person)",
  execution_mode: "'interactive'",
  session: "'another'",
  via: "'team'",
  surface: "'recall'",
  count: 'count + 1',
  card_ids: "card_ids || '{another}'",
  recall_id: "'rec_1'",
};

it('holds as it was made, and says what it covers', async () => {
  const verified = await verify();
  expect(verified).toMatchObject({ ok: true, seals: 3, verified: 3, head: heads[2], next: null });
  expect(verified.unsealed).toBeGreaterThan(0);
  expect(verified.sealed_to).toEqual({
    audit: (await numbersIn('audit', 3)).at(-1),
    access: (await numbersIn('access', 3)).at(-1),
  });
  expect(new Set(heads).size).toBe(3);
});

it('finds every column that was changed, by its row', async () => {
  const { rows } = await columnsOf(['audit_log', 'access_log']);
  expect(rows.length).toBeGreaterThan(20);
  for (const { table, column } of rows) {
    const log = table === 'audit_log' ? 'audit' : 'access';
    const number = log === 'audit' ? 'seq' : 'id';
    if (column === number) continue;
    const seq = await numberIn(log, 2, 1);
    const value = column === 'workspace_id' ? "'elsewhere'" : VALUES[column];
    expect([column, value]).toEqual([column, expect.any(String)]);
    const where = `WHERE ${number} = ${seq}`;
    const copy = `kept_${log}_${column}`;
    await tamper(
      api,
      `CREATE TABLE ${copy} AS SELECT * FROM ${table} ${where}`,
      `UPDATE ${table} SET ${column} = ${value} ${where}`,
    );
    const reason = column === 'workspace_id' ? 'missing' : 'changed';
    expect([column, (await verify()).first_bad]).toEqual([column, { log, seq, reason }]);
    await tamper(
      api,
      `UPDATE ${table} l SET ${column} = k.${column} FROM ${copy} k WHERE l.${number} = k.${number}`,
    );
    expect((await verify()).ok).toBe(true);
  }
});

/** Every column there is: one that a migration adds has to be sealed too. */
async function columnsOf(tables: string[]) {
  const rows = await api.database.inWorkspace('default', (tx) =>
    tx.query<{ table: string; column: string }>(
      `SELECT c.relname AS table, a.attname AS column
         FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relname = ANY ($1) AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind = 'r'
        ORDER BY c.relname, a.attnum`,
      [tables],
    ),
  );
  return { rows };
}

it('finds a row that is gone', async () => {
  const seq = await numberIn('audit', 2, 2);
  await tamper(api, `DELETE FROM audit_log WHERE seq = ${seq}`);
  expect(await verify()).toMatchObject({
    ok: false,
    verified: 1,
    head: heads[0],
    first_bad: { log: 'audit', seq, reason: 'missing' },
    next: null,
  });
});

it('finds the last row of a log that is gone, and a whole block of them', async () => {
  const seq = await numberIn('access', 3, -1 + (await numbersIn('access', 3)).length);
  await tamper(api, `DELETE FROM access_log WHERE id = ${seq}`);
  expect((await verify()).first_bad).toEqual({ log: 'access', seq, reason: 'missing' });
  const [first, last] = [await numberIn('audit', 1, 0), (await numbersIn('audit', 1)).at(-1)];
  await tamper(api, `DELETE FROM audit_log WHERE seq BETWEEN ${first} AND ${last}`);
  expect((await verify()).first_bad).toEqual({ log: 'audit', seq: first, reason: 'missing' });
});

it('finds two rows that changed their places', async () => {
  const [one, other] = [await numberIn('access', 2, 0), await numberIn('access', 2, 2)];
  await tamper(
    api,
    'ALTER TABLE access_log ALTER id DROP IDENTITY',
    `UPDATE access_log SET id = -1 WHERE id = ${one}`,
    `UPDATE access_log SET id = ${one} WHERE id = ${other}`,
    `UPDATE access_log SET id = ${other} WHERE id = -1`,
  );
  expect((await verify()).first_bad).toEqual({ log: 'access', seq: one, reason: 'reordered' });
});

it('finds a row that was put to another place', async () => {
  const [moved, before] = [await numberIn('audit', 2, 3), await numberIn('audit', 2, 0)];
  await tamper(
    api,
    'ALTER TABLE audit_log ALTER seq DROP IDENTITY',
    `UPDATE audit_log SET seq = ${moved} + 1000000 WHERE seq = ${moved}`,
  );
  expect((await verify()).first_bad).toEqual({ log: 'audit', seq: moved, reason: 'missing' });
  await tamper(api, `UPDATE audit_log SET seq = -5 WHERE seq = ${before}`);
  expect((await verify()).first_bad).toMatchObject({ seq: -5, reason: 'inserted' });
});

it('finds a row that was put into a sealed block, before the first one too', async () => {
  const insert = (seq: string) =>
    `INSERT INTO audit_log OVERRIDING SYSTEM VALUE
     SELECT workspace_id, ${seq}, at, actor_kind, actor_id, action, target_type, target_id, changed, versions,
            hashes, reason_id, channel, workflow_id
       FROM audit_log ORDER BY seq LIMIT 1`;
  // A number that a transaction took and did not keep.
  await api.database
    .inWorkspace('default', async (tx) => {
      await tx.query("SELECT nextval(pg_get_serial_sequence('audit_log', 'seq'))");
      throw new Error('undone');
    })
    .catch(() => undefined);
  await fillLogs(api, 'late', 1);
  await sealAll(api.database);
  const numbers = await numbersIn('audit', 4);
  const after = numbers.find((seq, at) => at > 0 && numbers[at - 1] !== seq - 1);
  if (after === undefined) throw new Error('every number is in use');
  await tamper(api, insert(String(after - 1)));
  const found = { log: 'audit', seq: after - 1, reason: 'inserted' };
  expect((await verify()).first_bad).toEqual(found);
  await tamper(api, insert('-3'));
  expect((await verify()).first_bad).toEqual({ log: 'audit', seq: -3, reason: 'inserted' });
});

it('finds every column of a seal that was changed', async () => {
  const { rows } = await columnsOf(['audit_chain']);
  for (const { column } of rows) {
    const value: Record<string, string> = {
      workspace_id: "'elsewhere'",
      n: '77',
      sealed_at: "sealed_at + interval '1 microsecond'",
    };
    const isText = /marks|hash|head|workflow_id/.test(column);
    await tamper(
      api,
      `CREATE TABLE kept_${column} AS SELECT * FROM audit_chain WHERE n = 2`,
      `UPDATE audit_chain SET ${column} = ${value[column] ?? (isText ? `'x' || ${column}` : `${column} + 1`)} WHERE n = 2`,
    );
    const reason = ['workspace_id', 'n'].includes(column) ? 'missing' : 'chain';
    expect([column, (await verify()).first_bad]).toEqual([
      column,
      { log: 'chain', seq: 2, reason },
    ]);
    await tamper(
      api,
      `DELETE FROM audit_chain WHERE n IN (2, 77)`,
      `INSERT INTO audit_chain SELECT * FROM kept_${column}`,
    );
    expect((await verify()).ok).toBe(true);
  }
});

it('finds a block that was made anew, rows and seal, by the seal that follows', async () => {
  const seq = await numberIn('audit', 2, 1);
  await tamper(api, `UPDATE audit_log SET action = 'team.seen' WHERE seq = ${seq}`);
  const forged = await api.database.inWorkspace('default', async (tx) => {
    const end = await endAt(tx, 1);
    const block = end === null ? null : await readBlock(tx, end, 1);
    if (end === null || block === null) throw new Error('there are three blocks');
    const { seal, rows } = block;
    const to = { audit: seal.audit_to, access: seal.access_to };
    const made = { workspace: 'default', end, to, rows };
    return sealOf({ ...made, sealedAt: seal.sealed_at, workflowId: seal.workflow_id }, sha256);
  });
  const { audit_marks, hash, head } = forged;
  await tamper(
    api,
    `UPDATE audit_chain SET audit_marks = '${audit_marks}', hash = '${hash}', head = '${head}' WHERE n = 2`,
  );
  expect(await verify()).toMatchObject({
    verified: 2,
    first_bad: { log: 'chain', seq: 3, reason: 'chain' },
  });
});

it('finds a seal that is gone, unless it was the last', async () => {
  await tamper(api, 'DELETE FROM audit_chain WHERE n = 2');
  expect((await verify()).first_bad).toEqual({ log: 'chain', seq: 2, reason: 'missing' });
  await tamper(api, 'DELETE FROM audit_chain WHERE n = 3');
  expect((await verify()).ok).toBe(true);
});

describe('a head that is known from elsewhere', () => {
  it('is found, whatever came after it', async () => {
    for (const [at, head] of heads.entries()) {
      expect(await verify(`?anchor=${head}`)).toMatchObject({
        ok: true,
        anchor: { head, n: at + 1 },
      });
    }
  });

  it('gives away a chain that was cut short, with its rows', async () => {
    const last = await numberIn('audit', 2, (await numbersIn('audit', 2)).length - 1);
    await tamper(
      api,
      'DELETE FROM audit_chain WHERE n = 3',
      `DELETE FROM audit_log WHERE seq > ${last}`,
    );
    expect((await verify()).ok).toBe(true);
    expect(await verify(`?anchor=${heads[2]}`)).toMatchObject({
      ok: false,
      anchor: { head: heads[2], n: null },
      first_bad: { log: 'chain', seq: null, reason: 'anchor' },
    });
  });

  it('gives away a chain that was made anew over other rows', async () => {
    const seq = await numberIn('audit', 1, 1);
    await tamper(
      api,
      `UPDATE audit_log SET action = 'team.seen' WHERE seq = ${seq}`,
      'DELETE FROM audit_chain',
    );
    await sealAll(api.database);
    expect((await verify()).ok).toBe(true);
    expect((await verify(`?anchor=${heads[0]}`)).first_bad?.reason).toBe('anchor');
  });

  it('has to be one', async () => {
    expect((await api.call('GET', '/v1/audit/verify?anchor=x')).status).toBe(400);
  });
});

it('goes on where an answer ended', async () => {
  expect(await verify('?after=2')).toMatchObject({ ok: true, verified: 3, next: null });
  const seq = await numberIn('audit', 3, 0);
  await tamper(api, `DELETE FROM audit_log WHERE seq = ${seq}`);
  expect(await verify('?after=2')).toMatchObject({ first_bad: { seq, reason: 'missing' } });
  expect((await verify('?after=9')).first_bad).toEqual({ log: 'chain', seq: 9, reason: 'missing' });
});

it('outlives an erasure of names and of reasons', async () => {
  const { body: card } = await api.call('GET', '/v1/cards?limit=1');
  const path = `/v1/cards/${card.items[0].id}/quarantine`;
  const quarantined = await api.call('POST', path, { body: { reason: 'Ask Zanzibar.' } });
  expect(quarantined.status).toBe(200);
  await sealAll(api.database);
  const before = await verify();
  const gone = await api.database.inWorkspace('default', async (tx) => ({
    names: await tx.query('DELETE FROM surrogates RETURNING id'),
    reasons: await tx.query('DELETE FROM reasons RETURNING id'),
  }));
  expect(gone.names.length).toBeGreaterThan(1);
  expect(gone.reasons).toHaveLength(1);
  expect(await verify()).toEqual(before);
  expect(before.ok).toBe(true);
});

it('refuses to be changed, by its triggers and to the role of the program', async () => {
  const refused = async (statement: string) => {
    const tried = api.database.inWorkspace('default', (tx) => tx.query(statement));
    await expect(tried).rejects.toThrow(/append-only|permission denied/);
    await expect(api.database.asOwner(statement)).rejects.toThrow(/append-only/);
  };
  await refused("UPDATE audit_chain SET hash = ''");
  await refused('DELETE FROM audit_chain');
  await refused('TRUNCATE audit_chain');
});
