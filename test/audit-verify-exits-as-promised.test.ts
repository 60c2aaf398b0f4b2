import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi, type TestApi } from './support/api';
import { answerAskedSeals, fillLogs, sealAll, tamper } from './support/audit';
import { type Ran, runCommand } from './support/cli';

let api: TestApi;
let dir: string;
let heads: string[];

beforeEach(async () => {
  api = await startApi();
  dir = mkdtempSync(join(tmpdir(), 'cairn-audit-'));
  await api.call('PUT', '/v1/agents/scout', { body: {} });
  heads = [];
  for (const prefix of ['morning', 'noon']) {
    await fillLogs(api, prefix, 2);
    heads.push((await sealAll(api.database)).totals.head ?? '');
  }
  await fillLogs(api, 'night', 1);
});
afterEach(async () => {
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

const cairn = (args: string, key = api.ownerKey): Promise<Ran> =>
  runCommand(['audit', ...args.split(' ')], {
    CAIRN_DATA_DIR: join(dir, 'data'),
    CAIRN_URL: api.url,
    CAIRN_KEY: key,
  });

/** With nothing that it could connect to. */
const offline = (args: string): Promise<Ran> =>
  runCommand(['audit', ...args.split(' ')], { CAIRN_DATA_DIR: join(dir, 'nothing') });

const firstOf = async (log: 'audit' | 'access'): Promise<number> => {
  const { body } = await api.call('GET', '/v1/audit/export');
  const row = body.lines.find((line: { type: string }) => line.type === log);
  return Number(row.seq ?? row.id);
};

describe('cairn audit verify', () => {
  it('exits with 0 and says how far everything holds', async () => {
    const { code, out } = await cairn('verify');
    expect(code).toBe(0);
    expect(out).toMatch(/^ok\n2 of 2 seals hold/);
    expect(out).toContain(`Head: ${heads[1]}`);
    expect(out).toMatch(/\d+ rows? not sealed yet/);
    const { body } = { body: JSON.parse((await cairn('verify --json')).out) };
    expect(body).toMatchObject({ ok: true, seals: 2, head: heads[1], next: null });
  });

  it('exits with 1 and names the first bad row', async () => {
    const seq = await firstOf('access');
    await tamper(api, `UPDATE access_log SET surface = 'recall' WHERE id = ${seq}`);
    const { code, out, err } = await cairn('verify');
    expect([code, err]).toEqual([1, '']);
    expect(out).toContain(`BAD: row ${seq} of the access log is not as it was sealed.`);
    const told = await cairn('verify --json');
    expect(told.code).toBe(1);
    expect(JSON.parse(told.out)).toMatchObject({
      ok: false,
      first_bad: { log: 'access', seq, reason: 'changed' },
    });
  });

  it('compares a head that is known from elsewhere', async () => {
    const older = await cairn(`verify --anchor ${heads[0]}`);
    expect([older.code, older.out]).toEqual([0, expect.stringContaining('The anchor is seal 1.')]);
    await tamper(api, 'DELETE FROM audit_chain WHERE n = 2');
    expect((await cairn('verify')).code).toBe(0);
    const cut = await cairn(`verify --anchor ${heads[1]?.toUpperCase()}`);
    expect([cut.code, cut.out]).toEqual([1, expect.stringContaining('BAD: no seal has the head')]);
    expect((await cairn('verify --anchor nonsense')).code).toBe(2);
  });

  it('goes through a chain that is longer than one answer', async () => {
    for (let block = 3; block <= 103; block += 1) {
      await api.call('PUT', `/v1/teams/more-${block}`, { body: { name: 'More' } });
      await sealAll(api.database);
    }
    const { body: first } = await api.call('GET', '/v1/audit/verify');
    expect(first).toMatchObject({ ok: true, verified: 100, next: 100 });
    const { code, out } = await cairn('verify');
    expect([code, out]).toEqual([0, expect.stringContaining('103 of 103 seals hold')]);
    const file = join(dir, 'long.ndjson');
    await cairn(`export ${file}`);
    expect(await offline(`verify --file ${file}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining('103 of 103 seals hold'),
    });
  }, 120_000);

  it('says so where it could not look', async () => {
    expect(await offline('verify')).toMatchObject({ code: 1, out: '' });
    const member = await api.keyOf('member');
    expect(await cairn('verify', member)).toMatchObject({
      code: 1,
      err: expect.stringContaining('not_allowed'),
    });
  });

  it('is for owner, operator and auditor', async () => {
    for (const role of ['operator', 'auditor'] as const) {
      expect((await cairn('verify', await api.keyOf(role))).code).toBe(0);
    }
  });
});

describe('an export', () => {
  let file: string;
  let lines: Record<string, string>[];

  beforeEach(async () => {
    file = join(dir, 'audit.ndjson');
    const { code, out } = await cairn(`export ${file}`);
    expect([code, out]).toEqual([0, expect.stringContaining(`head ${heads[1]}`)]);
    lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  });

  const verifyLines = async (changed: Record<string, string>[]) => {
    const other = join(dir, 'changed.ndjson');
    writeFileSync(other, changed.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { code, out } = await offline(`verify --json --file ${other}`);
    return { code, body: JSON.parse(out) };
  };
  const rowAt = (type: string, at: number): Record<string, string> => {
    const row = lines.filter((line) => line.type === type)[at];
    if (row === undefined) throw new Error(`no ${type} ${at}`);
    return row;
  };
  const without = (gone: Record<string, string>) => lines.filter((line) => line !== gone);
  const replaced = (row: Record<string, string>, by: Record<string, string>) =>
    lines.map((line) => (line === row ? by : line));

  it('has a manifest first, every row and seal, and the head at its end', async () => {
    expect(lines[0]).toMatchObject({ type: 'manifest', workspace: 'default', head: heads[1] });
    expect(lines.at(-1)).toEqual({ type: 'end', n: '2', head: heads[1] });
    const counts = await api.database.inWorkspace('default', (tx) =>
      tx.one<{ audit: number; access: number }>(
        'SELECT (SELECT count(*) FROM audit_log) AS audit, (SELECT count(*) FROM access_log) AS access',
      ),
    );
    for (const log of ['audit', 'access'] as const) {
      expect(lines.filter(({ type }) => type === log)).toHaveLength(counts[log]);
    }
    expect(lines.filter(({ type }) => type === 'seal')).toHaveLength(2);
  });

  it('has what is not sealed yet on as many pages as it takes', async () => {
    await api.database.inWorkspace('default', (tx) =>
      tx.query(
        `INSERT INTO access_log (workspace_id, at, execution_mode, via, surface, count, card_ids)
         SELECT 'default', now(), 'headless', 'team', 'test', 1, ARRAY[n::text] FROM generate_series(1, 1200) n`,
      ),
    );
    const more = join(dir, 'more.ndjson');
    await cairn(`export ${more}`);
    const [exported, server] = [
      await offline(`verify --json --file ${more}`),
      await cairn('verify --json'),
    ];
    expect(JSON.parse(exported.out)).toEqual(JSON.parse(server.out));
    expect(JSON.parse(exported.out).unsealed).toBeGreaterThan(1200);
  });

  it('is verified with no server, and against an anchor', async () => {
    const { code, out } = await offline(`verify --file ${file}`);
    expect([code, out]).toEqual([0, expect.stringMatching(/^ok\n2 of 2 seals hold/)]);
    expect((await offline(`verify --file ${file} --anchor ${heads[0]}`)).code).toBe(0);
    const wrong = await offline(`verify --file ${file} --anchor ${'0'.repeat(64)}`);
    expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('no seal has the head')]);
    const server = JSON.parse((await cairn('verify --json')).out);
    expect((await verifyLines(lines)).body).toEqual(server);
  });

  it('gives away what was changed in it', async () => {
    const row = rowAt('audit', 1);
    const seq = Number(row.seq);
    expect(await verifyLines(replaced(row, { ...row, action: 'team.seen' }))).toMatchObject({
      code: 1,
      body: { first_bad: { log: 'audit', seq, reason: 'changed' } },
    });
    expect((await verifyLines(without(row))).body.first_bad).toMatchObject({
      ...{ seq, reason: 'missing' },
    });
    const copy = { ...row, seq: `${lines.length}0000` };
    const put = lines.flatMap((line) => (line === row ? [row, copy] : [line]));
    expect((await verifyLines(put)).body.first_bad).toMatchObject({ reason: 'inserted' });
    const other = rowAt('audit', 2);
    const swapped = lines.map((line) =>
      line === row
        ? { ...other, seq: row.seq ?? '' }
        : line === other
          ? { ...row, seq: other.seq ?? '' }
          : line,
    );
    expect((await verifyLines(swapped)).body.first_bad).toMatchObject({
      ...{ seq, reason: 'reordered' },
    });
    const seal = rowAt('seal', 1);
    for (const column of ['hash', 'head', 'sealed_at', 'workflow_id', 'audit_marks']) {
      const { body } = await verifyLines(replaced(seal, { ...seal, [column]: `${seal[column]} ` }));
      expect([column, body.first_bad ?? body.error?.code]).toEqual([
        column,
        column === 'audit_marks' ? expect.anything() : { log: 'chain', seq: 2, reason: 'chain' },
      ]);
    }
  });

  it('gives away what was cut off it', async () => {
    const end = rowAt('end', 0);
    expect(await verifyLines(without(end))).toMatchObject({
      code: 1,
      body: { error: { code: 'cut_short' } },
    });
    const second = lines.indexOf(rowAt('seal', 1));
    const open = lines.indexOf(rowAt('unsealed', 0));
    const oneBlock = [...lines.slice(0, second), ...lines.slice(open)];
    expect((await verifyLines(oneBlock)).body.first_bad).toEqual({
      ...{ log: 'chain', seq: 2, reason: 'missing' },
    });
    const consistent = [...oneBlock.slice(0, -1), { ...end, n: '1', head: heads[0] ?? '' }];
    expect((await verifyLines(consistent)).code).toBe(0);
    writeFileSync(file, consistent.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect((await offline(`verify --file ${file} --anchor ${heads[1]}`)).code).toBe(1);
  });

  it('that is none is said to be none, and one that is not there is wrong use', async () => {
    const other = join(dir, 'other.ndjson');
    for (const text of ['', '[]\n', 'nonsense\n', '{"type":"seal"}\n']) {
      writeFileSync(other, text);
      expect(await offline(`verify --file ${other}`)).toMatchObject({ code: 1, out: '' });
    }
    const seal = rowAt('seal', 0);
    for (const [column, value] of [
      ['audit_to', 'x'],
      ['audit_marks', 'x:y z'],
    ] as const) {
      const { code, body } = await verifyLines(replaced(seal, { ...seal, [column]: value }));
      expect([code, body.error.code]).toEqual([1, 'not_an_export']);
    }
    expect((await offline(`verify --file ${join(dir, 'none')}`)).code).toBe(2);
  });

  it('is not written over', async () => {
    const before = readFileSync(file, 'utf8');
    expect(await cairn(`export ${file}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('is there already'),
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect((await cairn(`export ${join(dir, 'no', 'such', 'folder')}`)).code).toBe(1);
  });

  it('that broke off leaves no file', async () => {
    const broken = join(dir, 'broken.ndjson');
    const member = await api.keyOf('member');
    expect((await cairn(`export ${broken}`, member)).code).toBe(1);
    expect(existsSync(broken)).toBe(false);
  });
});

describe('cairn audit', () => {
  it('lists who changed what', async () => {
    const { code, out } = await cairn('list --action team.created --target noon-1');
    expect([code, out.split('\n')]).toEqual([0, expect.arrayContaining(['1 of 1'])]);
    expect(out).toMatch(/person owner +team\.created +team noon-1/);
    const none = await cairn('list --actor nobody');
    expect([none.code, none.out]).toEqual([0, 'No rows.\n']);
    const page = JSON.parse((await cairn('list --since 2020-01-01 --limit 2 --json')).out);
    expect([page.items.length, page.next_cursor]).toEqual([2, expect.any(String)]);
    expect((await cairn('list --since yesterday')).code).toBe(2);
  });

  it('seals what is there now, and prints the head', async () => {
    const [{ code, out }] = await Promise.all([cairn('seal'), answerAskedSeals(api.database)]);
    expect(code).toBe(0);
    const head = /Head: ([0-9a-f]{64}) {2}\(seal 3;/.exec(out)?.[1];
    const { body } = await api.call('GET', '/v1/audit/verify');
    expect(body).toMatchObject({ head, unsealed: 0, seals: 3 });
  });
});
