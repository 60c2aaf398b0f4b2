import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import { type Options, requireServers } from '../config/options';
import { startFailure } from '../config/start-failure';
import { namedTemporal } from '../config/temporal';
import { miniLmOf } from '../embedded/fetch';
import {
  configuredDistiller,
  configuredEmbedder,
  configuredFactExtractor,
  configuredFailureReflector,
  configuredFixDrafter,
  configuredReflector,
  configuredSkillWriter,
  configuredSummaryWriter,
  configuredWisdomWriter,
} from '../models/configured';
import { makesVectors } from '../models/no-embedder';
import { Database } from '../store/database';
import { confirmSecretKey } from '../store/installation';
import { announceEmbedder } from '../store/reembed-starts';
import { createLogger, noteLostConnection } from '../telemetry/logger';
import { WorkerMeter } from '../telemetry/worker-meter';
import { listen } from './listener';
import { Registration } from './registration';
import { installRuntime } from './runtime';
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
/** Longer than a local step may take, 3 s: one that waits in vain is cut short by its own time. */
const ACQUIRE_MS = 5_000;

/** `cairn worker`: any number of them may run beside each other. Migrations are the server's to run. */
export async function startWorker(
  options: Options,
  report: (line: string) => void,
): Promise<RunningWorker> {
  try {
    return await start(options, report);
  } catch (error) {
    throw startFailure(error, options);
  }
}

async function start(options: Options, report: (line: string) => void): Promise<RunningWorker> {
  const { databaseUrl, secretKey } = requireServers(options);
  const log = createLogger(options.logLevel);
  const clock = () => new Date();
  const meter = new WorkerMeter();
  installRuntime(log, meter);
  const database = new Database({
    url: databaseUrl,
    connections: CONNECTIONS,
    acquireTimeoutMs: ACQUIRE_MS,
    onIdleError: noteLostConnection(log),
  });
  await afterMigration(() => confirmSecretKey(database, secretKey, clock()), report);
  const { connectionOptions, namespace } = namedTemporal(options);
  const connection = await NativeConnection.connect(connectionOptions);
  const registration = await Registration.start({ connection, namespace, log, database });
  const embedder = await configuredEmbedder(options, miniLmOf(options, report), report);
  const known = { id: embedder.id, makesVectors: makesVectors(embedder) };
  await announceEmbedder(database, known, clock(), report);
  const workers = await Workers.start({
    connection,
    namespace,
    workflowBundle: workflowBundlePath(),
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
    connections: CONNECTIONS,
    ...(options.workerBuildId === null ? {} : { buildId: options.workerBuildId }),
    meter,
  });
  const listener =
    options.workerListen === null
      ? null
      : await listen(options.workerListen, meter, () => workers.running());
  if (listener !== null) report(`metrics and health at ${listener.url}`);
  report(`working, embeddings by ${embedder.id}`);
  return {
    done: workers.done(),
    stop: async () => {
      await registration.stop();
      await workers.stop();
      await listener?.stop();
      await connection.close();
      await embedder.close();
      await database.close();
    },
  };
}

/** A server that starts beside it migrates within seconds. */
const MIGRATION_DEADLINE_MS = 120_000;
/** One small query; a worker that waits has nothing else to do. */
const MIGRATION_LOOK_MS = 1_000;

async function afterMigration(
  confirm: () => Promise<boolean>,
  report: (line: string) => void,
): Promise<void> {
  const deadline = Date.now() + MIGRATION_DEADLINE_MS;
  for (let look = 1; !(await confirm()); look += 1) {
    if (look === 1) report('waiting for `cairn server` to migrate the database');
    if (Date.now() > deadline) {
      throw new Error('the database is not migrated: start `cairn server` of this version first');
    }
    await sleep(MIGRATION_LOOK_MS);
  }
}
