import { Client, Connection } from '@temporalio/client';
import { hasOwnerKey, keyFile } from '../config/key-file';
import { type Options, requireServers } from '../config/options';
import { startFailure } from '../config/start-failure';
import { namedTemporal } from '../config/temporal';
import { miniLmOf } from '../embedded/fetch';
import { configuredEmbedder, configuredOthers } from '../models/configured';
import type { Embedder } from '../models/embedder';
import { makesVectors } from '../models/no-embedder';
import { bootstrap, hasBootstrapKey } from '../store/bootstrap';
import { Database } from '../store/database';
import { confirmSecretKey } from '../store/installation';
import { migrate } from '../store/migrate';
import { announceEmbedder } from '../store/reembed-starts';
import { createLogger, noteLostConnection } from '../telemetry/logger';
import { hashKey } from './authentication';
import { serve } from './server';

export interface RunningServer {
  url: string;
  /** Shown once: set where this start made the installation's owner key. */
  newOwnerKey: string | null;
  stop(): Promise<void>;
}

/** An API process holds requests, not work: ten connections serve some hundred requests a second. */
const CONNECTIONS = 10;
/** A request that finds no connection for five seconds is better told to come back (503). */
const ACQUIRE_MS = 5_000;

/**
 * `cairn server`: the API and its outbox sender on real servers. Temporal may be away: events are then
 * taken and started when it is back.
 */
export async function startServer(
  options: Options,
  report: (line: string) => void,
): Promise<RunningServer> {
  try {
    return await start(options, report);
  } catch (error) {
    throw startFailure(error, options);
  }
}

async function start(options: Options, report: (line: string) => void): Promise<RunningServer> {
  const { databaseUrl, secretKey } = requireServers(options);
  const log = createLogger(options.logLevel);
  const clock = () => new Date();
  await migrate(databaseUrl, ({ name }) => report(`migrating: ${name}`));
  const database = new Database({
    url: databaseUrl,
    connections: CONNECTIONS,
    acquireTimeoutMs: ACQUIRE_MS,
    onIdleError: noteLostConnection(log),
  });
  await confirmSecretKey(database, secretKey, clock());
  const owner = await ownerKey(options, database);
  if (owner === null) {
    report(
      'the owner key of this installation was made elsewhere; CAIRN_BOOTSTRAP_KEY sets another',
    );
  } else {
    await bootstrap(database, hashKey(owner.key), clock(), options.bootstrapKey !== null);
  }

  const { connectionOptions, namespace } = namedTemporal(options);
  const connection = Connection.lazy(connectionOptions);
  const client = new Client({ connection, namespace });

  let embedder: Embedder | null = null;
  const loading = configuredEmbedder(options, miniLmOf(options, report), report).then(
    async (loaded) => {
      embedder = loaded;
      report(`embeddings by ${loaded.id}`);
      const known = { id: loaded.id, makesVectors: makesVectors(loaded) };
      await announceEmbedder(database, known, clock(), report);
    },
  );
  const others = configuredOthers(options, miniLmOf(options, report));
  // It may fail before anybody waits for it, while the API starts.
  loading.catch(() => undefined);
  const server = await serve({
    database,
    client,
    eager: false,
    clock,
    log,
    secretKey,
    languageModel: options.model,
    embedder: () => embedder,
    otherEmbedder: (model) => others.of(model),
    host: options.host,
    port: options.port,
    knownNames: { origins: options.corsOrigins, hosts: options.allowedHosts },
    temporal: { ui: options.temporalUi, namespace },
  });
  await loading.catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  return {
    url: server.url,
    newOwnerKey: owner?.isNew ? owner.key : null,
    stop: async () => {
      await server.stop();
      await connection.close();
      await embedder?.close();
      await others.close();
      await database.close();
    },
  };
}

/** A second server of one installation has no file and makes no key: the first one's stays good. */
async function ownerKey(
  options: Options,
  database: Database,
): Promise<{ key: string; isNew: boolean } | null> {
  if (options.bootstrapKey !== null) return { key: options.bootstrapKey, isNew: false };
  if (!hasOwnerKey(options.dataDir) && (await hasBootstrapKey(database))) return null;
  return keyFile(options.dataDir, 'owner.key', 'cairn_');
}
