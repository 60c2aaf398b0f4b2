import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { Umzug, type UmzugStorage } from 'umzug';

const MIGRATIONS = join(__dirname, 'migrations');

/** Any number all processes agree on: whoever holds it migrates, the others wait. */
const MIGRATION_LOCK = 4_747_000;

export interface MigrationProgress {
  name: string;
}

/**
 * Runs every migration that the database has not seen, in name order, each in a transaction of its own.
 *
 * Forward only. Two processes may call it at once: an advisory lock lets one through at a time.
 * @throws when a file fails; the failed file leaves nothing behind, and the message names it.
 */
export async function migrate(
  databaseUrl: string,
  onApplied: (progress: MigrationProgress) => void = () => {},
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const umzug = new Umzug({
      migrations: migrationFiles().map((name) => ({ name, up: () => apply(client, name) })),
      storage: storageIn(client),
      logger: undefined,
    });
    umzug.on('migrated', ({ name }) => onApplied({ name }));
    await umzug.up();
  } finally {
    await client.end();
  }
}

export function migrationFiles(): string[] {
  return readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

async function apply(client: Client, name: string): Promise<void> {
  const sql = readFileSync(join(MIGRATIONS, name), 'utf8');
  await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** The row is written by `apply`, in the migration's own transaction, so logging here has nothing to do. */
function storageIn(client: Client): UmzugStorage {
  return {
    logMigration: async () => {},
    unlogMigration: async () => {},
    executed: async () => {
      const { rows } = await client.query<{ name: string }>(
        'SELECT name FROM schema_migrations ORDER BY name',
      );
      return rows.map((row) => row.name);
    },
  };
}
