import type { Database } from './database';

/**
 * Tables that have grown by half since they were last analyzed. Postgres's own daemon looks once a
 * minute, and what is planned until then is planned for empty tables: a first import would crawl.
 */
const GROWN = `
  SELECT quote_ident(s.schemaname) || '.' || quote_ident(s.relname) AS name
    FROM pg_stat_user_tables s
    JOIN pg_class c ON c.oid = s.relid
   WHERE s.n_mod_since_analyze > 100 + 0.5 * greatest(c.reltuples, 0)
   ORDER BY s.n_mod_since_analyze DESC`;

/** Brings the planner's statistics up to date where they are far off. @returns the tables it looked at. */
export async function analyzeGrown(database: Database): Promise<string[]> {
  const grown = await database.asOwner<{ name: string }>(GROWN);
  // Each has a transaction of its own, and leaves a table alone that somebody else is at.
  for (const { name } of grown) await database.asOwner(`ANALYZE (SKIP_LOCKED) ${name}`);
  return grown.map(({ name }) => name);
}
