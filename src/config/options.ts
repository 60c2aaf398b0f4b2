import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Everything Cairn reads from its environment, compiled once. Paths are absolute. */
export interface Options {
  host: string;
  port: number;
  /** True where the port was named: an embedded start then insists on it. */
  portNamed: boolean;
  allowPlaintext: boolean;
  /** Web pages that may use the API, by their origin; none without `CAIRN_CORS_ORIGINS`. */
  corsOrigins: readonly string[];
  /** Names by which a proxy in front is reached: `CAIRN_ALLOWED_HOSTS`. */
  allowedHosts: readonly string[];
  dataDir: string;
  cacheDir: string;
  temporalCli: string | null;
  /** Where Temporal's own pages are, of real servers: the console links into them. Null: nobody said. */
  temporalUi: string | null;
  searchPath: string;
  offline: boolean;
  bootstrapKey: string | null;
  databaseUrl: string | null;
  temporalAddress: string | null;
  temporalNamespace: string;
  secretKey: string | null;
  model: ModelOptions | null;
  embeddingEndpoint: EmbeddingOptions | null;
  /** No vectors at all: `CAIRN_EMBEDDING_MODEL=none`. */
  noEmbedding: boolean;
  url: string | null;
  key: string | null;
  agent: string | null;
  /** Where `cairn worker` answers `/metrics` and `/healthz`; null: nowhere. */
  workerListen: ListenOptions | null;
  /** Names this version of `cairn worker` to Temporal; null: no worker versioning. */
  workerBuildId: string | null;
  logLevel: string;
}

export interface ListenOptions {
  host: string;
  port: number;
}

/** An OpenAI-compatible endpoint that embeds. */
export interface EmbeddingOptions {
  apiKey: string;
  baseUrl: string | null;
  model: string;
}

/** Any OpenAI-compatible endpoint. `small` distills and extracts, `model` writes for passes; each stands in for the other. */
export interface ModelOptions {
  apiKey: string;
  baseUrl: string | null;
  model: string;
  small: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const NO_EMBEDDING = 'none';
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1']);

/**
 * Environment → one frozen Options; the only reader of process.env.
 * @throws a sentence that names the variable and what to do.
 */
export function readOptions(environment: Environment = process.env): Readonly<Options> {
  const text = (name: string): string | null => environment[name]?.trim() || null;
  const host = text('CAIRN_HOST') ?? '127.0.0.1';
  const allowPlaintext = text('CAIRN_ALLOW_PLAINTEXT') === 'true';
  if (!LOOPBACK.has(host) && !allowPlaintext) {
    throw new Error(
      `CAIRN_HOST=${host} would serve keys in plain text: put TLS in front and set CAIRN_ALLOW_PLAINTEXT=true, or leave CAIRN_HOST at 127.0.0.1.`,
    );
  }
  const databaseUrl = text('DATABASE_URL');
  const secretKey = text('CAIRN_SECRET_KEY');
  if (databaseUrl !== null && secretKey === null) {
    throw new Error(
      'DATABASE_URL is set, so CAIRN_SECRET_KEY must be too: at least 32 characters, the same for every process of this installation.',
    );
  }
  if (secretKey !== null && secretKey.length < 32) {
    throw new Error('CAIRN_SECRET_KEY is too short: it needs at least 32 characters.');
  }
  const bootstrapKey = text('CAIRN_BOOTSTRAP_KEY');
  if (bootstrapKey !== null && !/^\S{32,200}$/.test(bootstrapKey)) {
    throw new Error(
      'CAIRN_BOOTSTRAP_KEY must be 32 to 200 characters without spaces: whoever guesses it owns this installation.',
    );
  }
  const cacheHome = text('XDG_CACHE_HOME') ?? join(homedir(), '.cache');
  return Object.freeze({
    host,
    port: portIn(text('CAIRN_PORT')) ?? 4747,
    portNamed: text('CAIRN_PORT') !== null,
    allowPlaintext,
    corsOrigins: listOf(text('CAIRN_CORS_ORIGINS')).map(originIn),
    allowedHosts: listOf(text('CAIRN_ALLOWED_HOSTS')).map(nameIn),
    dataDir: resolve(text('CAIRN_DATA_DIR') ?? '.cairn'),
    cacheDir: resolve(text('CAIRN_CACHE_DIR') ?? join(cacheHome, 'cairn')),
    temporalCli: text('CAIRN_TEMPORAL_CLI'),
    temporalUi: pagesIn(text('CAIRN_TEMPORAL_UI')),
    searchPath: environment['PATH'] ?? '',
    offline: !['0', 'false', 'no', 'off'].includes((text('CAIRN_OFFLINE') ?? 'no').toLowerCase()),
    bootstrapKey,
    databaseUrl,
    temporalAddress: text('TEMPORAL_ADDRESS'),
    temporalNamespace: text('TEMPORAL_NAMESPACE') ?? 'default',
    secretKey,
    model: modelIn(text),
    embeddingEndpoint: embeddingIn(text),
    noEmbedding: text('CAIRN_EMBEDDING_MODEL') === NO_EMBEDDING,
    url: text('CAIRN_URL'),
    key: text('CAIRN_KEY'),
    agent: text('CAIRN_AGENT'),
    workerListen: listenIn(text('CAIRN_WORKER_LISTEN')),
    workerBuildId: buildIdIn(text('CAIRN_WORKER_BUILD_ID')),
    logLevel: text('CAIRN_LOG_LEVEL') ?? 'info',
  });
}

/** A base address of pages that a browser opens, without its last slash. */
function pagesIn(value: string | null): string | null {
  if (value === null) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new Error(
      `CAIRN_TEMPORAL_UI=${value} is no address of pages: give scheme and host, and the path where there is one, such as https://temporal.example.com.`,
    );
  }
  return value.replace(/\/+$/, '');
}

