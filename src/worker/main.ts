import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import { type Options, requireServers } from '../config/options';
import { locateMiniLm } from '../embedded/fetch';
import { configuredDistiller, configuredEmbedder } from '../models/configured';
import { Database } from '../store/database';
import { createLogger } from '../telemetry/logger';
import { installRuntime } from './runtime';
import { ensureSearchAttributes } from './search-attributes';
import { Workers } from './workers';
import { workflowBundlePath } from './workflow-bundle';

export interface RunningWorker {
  /** Takes no more work, waits for what is in hand, and closes what it opened. */
  stop(): Promise<void>;
  /** Settles when the workers have ended; rejects when one of them failed. */
  done: Promise<void>;
}

/** One connection for each step that runs at once, and a few for what waits between steps. */
const CONNECTIONS = 10;

/** `cairn worker`: any number of them may run beside each other. Migrations are the server's to run. */
export async function startWorker(
  options: Options,
  report: (line: string) => void,
): Promise<RunningWorker> {
  const { databaseUrl, secretKey } = requireServers(options);
  const log = createLogger(options.logLevel);
  const clock = () => new Date();
  installRuntime(log);
  const { connectionOptions, namespace: configured } = loadClientConnectConfig();
  const namespace = configured ?? options.temporalNamespace;
  const connection = await NativeConnection.connect({
    ...connectionOptions,
    ...(options.temporalAddress === null ? {} : { address: options.temporalAddress }),
  });
  await ensureSearchAttributes(connection, namespace);
  const database = new Database({
    url: databaseUrl,
    connections: CONNECTIONS,
    acquireTimeoutMs: 5_000,
    onIdleError: (error) => log.warn({ err: error.name }, 'a database connection was lost'),
  });
  const embedder = await configuredEmbedder(
    options,
    () =>
      locateMiniLm({ cacheDir: options.cacheDir, offline: options.offline, onProgress: report }),
    report,
  );
  const workers = await Workers.start({
    connection,
    namespace,
    workflowBundle: workflowBundlePath(),
    database,
    clock,
    log,
    embedder,
    distiller: configuredDistiller(options, clock),
    secretKey,
    connections: CONNECTIONS,
  });
  report(`working, embeddings by ${embedder.id}`);
  return {
    done: workers.done(),
    stop: async () => {
      await workers.stop();
      await connection.close();
      await embedder.close();
      await database.close();
    },
  };
}
