import fc from 'fast-check';
import { Client } from 'pg';
import { Database } from '../src/store/database';
import { createTestDatabase, describeNative, type TestDatabase } from './support/database';
import { organisation } from './support/organisation';
import { plant } from './support/organisation-plant';

const NOW = new Date('2026-03-02T12:00:00Z');
const HERE = 'here';
const THERE = 'there';

/** The only tables that are read before a workspace is known (migration 0006). */
const ACROSS = ['api_keys', 'console_sessions', 'outbox', 'workspaces'];
const LOGS = ['access_log', 'audit_chain', 'audit_log'];

let testDatabase: TestDatabase;
let database: Database;
/** Whoever owns the tables and runs the migrations. */
let owner: Client;
let tables: string[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({
    url: testDatabase.url,
    connections: 2,
    acquireTimeoutMs: 20_000,
    onIdleError: () => undefined,
  });
  owner = new Client({ connectionString: testDatabase.url });
  await owner.connect();
  const { rows } = await owner.query<{ name: string }>(
    `SELECT c.relname AS name
       FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
      WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
      ORDER BY c.relname`,
  );
  tables = rows.map(({ name }) => name);
  const [org] = fc.sample(organisation, { numRuns: 1, seed: 7 });
  if (org === undefined) throw new Error('no organisation');
  for (const workspace of [HERE, THERE]) {
    await plant((text, values) => owner.query(text, values), workspace, org, NOW);
  }
  await fillEveryTable();
}, 60_000);

afterAll(async () => {
  await owner.end();
  await database.close();
  await testDatabase.drop();
});

/**
 * One row of each workspace in every table, with whatever value the type of a column allows: made from
 * the catalogue, so that a table that is new is tested without anybody remembering it. Constraints are
 * no matter here.
 */
async function fillEveryTable(): Promise<void> {
  await owner.query("SET session_replication_role = 'replica'");
  for (const table of tables) {
    await owner.query(
      `DO $$ DECLARE c record; BEGIN
         FOR c IN SELECT conname FROM pg_constraint WHERE conrelid = '${table}'::regclass AND contype = 'c' LOOP
           EXECUTE format('ALTER TABLE ${table} DROP CONSTRAINT %I', c.conname);
         END LOOP;
       END $$`,
    );
    const { rows } = await owner.query<{ name: string; value: string }>(
      `SELECT a.attname AS name,
              CASE WHEN a.atttypid = 'vector'::regtype THEN '''[1,2,3]'''
                   WHEN t.typcategory = 'A' THEN '''{}'''
                   WHEN t.typname IN ('json', 'jsonb') THEN '''{}'''
                   WHEN t.typname = 'bytea' THEN 'decode(md5(random()::text), ''hex'')'
                   WHEN t.typcategory = 'N' THEN '(1 + floor(random() * 1000000000))::int'
                   WHEN t.typname = 'xid8' THEN 'pg_current_xact_id()'
                   WHEN t.typcategory = 'D' THEN 'now()'
                   WHEN t.typcategory = 'B' THEN 'false'
                   ELSE 'md5(random()::text)' END AS value
         FROM pg_attribute a
         JOIN pg_type t ON t.oid = a.atttypid
        WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped
          AND a.attname <> 'workspace_id' AND a.attidentity = '' AND a.attgenerated = ''`,
      [table],
    );
    const columns = ['workspace_id', ...rows.map(({ name }) => `"${name}"`)].join(', ');
    for (const workspace of [HERE, THERE]) {
      const values = [`'${workspace}'`, ...rows.map(({ value }) => value)].join(', ');
      await owner.query(
        `INSERT INTO ${table} (${columns}) VALUES (${values}) ON CONFLICT DO NOTHING`,
      );
    }
  }
  await owner.query("SET session_replication_role = 'origin'");
}

const workspacesIn = (table: string) =>
  `SELECT DISTINCT workspace_id AS id FROM ${table} ORDER BY 1`;

