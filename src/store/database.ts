import { Pool, type PoolClient, types } from 'pg';

const TIMESTAMPTZ = 1184;
const INT8 = 20;
const NUMERIC = 1700;
types.setTypeParser(TIMESTAMPTZ, utcOf);
types.setTypeParser(INT8, Number);
types.setTypeParser(NUMERIC, Number);

/** Every time as RFC 3339 in UTC. What no `Date` can hold comes as Postgres writes it: no row may cost a list. */
function utcOf(value: string): string {
  const time = new Date(value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  return Number.isNaN(time.getTime()) ? value : time.toISOString();
}

/** Serialization failure, deadlock: the transaction was rolled back whole and may simply run again. */
const RERUN = new Set(['40001', '40P01']);
const RERUNS = 4;

/** Across workspaces; only `workspaces`, `api_keys` and `outbox` answer to it. */
const EVERY_WORKSPACE = '*';

export interface DatabaseOptions {
  url: string;
  /** Connections held; 1 on the embedded database, which is one session. */
  connections: number;
  /** Milliseconds to wait for a connection before a call fails. */
  acquireTimeoutMs: number;
  onIdleError(error: Error): void;
}

/** A statement runner inside one transaction. Statements have no names: the embedded database keeps none. */
export interface Tx {
  readonly workspace: string;
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The one row of a statement that always returns one. */
  one<Row>(text: string, values?: readonly unknown[]): Promise<Row>;
}

export class Database {
  /** One transaction at a time: nothing can happen beside it. */
  readonly isOneSession: boolean;
  private readonly pool: Pool;

  constructor(options: DatabaseOptions) {
    this.isOneSession = options.connections === 1;
    this.pool = new Pool({
      connectionString: options.url,
      max: options.connections,
      connectionTimeoutMillis: options.acquireTimeoutMs,
      idleTimeoutMillis: 0,
      keepAlive: true,
    });
    this.pool.on('error', options.onIdleError);
  }

  /**
   * Runs `work` in one transaction that can see the rows of one workspace only.
   * It runs again after a serialization failure or a deadlock, so `work` has no effect outside the database.
   * @throws what `work` or Postgres throws, after rolling back.
   */
  async inWorkspace<T>(workspace: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let run = 1; ; run += 1) {
      try {
        return await this.transaction(workspace, work);
      } catch (error) {
        if (run >= RERUNS || !RERUN.has(sqlState(error) ?? '')) throw error;
      }
    }
  }

  /** For the few reads that come before the workspace is known: a key's owner, what is due to be sent. */
  async acrossWorkspaces<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return await this.transaction(EVERY_WORKSPACE, work);
  }

  async ping(): Promise<void> {
    await this.pool.query('SELECT 1');
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async transaction<T>(workspace: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    // A server that goes away while a statement is in hand says so here too; unheard, it ends the process.
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    try {
      await client.query(openingOf(client, workspace));
      const result = await work(txOn(client, workspace));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      throw error;
    } finally {
      client.removeListener('error', onError);
      client.release(broken);
    }
  }
}

/** One round trip: the role and the workspace last as long as the transaction. */
function openingOf(client: PoolClient, workspace: string): string {
  const setting = client.escapeLiteral(workspace);
  return `BEGIN; SET LOCAL ROLE cairn_app; SELECT set_config('cairn.workspace', ${setting}, true)`;
}

function txOn(client: PoolClient, workspace: string): Tx {
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const result = await client.query(text, [...values]);
    return result.rows as Row[];
  };
  return {
    workspace,
    query,
    one: async <Row>(text: string, values?: readonly unknown[]): Promise<Row> => {
      const [row] = await query<Row>(text, values);
      if (row === undefined) throw new Error('a statement that returns one row returned none');
      return row;
    },
  };
}

/** Postgres's five-character error code, or null for any other error. */
export function sqlState(error: unknown): string | null {
  if (typeof error === 'object' && error !== null && 'code' in error) {
    return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null;
  }
  return null;
}

/** The name of the unique index that a statement ran into, or null. */
export function violatedIndex(error: unknown): string | null {
  if (sqlState(error) !== '23505') return null;
  const { constraint } = error as { constraint?: string };
  return constraint ?? null;
}

/** True where the database could not be reached or is going away: the caller should come back later. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return /^(08|57P|53)/.test(state);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH)/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect/i.test(error.message)
  );
}
