import type { Options } from './options';

type Where = Pick<Options, 'databaseUrl' | 'temporalAddress' | 'temporalNamespace' | 'dataDir'>;

const NO_ANSWER: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const NO_FILE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOSPC']);
/** Of Postgres: it is there, and does not let us in. */
const REFUSED: Readonly<Record<string, string>> = {
  '28P01': 'the password of DATABASE_URL is not the one of its user',
  '28000': 'the user of DATABASE_URL may not connect',
  '3D000': 'the database of DATABASE_URL is not there: create it',
  '42501': 'the user of DATABASE_URL may not do what a migration does: let it own the database',
};

/**
 * What kept a start from working, as one sentence that says what to do; what it does not know it hands
 * back as it is. Addresses are told, passwords are not.
 */
export function startFailure(error: unknown, where: Where): unknown {
  const code = codeOf(error);
  const said = error instanceof Error ? error.message : '';
  if (NO_FILE.has(code) && pathOf(error)?.startsWith(where.dataDir)) {
    return new Error(
      `${where.dataDir} cannot be written (${code}): give it to the user who runs this, free some space, or set CAIRN_DATA_DIR.`,
    );
  }
  if (where.databaseUrl !== null) {
    const at = addressOf(where.databaseUrl);
    if (NO_ANSWER.has(code) || /timeout exceeded when trying to connect/.test(said)) {
      return new Error(
        `Postgres does not answer at ${at} (${code || 'timeout'}): see whether it runs, and whether DATABASE_URL is right.`,
      );
    }
    const refused = REFUSED[code];
    if (refused !== undefined) return new Error(`Postgres at ${at} refuses (${code}): ${refused}.`);
  }
  if (error instanceof Error && error.name === 'TransportError') {
    return new Error(
      `Temporal does not answer at ${where.temporalAddress ?? 'its address'}: see whether it runs, and whether TEMPORAL_ADDRESS is right.`,
    );
  }
  if (/namespace.*not found/i.test(said)) {
    return new Error(
      `Temporal has no namespace ${where.temporalNamespace}: create it, or correct TEMPORAL_NAMESPACE.`,
    );
  }
  return error;
}

/** Of one error, or of the first of several: a name with two addresses fails twice. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

function pathOf(error: unknown): string | undefined {
  const { path } = (error ?? {}) as { path?: unknown };
  return typeof path === 'string' ? path : undefined;
}

function addressOf(url: string): string {
  if (!URL.canParse(url)) return 'the address of DATABASE_URL';
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 5432}`;
}
