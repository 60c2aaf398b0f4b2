import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * What the global setup prepared once, for every test file of the run to use. It travels as a file
 * named by an environment variable, because Jest's workers share nothing else.
 */
export interface RunRecord {
  /** Folder of this run, removed at its end. */
  dir: string;
  /** The process of the run itself: whoever outlives it has no reason to. */
  pid: number;
  /** Which database `createTestDatabase` hands out. */
  database: 'native' | 'pglite';
  /** Why there is no native Postgres; null when there is one. */
  nativeMissing: string | null;
  /** Connection string with the right to create databases; null without a native Postgres. */
  adminUrl: string | null;
  /** Why no database can be handed out, a failed migration above all; null when all is well. */
  databaseError: string | null;
  /** What every test database is a copy of: a migrated database's name, or PGlite's folder. */
  template: string;
  /** Folder of `initdb` and `postgres`, for tests that need a server of their own. */
  postgresBinDir: string | null;
  workflowBundle: Located;
  temporalCli: Located;
  temporalTestServer: Located;
}

/**
 * A path, or the sentence that says why there is none. What is missing fails the tests that need it and
 * no others: a broken migration is no reason to hide what the pure tests say.
 */
export type Located = { path: string } | { missing: string };

const VARIABLE = 'CAIRN_TEST_RUN';

export function writeRunRecord(file: string, record: RunRecord): void {
  writeFileSync(file, JSON.stringify(record, null, 2));
  process.env[VARIABLE] = file;
}

export function readRunRecord(): RunRecord {
  const file = process.env[VARIABLE];
  if (!file || !existsSync(file)) {
    throw new Error(
      'No test run is prepared here: start tests through jest, from the project root.',
    );
  }
  return JSON.parse(readFileSync(file, 'utf8')) as RunRecord;
}

/** The path, or the reason as an error. */
export function located(thing: Located): string {
  if ('missing' in thing) throw new Error(thing.missing);
  return thing.path;
}
