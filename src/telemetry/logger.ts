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
