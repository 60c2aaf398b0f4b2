import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, type ExitCode } from './failure';

/** A part that runs until it is asked to stop. */
export interface Running {
  stop(): Promise<void>;
  /** Rejects, or settles, when it ends by itself. */
  ended?: Promise<unknown>;
}

type Signals = Pick<NodeJS.Process, 'on' | 'off'>;

/**
 * npm passes a Ctrl-C on to its script, which the terminal has told already: the two come within a
 * few milliseconds, and only one was meant.
 */
const SAME_SIGNAL_MS = 1_000;

/**
 * What has lost a part of it may wait for that part for ever: it is given the time that the parts which
 * are well need to end in order, and then the process goes.
 */
const FALL_GRACE_MS = 5_000;

/**
 * Runs until SIGINT or SIGTERM, then drains. A second signal ends the process at once.
 *
 * @param ready told when it is up; not at all when the signal came before
 * @returns 0 after a drain that was asked for
 * @throws what the start threw, or the reason for which it ended by itself
 */
export async function serveUntilSignal<T extends Running>(
  start: () => Promise<T>,
  ready: (running: T) => void,
  note: (line: string) => void,
  signals: Signals = process,
  exit: (code: number) => void = process.exit,
): Promise<ExitCode> {
  let stop: () => void = () => {};
  let askedAt: number | undefined;
  const asked = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const onSignal = (signal: NodeJS.Signals) => {
    const now = Date.now();
    if (askedAt === undefined) {
      askedAt = now;
      note(`${signal}: finishing what is in hand (once more to end at once)`);
      stop();
    } else if (now - askedAt > SAME_SIGNAL_MS) {
      exit(signal === 'SIGINT' ? 130 : 143);
    }
  };
  signals.on('SIGINT', onSignal);
  signals.on('SIGTERM', onSignal);
  try {
    const running = await start();
    if (askedAt === undefined) ready(running);
    const ended = running.ended?.then(
      () => new Error('it ended by itself'),
      (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
    );
    const reason = await Promise.race([asked, ...(ended ? [ended] : [])]);
    if (reason === undefined) {
      await running.stop();
      return EXIT.ok;
    }
    await withinGrace(running.stop());
    throw reason;
  } finally {
    signals.off('SIGINT', onSignal);
    signals.off('SIGTERM', onSignal);
  }
}

async function withinGrace(stopped: Promise<void>): Promise<void> {
  const waited = new AbortController();
  const { signal } = waited;
  const overdue = sleep(FALL_GRACE_MS, undefined, { signal }).catch(() => undefined);
  await Promise.race([stopped, overdue]);
  waited.abort();
}
