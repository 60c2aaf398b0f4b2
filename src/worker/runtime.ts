import type { Logger, LogLevel, LogMetadata } from '@temporalio/worker';
import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Log } from '../telemetry/logger';

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

/**
 * Installs Temporal's runtime: once a process, before any connection or worker.
 * Signals stay ours, so that everything is drained in one order.
 */
export function installRuntime(log: Log): void {
  Runtime.install({
    logger: bridgeTo(log),
    shutdownSignals: [],
    telemetryOptions: {
      logging: {
        filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }),
        forward: {},
      },
    },
  });
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
