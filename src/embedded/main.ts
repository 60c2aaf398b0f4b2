import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { hashKey } from '../api/authentication';
import { type Server, serve } from '../api/server';
import { keepOwnerKey, keyFile } from '../config/key-file';
import type { Options } from '../config/options';
import { startFailure } from '../config/start-failure';
import { namedTemporal } from '../config/temporal';
import type { Clock } from '../contracts/clock';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes';
import {
  configuredDistiller,
  configuredEmbedder,
  configuredFactExtractor,
  configuredFailureReflector,
  configuredFixDrafter,
  configuredOthers,
  configuredReflector,
  configuredSkillWriter,
  configuredSummaryWriter,
  configuredWisdomWriter,
} from '../models/configured';
import { makesVectors } from '../models/no-embedder';
import { bootstrap } from '../store/bootstrap';
import { Database } from '../store/database';
import { confirmSecretKey } from '../store/installation';
import { migrate } from '../store/migrate';
import { announceEmbedder } from '../store/reembed-starts';
import { createLogger, fileDestination, type Log, noteLostConnection } from '../telemetry/logger';
import { WorkerMeter } from '../telemetry/worker-meter';
import { Registration } from '../worker/registration';
import { installRuntime } from '../worker/runtime';
import { Workers } from '../worker/workers';
import { workflowBundlePath } from '../worker/workflow-bundle';
import { DataDirectory } from './data-directory';
import { locateTemporalCli, miniLmOf } from './fetch';
import { lockDataDir } from './lock';
import { type EmbeddedPostgres, startPglite } from './pglite-process';
import { removeRuntimeFile, writeRuntimeFile } from './runtime-file';
import { type EmbeddedTemporal, startTemporal } from './temporal-process';
import { Undo } from './undo';

export interface RunningCairn {
  url: string;
  temporalUi: string | null;
  ownerKey: { key: string; isNew: boolean; path: string };
  /** Which embedder recall goes by. */
  embedder: string;
  /** Drains and ends everything, the API first and the database last. */
  stop(): Promise<void>;
  /** Rejects when a part of it ends by itself; never resolves. */
  failed: Promise<never>;
}

/** What a simulation gives, and nobody else. */
export interface StartWith {
  /** Instead of the machine's own; what Temporal waits for goes by the machine's all the same. */
  clock?: Clock;
  /** Instead of the one that the build left. */
  workflowBundle?: string;
}

/** Of an own database, in one process; a real server takes more. */
const CONNECTIONS = 10;
/** Everybody stands in line for the one session of the embedded database: a burst is no reason for a 503. */
const ACQUIRE_MS = 30_000;

/**
 * Everything on one machine (design §10): what is not named in the environment is started here.
 * @throws a sentence that says what is missing; what was started by then is stopped again.
 */
export async function startEmbedded(
  options: Options,
  report: (line: string) => void,
  { clock = () => new Date(), workflowBundle = workflowBundlePath() }: StartWith = {},
): Promise<RunningCairn> {
  const undo = new Undo();
  try {
    return await start(options, report, undo, { clock, workflowBundle });
  } catch (error) {
    await undo.all();
    throw startFailure(error, options);
  }
}

async function start(
  options: Options,
  report: (line: string) => void,
  undo: Undo,
  { clock, workflowBundle }: Required<StartWith>,
): Promise<RunningCairn> {
  const { dataDir } = options;
  const lock = await lockDataDir(dataDir);
  undo.later(() => lock.release());
  // One that died left its own behind, and its port may be another program's by now.
  await removeRuntimeFile(dataDir);
  const log = createLogger(options.logLevel, fileDestination(join(dataDir, 'cairn.log')));
  const secretKey = options.secretKey ?? keyFile(dataDir, 'secret.key').key;
  const owner = ownerKey(options);
  const meter = new WorkerMeter();
  installRuntime(log, meter);
  const crash = new Crash();

  const [postgres, temporal, embedder] = await allSettled([
    startDatabase(options, report, log, undo, crash),
    startTemporalServer(options, report, undo, crash),
    loadEmbedder(options, report).then((loaded) => {
      undo.later(() => loaded.close());
      return loaded;
    }),
  ]);

  // The embedded database is one session: one connection behind a queue.
  const connections = postgres.embedded ? 1 : CONNECTIONS;
  const database = new Database({
    url: postgres.url,
    connections,
    acquireTimeoutMs: ACQUIRE_MS,
    onIdleError: noteLostConnection(log),
  });
  undo.later(() => database.close());
  await confirmSecretKey(database, secretKey, clock());
  await bootstrap(database, hashKey(owner.key), clock(), options.bootstrapKey !== null);
  const known = { id: embedder.id, makesVectors: makesVectors(embedder) };
  await announceEmbedder(database, known, clock(), report);
  const others = configuredOthers(options, miniLmOf(options, report));
  undo.later(() => others.close());

  const connection = await NativeConnection.connect(temporal.connectionOptions);
  undo.later(() => connection.close());
  const client = new Client({ connection, namespace: temporal.namespace });
  const { namespace } = temporal;
  const files = postgres.embedded ? { files: new DataDirectory(dataDir) } : {};
  const registration = await Registration.start({ connection, namespace, log, database });
  undo.later(() => registration.stop());
  const workers = await Workers.start({
    connection,
    namespace: temporal.namespace,
    workflowBundle,
    database,
    clock,
    log,
    embedder,
    distiller: configuredDistiller(options, clock),
    drafter: configuredFixDrafter(options, clock),
    wisdom: configuredWisdomWriter(options, clock),
    reflector: configuredReflector(options, clock),
    skillWriter: configuredSkillWriter(options, clock),
    failureReflector: configuredFailureReflector(options, clock),
    summaryWriter: configuredSummaryWriter(options, clock),
    factExtractor: configuredFactExtractor(options, clock),
    secretKey,
    connections,
    meter,
    ...files,
  });
  undo.later(() => workers.stop());
  void workers.done().then(
    () => crash.because('the Temporal workers ended'),
    () => crash.because('a Temporal worker failed; cairn.log has the reason'),
  );

  const server = await serveOn(options, {
    database,
    client,
    eager: true,
    clock,
    log,
    secretKey,
    languageModel: options.model,
    embedder: () => embedder,
    otherEmbedder: (model) => others.of(model),
    workerMetrics: meter.registry,
    ...files,
    host: options.host,
    knownNames: { origins: options.corsOrigins, hosts: options.allowedHosts },
    temporal: { ui: options.temporalUi ?? temporal.uiUrl, namespace },
    port: options.port,
  });
  undo.later(() => server.stop());
  await lock.announce(server.url);
  await writeRuntimeFile(dataDir, {
    pid: process.pid,
    url: server.url,
    temporal_address: temporal.address,
    temporal_namespace: temporal.namespace,
    temporal_ui: temporal.uiUrl,
    database_url: postgres.url,
  });
  undo.later(() => removeRuntimeFile(dataDir));
  return {
    url: server.url,
    temporalUi: temporal.uiUrl,
    ownerKey: owner,
    embedder: embedder.id,
    stop: async () => {
      crash.expected = true;
      await undo.all();
    },
    failed: crash.promise,
  };
}

