import { CommanderError } from 'commander';
import { CairnError } from '../client/error';

/** What a shell reads: 0, 1 for failure, 2 for wrong use. */
export const EXIT = { ok: 0, failed: 1, wrongUse: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command was written wrong; the message says how it is right. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

/** The command could not be done; the message says what to do. */
export class Failed extends Error {
  override readonly name = 'Failed';
  constructor(
    message: string,
    /** For programs, with `--json`. */
    readonly code: string = 'failed',
  ) {
    super(message);
  }
}

export interface Told {
  exit: ExitCode;
  code: string;
  /** For people, one sentence. Null where everything was said already. */
  sentence: string | null;
  /** For programs, with `--json`. Null where nothing went wrong. */
  detail: string | null;
}

/** Whatever was thrown, as the shell and its user are told. */
export function toldOf(error: unknown): Told {
  if (error instanceof CommanderError) {
    // Commander has written its help or its complaint by itself.
    const asked = ['commander.helpDisplayed', 'commander.help', 'commander.version'];
    const isAnswer = asked.includes(error.code) && error.exitCode === 0;
    const exit = isAnswer ? EXIT.ok : EXIT.wrongUse;
    return { exit, code: 'wrong_use', sentence: null, detail: isAnswer ? null : error.message };
  }
  const told = (exit: ExitCode, code: string, sentence: string): Told => ({
    exit,
    code,
    sentence,
    detail: sentence,
  });
  if (error instanceof WrongUse) return told(EXIT.wrongUse, 'wrong_use', error.message);
  if (error instanceof Failed) return told(EXIT.failed, error.code, error.message);
  if (error instanceof CairnError) return told(EXIT.failed, error.code, sentenceOf(error));
  return told(EXIT.failed, 'failed', error instanceof Error ? error.message : String(error));
}

function sentenceOf(error: CairnError): string {
  const pointer = error.problem.pointer;
  const where = typeof pointer === 'string' && pointer !== '' ? ` (${pointer})` : '';
  const what = error.status === 0 ? '' : ` [${error.status} ${error.code}]`;
  return `${error.detail}${where}${what}`;
}
