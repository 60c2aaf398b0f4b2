import type { Database } from './database';
import { OWN_TABLES } from './erasure-search';

/** Rewriting a table takes as long as it is large; everybody waits for it on the embedded database. */
const REWRITE_DEADLINE_MS = 600_000;

const TABLES = `
  SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS name, c.relname AS plain
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
   WHERE c.relkind = 'r'
   ORDER BY c.relname`;

/**
 * Makes the planner forget what it remembers of values that are gone. ANALYZE replaces what it knows of a table, but
 * leaves what it knew of one that is empty now; that goes where Postgres lets us: from 18 on, or as its superuser. So
 * does what it knows of what erasures write down for themselves.
 */
export async function freshStatistics(database: Database): Promise<void> {
  for (const { name, plain } of await tablesOf(database)) {
    if (!OWN_TABLES.includes(plain)) await database.asOwner(`ANALYZE ${name}`, REWRITE_DEADLINE_MS);
  }
  await forgetStatistics(database);
}

async function tablesOf(database: Database): Promise<{ name: string; plain: string }[]> {
  return await database.asOwner(TABLES);
}

/** Of tables that are empty, and of those that erasures write down for themselves. */
export async function forgetStatistics(database: Database): Promise<void> {
  await database.asOwner(FORGET_STATISTICS);
}

const FORGET_STATISTICS = `
  DO $$
  DECLARE
    stale record;
  BEGIN
    FOR stale IN
      SELECT c.oid, c.relname::text AS relname, s.attname::text AS attname, a.attnum, s.inherited
        FROM pg_stats s
        JOIN pg_class c ON c.relname = s.tablename AND c.relnamespace = 'public'::regnamespace
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = s.attname
       WHERE s.schemaname = 'public'
         AND (c.reltuples = 0 OR c.relname IN (${OWN_TABLES.map((name) => `'${name}'`).join(', ')}))
    LOOP
      BEGIN
        IF current_setting('server_version_num')::int >= 180000 THEN
          PERFORM pg_clear_attribute_stats('public', stale.relname, stale.attname, stale.inherited);
        ELSE
          DELETE FROM pg_statistic p WHERE p.starelid = stale.oid AND p.staattnum = stale.attnum;
        END IF;
      EXCEPTION WHEN insufficient_privilege THEN
        NULL;
      END;
    END LOOP;
  END
  $$`;

/**
 * Leaves no byte of what was deleted in the files of the embedded database: every table is written anew, with what is
 * stored beside it, the planner's memory too; then a new segment of the log begins, and a checkpoint takes the old
 * ones away, which nothing recycles there (`wal_recycle = off`). What erasures write down for themselves is left to
 * `rewriteOwn`: the log would hold it again.
 */
export async function rewriteEverything(database: Database): Promise<void> {
  for (const { name, plain } of await tablesOf(database)) {
    if (!OWN_TABLES.includes(plain)) await rewrite(database, name);
  }
  await rewriteLog(database);
}

/** The same of what an erasure wrote down for itself and where else it did, once it has ended. */
export async function rewriteOwn(database: Database, others: readonly string[]): Promise<void> {
  for (const { name, plain } of await tablesOf(database)) {
    if (OWN_TABLES.includes(plain) || others.includes(plain)) await rewrite(database, name);
  }
  await rewriteLog(database);
}

async function rewrite(database: Database, table: string): Promise<void> {
  await database.asOwner(`VACUUM (FULL) ${table}`, REWRITE_DEADLINE_MS);
}

async function rewriteLog(database: Database): Promise<void> {
  await rewrite(database, 'pg_catalog.pg_statistic');
  await database.asOwner('SELECT pg_switch_wal()');
  await database.asOwner('CHECKPOINT', REWRITE_DEADLINE_MS);
}
