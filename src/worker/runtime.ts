import type { Logger, LogLevel, LogMetadata } from '@temporalio/worker';
import { MetricsBuffer, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Log } from '../telemetry/logger';
import type { WorkerMeter } from '../telemetry/worker-meter';

/** Ids that a line may carry; anything else of the SDK's attributes stays out of the log. */
const LOGGED = [
  'workflowId',
  'runId',
  'workflowType',
  'activityType',
  'taskQueue',
  'attempt',
  'step',
];

/** The SDK says about fifty things of each workflow: this is ten seconds of what one machine can do. */
const BUFFERED_UPDATES = 50_000;
/** Two microseconds an update, measured: about a percent of what a workflow costs. */
const DRAIN_MS = 1_000;

/**
 * Installs Temporal's runtime: once a process, before any connection or worker.
 * Signals stay ours, so that everything is drained in one order. Metrics come through a buffer and need no
 * port of their own.
 */
export function installRuntime(log: Log, meter: WorkerMeter): void {
  const buffer = new MetricsBuffer({ maxBufferSize: BUFFERED_UPDATES });
  Runtime.install({
    logger: bridgeTo(log),
    shutdownSignals: [],
    telemetryOptions: {
      logging: {
        filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }),
        forward: {},
      },
      metrics: { buffer },
    },
  });
  setInterval(() => {
    for (const { metric, value, attributes } of buffer.retrieveUpdates()) {
      meter.take({ name: metric.name, value, tags: attributes });
    }
  }, DRAIN_MS).unref();
}

/** The SDK's INFO tells of every poll and task: it is our DEBUG. */
const PINO_LEVEL = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'debug',
  WARN: 'warn',
  ERROR: 'error',
} as const satisfies Record<LogLevel, string>;

function bridgeTo(log: Log): Logger {
  const write = (level: LogLevel, message: string, meta?: LogMetadata): void => {
    const fields = Object.fromEntries(
      LOGGED.flatMap((name) => (meta?.[name] === undefined ? [] : [[name, meta[name]]])),
    );
    log[PINO_LEVEL[level]](fields, message);
  };
  return {
    log: write,
    trace: (message, meta) => write('TRACE', message, meta),
    debug: (message, meta) => write('DEBUG', message, meta),
    info: (message, meta) => write('INFO', message, meta),
    warn: (message, meta) => write('WARN', message, meta),
    error: (message, meta) => write('ERROR', message, meta),
  };
}