describeNative('row-level security', () => {
  it('knows every table that has a workspace', () => {
    expect(tables.length).toBeGreaterThan(30);
    expect(tables).toEqual(expect.arrayContaining(['cards', 'events', ...ACROSS, ...LOGS]));
  });

  it('lets a query that forgets the workspace see only the rows of its own, in every table', async () => {
    for (const table of tables) {
      const all = await owner.query<{ id: string }>(workspacesIn(table));
      expect([table, all.rows.map(({ id }) => id)]).toEqual([
        table,
        expect.arrayContaining([HERE, THERE]),
      ]);
      const seen = await database.inWorkspace(HERE, (tx) =>
        tx.query<{ id: string }>(workspacesIn(table)),
      );
      expect([table, seen.map(({ id }) => id)]).toEqual([table, [HERE]]);
    }
  });

  it('shows nothing where no workspace was named, or none that there is', async () => {
    for (const workspace of ['', 'nowhere', "here' OR 'a'='a", '%']) {
      for (const table of tables) {
        const seen = await database.inWorkspace(workspace, (tx) => tx.query(workspacesIn(table)));
        expect([workspace, table, seen]).toEqual([workspace, table, []]);
      }
    }
  });

  it('lets four tables be read across workspaces, and no other', async () => {
    const open: string[] = [];
    for (const table of tables) {
      const seen = await database.acrossWorkspaces((tx) => tx.query(workspacesIn(table)));
      if (seen.length > 0) open.push(table);
    }
    expect(open).toEqual(ACROSS);
  });

  it('keeps a query that forgets the workspace from changing or writing anything next door', async () => {
    const counts = async () => {
      const found: Record<string, number> = {};
      for (const table of tables) {
        const { rows } = await owner.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = $1`,
          [THERE],
        );
        found[table] = rows[0]?.count ?? 0;
      }
      return found;
    };
    const before = await counts();
    for (const table of tables.filter((name) => !LOGS.includes(name))) {
      const column = table === 'workspaces' ? 'name' : 'workspace_id';
      // References may keep a row as it is; that is no way next door either.
      for (const change of [`UPDATE ${table} SET ${column} = 'moved'`, `DELETE FROM ${table}`]) {
        await database.inWorkspace(HERE, (tx) => tx.query(change)).catch(() => undefined);
      }
      const smuggled = database.inWorkspace(HERE, (tx) =>
        tx.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table},
                  jsonb_build_object('workspace_id', '${THERE}'))`),
      );
      await expect(smuggled).rejects.toThrow();
    }
    expect(await counts()).toEqual(before);
  });

  it('refuses to file a row under another workspace by name', async () => {
    const smuggled = database.inWorkspace(HERE, (tx) =>
      tx.query(
        `INSERT INTO surrogates (workspace_id, kind, name, id) VALUES ($1, 'agent', 'spy', 'sur_spy')`,
        [THERE],
      ),
    );
    await expect(smuggled).rejects.toThrow(/row-level security/);
    const moved = database.inWorkspace(HERE, async (tx) => {
      await tx.query(
        `INSERT INTO surrogates (workspace_id, kind, name, id) VALUES ($1, 'agent', 'spy', 'sur_spy')`,
        [HERE],
      );
      await tx.query('UPDATE surrogates SET workspace_id = $1', [THERE]);
    });
    await expect(moved).rejects.toThrow(/row-level security/);
  });

  it('is forced on every table, also for who owns it', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
        WHERE relname = ANY ($1) AND relnamespace = 'public'::regnamespace
          AND NOT (relrowsecurity AND relforcerowsecurity)`,
      [tables],
    );
    expect(rows).toEqual([]);
  });

  it('cannot be forgotten by the role that serves: it owns nothing, bypasses nothing, may not log in', async () => {
    const { rows } = await owner.query(
      `SELECT rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb,
              (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS owned,
              (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS groups
         FROM pg_roles r WHERE rolname = 'cairn_app'`,
    );
    expect(rows).toEqual([
      {
        rolsuper: false,
        rolbypassrls: false,
        rolcanlogin: false,
        rolcreaterole: false,
        rolcreatedb: false,
        owned: 0,
        groups: 0,
      },
    ]);
  });

  it('is on in every transaction, whatever the one before left behind', async () => {
    const whoAndWhere = `SELECT current_user AS role, current_setting('cairn.workspace', true) AS workspace`;
    for (const workspace of [HERE, THERE, HERE]) {
      const [row] = await database.inWorkspace(workspace, (tx) => tx.query(whoAndWhere));
      expect(row).toEqual({ role: 'cairn_app', workspace });
      await expect(
        database.inWorkspace(workspace, (tx) => tx.query('SELECT 1 / 0')),
      ).rejects.toThrow();
    }
  });
});

describeNative('the logs', () => {
  it.each(LOGS.flatMap((table) => ['UPDATE', 'DELETE', 'TRUNCATE'].map((verb) => [verb, table])))(
    'refuse %s of %s, to the app and to who owns them',
    async (verb, table) => {
      const statement = {
        UPDATE: `UPDATE ${table} SET workspace_id = workspace_id`,
        DELETE: `DELETE FROM ${table}`,
        TRUNCATE: `TRUNCATE ${table}`,
      }[verb] as string;
      const count = async () =>
        (await owner.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count;
      const before = await count();
      expect(before).toBeGreaterThan(0);
      await expect(database.inWorkspace(HERE, (tx) => tx.query(statement))).rejects.toThrow(
        /permission denied/,
      );
      await expect(owner.query(statement)).rejects.toThrow(/append-only/);
      expect(await count()).toBe(before);
    },
  );

  it('have no reference to a card or to anything else that may go', async () => {
    const { rows } = await owner.query(
      `SELECT conname FROM pg_constraint
        WHERE contype = 'f' AND conrelid = ANY (ARRAY['access_log', 'audit_chain', 'audit_log']::regclass[])`,
    );
    expect(rows).toEqual([]);
  });
});