/** What stands between commas. */
function listOf(value: string | null): string[] {
  return (value ?? '').split(',').flatMap((one) => one.trim() || []);
}

/** Exactly as a browser sends it; no pattern, since whoever may answer for one may read what is remembered. */
function originIn(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (
    url === null ||
    url.origin !== value ||
    value.includes('*') ||
    !/^https?:$/.test(url.protocol)
  ) {
    throw new Error(
      `CAIRN_CORS_ORIGINS: ${value} is no origin; give scheme and host as a browser sends them, such as https://console.example.com, and no * and no path.`,
    );
  }
  return value;
}

function nameIn(value: string): string {
  const name = value.toLowerCase();
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name)) {
    throw new Error(
      `CAIRN_ALLOWED_HOSTS: ${value} is no host name; give names without scheme and port, such as memory.example.com.`,
    );
  }
  return name;
}

function modelIn(text: (name: string) => string | null): ModelOptions | null {
  const baseUrl = text('OPENAI_BASE_URL');
  const apiKey = text('OPENAI_API_KEY') ?? (baseUrl === null ? null : 'none');
  if (apiKey === null) return null;
  const model = text('CAIRN_MODEL');
  const small = text('CAIRN_MODEL_SMALL') ?? model;
  if (small === null) return null;
  return { apiKey, baseUrl, model: model ?? small, small };
}

function embeddingIn(text: (name: string) => string | null): EmbeddingOptions | null {
  const model = text('CAIRN_EMBEDDING_MODEL');
  const baseUrl = text('OPENAI_BASE_URL');
  const apiKey = text('OPENAI_API_KEY') ?? (baseUrl === null ? null : 'none');
  if (model === null || model === NO_EMBEDDING) return null;
  if (apiKey === null) {
    throw new Error(
      'CAIRN_EMBEDDING_MODEL is set, but no endpoint: set OPENAI_API_KEY, OPENAI_BASE_URL, or both.',
    );
  }
  return { apiKey, baseUrl, model };
}

/** `9464`, `127.0.0.1:9464` or `[::1]:9464`. */
function listenIn(value: string | null): ListenOptions | null {
  if (value === null) return null;
  const [, bracketed, plain, port] =
    /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(value) ?? [];
  if (port === undefined || Number(port) > 65_535) {
    throw new Error(
      `CAIRN_WORKER_LISTEN=${value} is no address: give a port, or a host and a port such as 127.0.0.1:9464.`,
    );
  }
  return { host: bracketed ?? plain ?? '127.0.0.1', port: Number(port) };
}

/** Temporal takes 255 characters, and puts a colon or a dot between deployment and build. */
function buildIdIn(value: string | null): string | null {
  if (value !== null && !/^[\w.+-]{1,200}$/.test(value)) {
    throw new Error(
      'CAIRN_WORKER_BUILD_ID is no build id: give letters, digits and . _ + -, at most 200, such as a release or a commit.',
    );
  }
  return value;
}

function portIn(value: string | null): number | null {
  if (value === null) return null;
  const port = Number(value);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`CAIRN_PORT=${value} is not a port: give a number from 1 to 65535.`);
  }
  return port;
}

/**
 * What `cairn server` and `cairn worker` cannot do without.
 * @throws a sentence that names what is missing; the embedded stack is `cairn start`'s.
 */
export function requireServers(options: Options): { databaseUrl: string; secretKey: string } {
  const { databaseUrl, secretKey } = options;
  if (databaseUrl === null || secretKey === null || options.temporalAddress === null) {
    throw new Error(
      'set DATABASE_URL, TEMPORAL_ADDRESS and CAIRN_SECRET_KEY: this command works on real servers; `cairn start` brings its own.',
    );
  }
  return { databaseUrl, secretKey };
}
