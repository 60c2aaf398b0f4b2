/**
 * What Postgres's background processes do elsewhere, and PGlite, being one process, does not:
 * checkpoints, so that the write-ahead log and the time to recover do not grow without end, and
 * VACUUM with ANALYZE where rows died or changed, so that tables do not bloat and plans do not rot.
 *
 * It is a client like any other and waits its turn in the same queue.
 */
import { Client } from 'pg';

/** How long a wish to vacuum or to checkpoint may wait. */
const INTERVAL_MS = 60_000;
/** A checkpoint is due after four segments of 16 MB: recovery of that takes about a second. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;

/** Postgres's own autovacuum thresholds: 50 rows and a fifth dead, or a tenth changed. */
const DUE = `
  SELECT quote_ident(s.schemaname) || '.' || quote_ident(s.relname) AS name
    FROM pg_stat_user_tables s
    JOIN pg_class c ON c.oid = s.relid
   WHERE s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
      OR s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
   ORDER BY s.n_dead_tup + s.n_mod_since_analyze DESC`;

const SINCE_CHECKPOINT = `
  SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 AS bytes
    FROM pg_control_checkpoint()`;

export interface Upkeep {
  stop(): Promise<void>;
}

/** @param log told what failed; upkeep that fails is tried again a minute later */
export function startUpkeep(port: number, log: (line: string) => void): Upkeep {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => upkeep(port)).catch((error) => log(`upkeep: ${error}`));
  }, INTERVAL_MS);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}

/** One round; exported for the test that shows what it does. */
export async function upkeep(port: number): Promise<void> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    // The session writes its counts down once a second at most; those of just now matter as well.
    await client.query('SELECT pg_stat_force_next_flush()');
    const due = await client.query<{ name: string }>(DUE);
    // One statement a table: a waiting query gets in between two.
    for (const { name } of due.rows) await client.query(`VACUUM (ANALYZE) ${name}`);
    const { rows } = await client.query<{ bytes: number }>(SINCE_CHECKPOINT);
    if ((rows[0]?.bytes ?? 0) > CHECKPOINT_BYTES) await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}