/**
 * As `Promise.all`, but a failure waits for the others: what is still starting when a start is given up
 * would be stopped by nobody.
 */
async function allSettled<T extends [unknown, unknown, unknown]>(
  starts: {
    [K in keyof T]: Promise<T[K]>;
  },
): Promise<T> {
  await Promise.allSettled(starts);
  return (await Promise.all(starts)) as T;
}

function ownerKey(options: Options): RunningCairn['ownerKey'] {
  const path = join(options.dataDir, 'owner.key');
  if (options.bootstrapKey !== null) {
    keepOwnerKey(options.dataDir, options.bootstrapKey);
    return { key: options.bootstrapKey, isNew: false, path };
  }
  return { ...keyFile(options.dataDir, 'owner.key', 'cairn_'), path };
}

async function startDatabase(
  options: Options,
  report: (line: string) => void,
  log: Log,
  undo: Undo,
  crash: Crash,
): Promise<{ url: string; embedded: boolean }> {
  const embedded: EmbeddedPostgres | null =
    options.databaseUrl === null
      ? await startPglite({
          dataDir: options.dataDir,
          log: (line) => log.info({ part: 'postgres' }, line),
        })
      : null;
  if (embedded !== null) {
    undo.later(() => embedded.stop());
    void embedded.exited.then((why) => crash.because(`Postgres ended: ${why ?? 'stopped'}`));
  }
  const url = embedded?.url ?? options.databaseUrl ?? '';
  await migrate(url, ({ name }) => report(`migrating: ${name}`));
  report(embedded === null ? 'Postgres is ready' : 'Postgres is ready (embedded)');
  return { url, embedded: embedded !== null };
}

async function startTemporalServer(
  options: Options,
  report: (line: string) => void,
  undo: Undo,
  crash: Crash,
): Promise<ReturnType<typeof namedTemporal> & { address: string; uiUrl: string | null }> {
  if (options.temporalAddress !== null) {
    return { ...namedTemporal(options), address: options.temporalAddress, uiUrl: null };
  }
  const executable = await locateTemporalCli({
    cacheDir: options.cacheDir,
    offline: options.offline,
    searchPath: options.searchPath,
    onProgress: report,
    ...(options.temporalCli === null ? {} : { explicit: options.temporalCli }),
  });
  const temporal: EmbeddedTemporal = await startTemporal({
    executable,
    dataDir: options.dataDir,
    namespace: options.temporalNamespace,
    log: report,
    searchAttributes: Object.values(SEARCH_ATTRIBUTES),
  });
  undo.later(() => temporal.stop());
  void temporal.exited.then((why) => crash.because(`Temporal ended: ${why ?? 'stopped'}`));
  report('Temporal is ready (embedded)');
  const { address, namespace, uiUrl } = temporal;
  return { connectionOptions: { address }, address, namespace, uiUrl };
}

/** The embedder that the environment asks for; whoever loads it closes it. */
export async function loadEmbedder(options: Options, report: (line: string) => void) {
  const embedder = await configuredEmbedder(options, miniLmOf(options, report), report);
  report(`embeddings by ${embedder.id}`);
  return embedder;
}

/** The port of the environment is insisted on; of the default one any free one may take the place. */
async function serveOn(options: Options, deps: Parameters<typeof serve>[0]): Promise<Server> {
  try {
    return await serve(deps);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (options.portNamed) {
      throw new Error(
        `port ${options.port} is taken: stop what uses it, or set CAIRN_PORT to a free one`,
      );
    }
    return await serve({ ...deps, port: 0 });
  }
}

/** A part that ends before it was asked to takes the rest down: half a Cairn helps nobody. */
class Crash {
  expected = false;
  private reject: (error: Error) => void = () => {};
  readonly promise = new Promise<never>((_resolve, reject) => {
    this.reject = reject;
  });

  constructor() {
    this.promise.catch(() => {});
  }

  because(reason: string): void {
    if (!this.expected) this.reject(new Error(reason));
  }
}
