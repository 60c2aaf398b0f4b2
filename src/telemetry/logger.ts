import pino, { type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** JSON lines with ids, never content. Stderr unless told otherwise: stdout is spoken to people and programs. */
export function createLogger(level: string, destination?: DestinationStream): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, destination ?? pino.destination({ dest: 2, sync: false }));
}

/** Appends to a file that only its owner reads. */
export function fileDestination(path: string): DestinationStream {
  return pino.destination({ dest: path, mkdir: true, append: true, sync: false, mode: 0o600 });
}

/** For a pool of connections: a lost one is replaced, and its error's kind is all that is told. */
export function noteLostConnection(log: Log): (error: Error) => void {
  return (error) => log.warn({ err: error.name }, 'a database connection was lost');
}
