import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { LogLevel, LogMetadata, Logger } from '@temporalio/worker';
import type { Log } from '../telemetry/logger';

/** Ids that a line may carry; anything else of the SDK's attributes stays out of the log. */
const LOGGED = ['workflowId', 'runId', 'workflowType', 'activityType', 'taskQueue', 'attempt', 'step'];

/**
 * Installs Temporal's runtime: once a process, before any connection or worker.
 * Signals stay ours, so that everything is drained in one order.
 */
export function installRuntime(log: Log): void {
  Runtime.install({
    logger: bridgeTo(log),
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }), forward: {} } },
  });
}

function bridgeTo(log: Log): Logger {
  const write = (level: LogLevel, message: string, meta?: LogMetadata): void => {
    const fields = Object.fromEntries(
      LOGGED.flatMap((name) => (meta?.[name] === undefined ? [] : [[name, meta[name]]])),
    );
    switch (level) {
      case 'TRACE':
      case 'DEBUG':
      case 'INFO':
        return log.debug(fields, message);
      case 'WARN':
        return log.warn(fields, message);
      case 'ERROR':
        return log.error(fields, message);
      default:
        return level satisfies never;
    }
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
