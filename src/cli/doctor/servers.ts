import { connect } from 'node:net';
import type { Options } from '../../config/options';
import { type Check, fail, ok } from './check';

/** A server on the same network answers within milliseconds. */
const DEADLINE_MS = 3_000;

/** Where no API answers that could tell: whether the servers that the environment names listen at all. */
export async function namedServers(options: Options): Promise<Check[]> {
  const { databaseUrl, temporalAddress } = options;
  const checks: Promise<Check>[] = [];
  if (databaseUrl !== null) {
    checks.push(listening('Postgres', addressOf(databaseUrl), 5432, 'DATABASE_URL'));
  }
  if (temporalAddress !== null) {
    checks.push(listening('Temporal', temporalAddress, 7233, 'TEMPORAL_ADDRESS'));
  }
  return await Promise.all(checks);
}

async function listening(
  name: string,
  address: string | null,
  usual: number,
  variable: string,
): Promise<Check> {
  const [, host, port] = /^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(address ?? '') ?? [];
  if (host === undefined) return fail(name, `${variable} is no address`, `correct ${variable}`);
  const at = `${host}:${port ?? usual}`;
  const code = await answers(host, Number(port ?? usual));
  return code === null
    ? ok(name, `${at} listens`)
    : fail(name, `${at} does not answer (${code})`, `start it, or correct ${variable}`);
}

function addressOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null;
}

/** @returns null where it does, else why not */
function answers(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: DEADLINE_MS });
    const end = (code: string | null) => {
      socket.destroy();
      resolve(code);
    };
    socket
      .once('connect', () => end(null))
      .once('timeout', () => end('timeout'))
      .once('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'error'));
  });
}
