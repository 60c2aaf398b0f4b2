import { defineSearchAttributeKey, type SearchAttributeType } from '@temporalio/common';
import {
  encodeSearchAttributeIndexedValueType,
  type SearchAttributeKey,
} from '@temporalio/common/lib/search-attributes';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import {
  DefaultLogger,
  type LogLevel,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/search-attributes';
import { located, readRunRecord } from './run-record';

/**
 * The lane for reminders, expiry, retry backoff and cancellation: time jumps to the next timer while a
 * workflow *result* is awaited, for the whole server, and stands still while an activity runs. It has
 * no Schedules, no List or Count and no payload limit. One a test file.
 */
export async function createTimeSkippingEnv(): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  const path = located(readRunRecord().temporalTestServer);
  const env = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  });
  await env.connection.operatorService.addSearchAttributes({
    namespace: env.namespace ?? 'default',
    searchAttributes: Object.fromEntries(
      cairnSearchAttributes().map(({ name, type }) => [name, indexedValueType(type)]),
    ),
  });
  return env;
}

export interface DevServerEnvOptions {
  /** Registered besides Cairn's own. */
  searchAttributes?: SearchAttributeKey<SearchAttributeType>[];
  /** SQLite file, for tests that restart the server and expect its workflows back. Default: memory. */
  dbFilename?: string;
  /** Default: a free one. Name one to come back at the same address. */
  port?: number;
  /** Further flags of `temporal server start-dev`. */
  extraArgs?: string[];
}

/** The lane for everything else: the real server, with schedules, search attributes and limits. */
export async function createDevServerEnv(
  options: DevServerEnvOptions = {},
): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  const { searchAttributes = [], dbFilename, port, extraArgs = [] } = options;
  return TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: located(readRunRecord().temporalCli) },
      log: { format: 'pretty', level: 'never' },
      searchAttributes: [...cairnSearchAttributes(), ...searchAttributes],
      ...(dbFilename === undefined ? {} : { dbFilename }),
      ...(port === undefined ? {} : { port }),
      extraArgs: [
        ...DEV_SERVER_FLAGS,
        ...(dbFilename === undefined ? [] : FILE_FLAGS),
        ...extraArgs,
      ],
    },
  });
}

/** The default of 20 polls a second adds 50 ms to every workflow task; ids say which flag is which. */
const DEV_SERVER_FLAGS = [
  '--dynamic-config-value',
  'history.transferProcessorMaxPollRPS=1000',
  '--dynamic-config-value',
  'history.timerProcessorMaxPollRPS=1000',
];
/** Without these a file-backed server does a third of the work; what they risk is a power cut. */
const FILE_FLAGS = ['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=OFF'];

/** A worker of the test server. Give it the queue and the activities; the bundle is the run's own. */
export type TestWorkerOptions = Omit<
  WorkerOptions,
  'connection' | 'namespace' | 'workflowBundle'
> & {
  /** False for a queue of activities only, which starts in a fraction of the time. Default true. */
  workflows?: boolean;
  /** The path of other workflows than those that would ship. */
  bundle?: string;
};

/**
 * @example
 * const worker = await createWorker(env, { taskQueue: TASK_QUEUES.workflows, activities });
 * const result = await worker.runUntil(env.client.workflow.execute(capture, options));
 */
export function createWorker(
  env: TestWorkflowEnvironment,
  { workflows = true, bundle, ...options }: TestWorkerOptions,
): Promise<Worker> {
  return Worker.create({
    connection: env.nativeConnection,
    ...(env.namespace === undefined ? {} : { namespace: env.namespace }),
    ...(workflows ? { workflowBundle: { codePath: bundle ?? workflowBundlePath() } } : {}),
    ...options,
  });
}

/** The bundle that production code would run, built once for the whole test run. */
export function workflowBundlePath(): string {
  return located(readRunRecord().workflowBundle);
}

/**
 * Runs several workers until `work` settles, then shuts them down and answers what `work` answered.
 * A worker that fails makes the whole call fail, so that a broken bundle is not a timeout.
 */
export async function runWorkers<T>(workers: Worker[], work: () => Promise<T>): Promise<T> {
  const running = workers.map((worker) => worker.run());
  try {
    return await Promise.race([work(), Promise.all(running).then(endedEarly)]);
  } finally {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    await Promise.allSettled(running);
  }
}

function endedEarly(): never {
  throw new Error('the workers ended before the work did');
}

function cairnSearchAttributes(): SearchAttributeKey<SearchAttributeType>[] {
  return Object.values(SEARCH_ATTRIBUTES).map(({ name, type }) =>
    defineSearchAttributeKey(name, type),
  );
}

function indexedValueType(type: SearchAttributeType) {
  const encoded = encodeSearchAttributeIndexedValueType(type);
  if (encoded === undefined) throw new Error(`Temporal knows no search attribute type ${type}`);
  return encoded;
}

let installed = false;

/**
 * Turns the SDK's own logs off, once in a test file and before its first connection.
 * `CAIRN_TEST_LOG=WARN` brings back what a hanging test is silent about: failing workflow tasks.
 */
export function quietRuntime(): void {
  if (installed) return;
  installed = true;
  const level = process.env.CAIRN_TEST_LOG as LogLevel | undefined;
  Runtime.install({
    logger: level ? new DefaultLogger(level) : new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: {
      logging: { filter: { core: level ?? 'ERROR', other: 'ERROR' }, forward: {} },
    },
    // A test that shuts a worker down does it itself; an interrupt is for Jest.
    shutdownSignals: [],
  });
}
