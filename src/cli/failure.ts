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
}

/** Whatever was thrown, as the shell and its user are told. */
export function toldOf(error: unknown): Told {
  if (error instanceof CommanderError) {
    // Commander has written its help or its complaint by itself.
    const asked = error.code === 'commander.helpDisplayed' || error.code === 'commander.version';
    return { exit: asked ? EXIT.ok : EXIT.wrongUse, code: error.code, sentence: null };
  }
  if (error instanceof WrongUse)
    return { exit: EXIT.wrongUse, code: 'wrong_use', sentence: error.message };
  if (error instanceof Failed)
    return { exit: EXIT.failed, code: error.code, sentence: error.message };
  if (error instanceof CairnError) {
    return { exit: EXIT.failed, code: error.code, sentence: sentenceOf(error) };
  }
  const sentence = error instanceof Error ? error.message : String(error);
  return { exit: EXIT.failed, code: 'failed', sentence };
}

function sentenceOf(error: CairnError): string {
  const pointer = error.problem.pointer;
  const where = typeof pointer === 'string' && pointer !== '' ? ` (${pointer})` : '';
  const what = error.status === 0 ? '' : ` [${error.status} ${error.code}]`;
  return `${error.detail}${where}${what}`;
}
