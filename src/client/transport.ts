import type { ExecutionMode } from '../contracts/names';
import { CairnError, errorOf } from './error';
import { backoff, pause, retryAfterMs } from './waiting';

/** Where and as whom a client speaks. */
export interface ClientOptions {
  /** The API's base URL, e.g. `http://127.0.0.1:4747`. */
  url: string;
  key: string;
  /** The agent that reads and writes, with a runtime's or a person's key (`Cairn-Agent`). */
  agent?: string;
  /** The person acted for (`Cairn-Person`); needs `executionMode: 'interactive'`. */
  person?: string;
  /** At most 200 printable characters (`Cairn-Session`). */
  session?: string;
  /** Without it a call is headless. */
  executionMode?: ExecutionMode;
  /** Another `fetch`, with a proxy for instance. Default: the platform's. */
  fetch?: typeof fetch;
  /**
   * Milliseconds that one attempt may take, 30,000 by default; what a call waits on purpose
   * (`wait_ms`) comes on top. Raise it for large exports.
   */
  timeoutMs?: number;
  /**
   * Further attempts after 429, 502, 503, 504 or no answer, 4 by default: about 10 s in all. They
   * are made only where a repetition changes nothing: reads, and writes that carry a key.
   */
  retries?: number;
}

/** Of one call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Instead of the client's own. */
  timeoutMs?: number;
}

export type QueryValue = string | number | boolean | readonly string[] | null | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

export interface Call extends CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: object;
  /** Sent as JSON. */
  body?: unknown;
  /** JSON that is ready, instead of `body`. */
  json?: string;
  /** Lines of JSON that are ready, instead of `body`. */
  lines?: Uint8Array;
  /** The answer is text, and no JSON. */
  text?: true;
  /** For `If-Match`: the version that the change was made from. */
  ifMatch?: number;
  /** For `If-None-Match: *`: only where nothing stands there yet. */
  ifNew?: boolean;
  /**
   * Whether the same request may be sent again. `once` sends an `Idempotency-Key` made here, which
   * makes it so; `free` is for what the server itself recognises; `never` is tried one time.
   * Default: `free` for GET, `once` for the rest.
   */
  repeat?: 'once' | 'free' | 'never';
}

const TIMEOUT_MS = 30_000;
const RETRIES = 4;
/** The first pause; a restarting server takes a few seconds, which five pauses of this cover. */
const FIRST_PAUSE_MS = 300;
const LAST_PAUSE_MS = 5_000;
/** A server that says "in an hour" is not waited for. */
const LONGEST_RETRY_AFTER_MS = 30_000;
const RETRIED = new Set([429, 502, 503, 504]);

/** Sends calls, tries again what may be tried again, and turns problems into errors. */
export class Transport {
  private readonly base: string;

  constructor(readonly options: ClientOptions) {
    this.base = options.url.replace(/\/+$/, '');
  }

  /** Milliseconds of one attempt. */
  get timeoutMs(): number {
    return this.options.timeoutMs ?? TIMEOUT_MS;
  }

  /**
   * @returns the answer's JSON; null where it has no body (204, 304)
   * @throws {CairnError} any other answer, or none
   */
  async call<T>(path: string, call: Call = {}): Promise<T> {
    const method = call.method ?? 'GET';
    const repeat = call.repeat ?? (method === 'GET' ? 'free' : 'once');
    const retries = repeat === 'never' ? 0 : (this.options.retries ?? RETRIES);
    const url = this.base + path + queryString(call.query);
    const headers = this.headersOf(call, repeat);
    const body =
      call.json ?? call.lines ?? (call.body === undefined ? null : JSON.stringify(call.body));
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.attempt(url, { method, headers, body }, call);
      if ('value' in outcome) return outcome.value as T;
      const wait = outcome.retryAfterMs ?? backoff(attempt, FIRST_PAUSE_MS, LAST_PAUSE_MS);
      if (!outcome.again || attempt >= retries || wait > LONGEST_RETRY_AFTER_MS)
        throw outcome.error;
      await pause(wait, call.signal);
    }
  }

  /**
   * The body of an answer as it comes in, however long that takes; it is not tried again.
   *
   * @throws {CairnError} any other answer, or none
   */
  async stream(
    path: string,
    call: Pick<Call, 'query' | 'signal'> & { lastEventId?: string } = {},
  ): Promise<AsyncIterable<Uint8Array>> {
    const url = this.base + path + queryString(call.query);
    const headers = this.headersOf({}, 'free');
    if (call.lastEventId !== undefined) headers['last-event-id'] = call.lastEventId;
    const signal = call.signal === undefined ? {} : { signal: call.signal };
    const response = await (this.options.fetch ?? fetch)(url, { headers, ...signal }).catch(
      (cause: unknown) => {
        call.signal?.throwIfAborted();
        throw new CairnError(0, 'unreachable', unreachable(this.base, cause), {}, { cause });
      },
    );
    if (!response.ok) throw errorOf(response.status, await response.text());
    return (response.body ?? []) as unknown as AsyncIterable<Uint8Array>;
  }

  private async attempt(
    url: string,
    init: RequestInit,
    call: Call,
  ): Promise<{ value: unknown } | { error: CairnError; again: boolean; retryAfterMs?: number }> {
    call.signal?.throwIfAborted();
    const timeoutMs = call.timeoutMs ?? this.timeoutMs;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
    try {
      const response = await (this.options.fetch ?? fetch)(url, { ...init, signal });
      const text = await response.text();
      if (response.ok || response.status === 304) {
        if (call.text === true) return { value: text };
        return { value: text === '' ? null : JSON.parse(text) };
      }
      const error = errorOf(response.status, text);
      const wait = retryAfterMs(response.headers.get('retry-after'), Date.now());
      const again = RETRIED.has(response.status);
      return { error, again, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
    } catch (cause) {
      call.signal?.throwIfAborted();
      if (cause instanceof SyntaxError) {
        const error = new CairnError(
          0,
          'not_json',
          `${this.base} does not speak as Cairn does`,
          {},
          { cause },
        );
        return { error, again: false };
      }
      const error = timeout.aborted
        ? new CairnError(0, 'timeout', `no answer within ${timeoutMs} ms`, {}, { cause })
        : new CairnError(0, 'unreachable', unreachable(this.base, cause), {}, { cause });
      return { error, again: true };
    }
  }

  private headersOf(call: Call, repeat: NonNullable<Call['repeat']>): Record<string, string> {
    const { key, agent, person, session, executionMode } = this.options;
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    if (call.body !== undefined || call.json !== undefined) {
      headers['content-type'] = 'application/json';
    }
    if (call.lines !== undefined) headers['content-type'] = 'application/x-ndjson';
    if (agent !== undefined) headers['cairn-agent'] = agent;
    if (person !== undefined) headers['cairn-person'] = person;
    if (session !== undefined) headers['cairn-session'] = session;
    if (executionMode !== undefined) headers['cairn-execution-mode'] = executionMode;
    if (call.ifMatch !== undefined) headers['if-match'] = `"${call.ifMatch}"`;
    if (call.ifNew === true) headers['if-none-match'] = '*';
    if (repeat === 'once') headers['idempotency-key'] = crypto.randomUUID();
    return headers;
  }
}

/** `?a=1&b=x`, or nothing; undefined and null are left out, a list is given once for each item. */
function queryString(query: object | undefined): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}) as [string, QueryValue][]) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) params.append(name, String(one));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

function unreachable(base: string, cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const code = (inner as { code?: unknown } | null)?.code;
  return `no Cairn answers at ${base}${typeof code === 'string' ? ` (${code})` : ''}`;
}
