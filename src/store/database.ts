import { createHash } from 'node:crypto';
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

/**
 * A statement without an answer for this long has lost its server: a frozen or vanished host says
 * nothing. No statement of ours takes a hundredth of it, the queue of the embedded database included.
 */
const ANSWER_DEADLINE_MS = 60_000;

/** A connection keeps its plans; one that was made on empty tables should not last. */
const LIFETIME_SECONDS = 300;

/** Across workspaces; only `workspaces`, `api_keys`, `console_sessions` and `outbox` answer to it. */
const EVERY_WORKSPACE = '*';

export interface DatabaseOptions {
  url: string;
  /** Connections held; 1 on the embedded database, which is one session. */
  connections: number;
  /** Milliseconds to wait for a connection before a call fails. */
  acquireTimeoutMs: number;
  onIdleError(error: Error): void;
}

/** A statement runner inside one transaction. */
export interface Tx {
  readonly workspace: string;
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The one row of a statement that always returns one. */
  one<Row>(text: string, values?: readonly unknown[]): Promise<Row>;
}

/** The database could not be reached, or went away with a statement in hand; what it was stands in `cause`. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
  /** Of the socket or of Postgres, for the log. */
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super('the database is away', { cause });
    const { code } = cause as { code?: unknown };
    this.code = typeof code === 'string' ? code : undefined;
  }
}

/**
 * `once`: for the main paths, whose statements go by the same indexes whatever their values are: planning
 * each anew takes longer than running it. `by_value` leaves the choice to Postgres.
 */
export type Planning = 'once' | 'by_value';

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
      maxLifetimeSeconds: this.isOneSession ? 0 : LIFETIME_SECONDS,
      keepAlive: true,
      query_timeout: ANSWER_DEADLINE_MS,
    });
    this.pool.on('error', options.onIdleError);
  }

  /**
   * Runs `work` in one transaction that can see the rows of one workspace only.
   * It runs again after a serialization failure or a deadlock, so `work` has no effect outside the database.
   * @throws what `work` or Postgres throws, after rolling back.
   */
  async inWorkspace<T>(
    workspace: string,
    work: (tx: Tx) => Promise<T>,
    planning: Planning = 'by_value',
  ): Promise<T> {
    for (let run = 1; ; run += 1) {
      try {
        return await this.transaction(workspace, work, planning);
      } catch (error) {
        if (run >= RERUNS || !RERUN.has(sqlState(error) ?? '')) throw error;
      }
    }
  }

  /**
   * The same for reading what was committed when it began, whatever is committed meanwhile. It holds a connection
   * for as long as it takes; there is none to hold on one session.
   */
  async inSnapshot<T>(workspace: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return await this.transaction(workspace, work, 'snapshot');
  }

  /** For the few reads that come before the workspace is known: a key's owner, what is due to be sent. */
  async acrossWorkspaces<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return await this.transaction(EVERY_WORKSPACE, work, 'by_value');
  }

  /** One statement as the role that owns the tables, for their upkeep; of no workspace and no transaction. */
  async asOwner<Row>(statement: string, deadlineMs = ANSWER_DEADLINE_MS): Promise<Row[]> {
    const query = { text: statement, query_timeout: deadlineMs };
    const { rows } = await this.pool.query(query).catch(away);
    return rows as Row[];
  }

  async ping(): Promise<void> {
    await this.pool.query('SELECT 1');
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async transaction<T>(
    workspace: string,
    work: (tx: Tx) => Promise<T>,
    planning: Planning | 'snapshot',
  ): Promise<T> {
    const client = await this.pool.connect().catch(away);
    let broken: Error | undefined;
    // A server that goes away while a statement is in hand says so here too; unheard, it ends the process.
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    try {
      await client.query(openingOf(client, workspace, planning)).catch(away);
      const result = await work(txOn(client, workspace, this.isOneSession ? null : nameOf));
      await client.query('COMMIT').catch(away);
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      throw error;
    } finally {
      // One that is being thrown away may still be told why by its server, and nobody else listens.
      if (broken === undefined) client.removeListener('error', onError);
      client.release(broken);
    }
  }
}

/**
 * One round trip: the role and the workspace last as long as the transaction. Compiling a plan costs a
 * second where our longest statement takes a tenth of one.
 */
function openingOf(client: PoolClient, workspace: string, planning: Planning | 'snapshot'): string {
  const setting = client.escapeLiteral(workspace);
  return [
    planning === 'snapshot' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN',
    'SET LOCAL ROLE cairn_app',
    'SET LOCAL jit = off',
    ...(planning === 'once' ? ['SET LOCAL plan_cache_mode = force_generic_plan'] : []),
    `SELECT set_config('cairn.workspace', ${setting}, true)`,
  ].join('; ');
}

function txOn(
  client: PoolClient,
  workspace: string,
  naming: ((text: string) => string) | null,
): Tx {
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const name = naming === null ? {} : { name: naming(text) };
    const result = await client.query({ ...name, text, values: [...values] }).catch(away);
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

const names = new Map<string, string>();

/**
 * A statement with a name is parsed once a connection, and planned once where its plan does not depend
 * on the values: half of what Postgres spends on a capture. The embedded database keeps no names.
 */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash('sha1').update(text).digest('hex');
  names.set(text, name);
  return name;
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

/**
 * Connection exceptions, shutting down or starting up, no room for one more, a disk that fails; and what
 * a failover or a full disk turns a server into: read-only, locked, or cancelling what it was told to do.
 */
const AWAY_STATES = /^(?:08|53|57P|58)|^(?:25006|55P03|57014)$/;

/** True where the database could not be reached or is going away: the caller should come back later. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseAway || AWAY_STATES.test(sqlState(error) ?? '');
}

/**
 * Passes on what Postgres said of a statement. Whatever else the driver throws is about the connection,
 * in many words (refused, reset, terminated, "not queryable", no answer, no such host): one error stands
 * for them. A `TypeError` is about a value of ours that it could not write.
 */
function away(error: unknown): never {
  if (sqlState(error) !== null || error instanceof TypeError) throw error;
  throw new DatabaseAway(error);
}
