/**
 * What every pass hears: `pause` and `resume`, by signal. A paused one finishes the step in hand, starts nothing
 * further, and goes on when it is told to. Cancelling is Temporal's own.
 *
 * Two that were said within a second may arrive in either order: each carries when it was said, in milliseconds since
 * 1970, and the one that was said last holds. Sent by hand, from Temporal's own tools, they need not say it.
 */
import { condition, defineSignal, setHandler } from '@temporalio/workflow';
import { PAUSE_SIGNAL, RESUME_SIGNAL } from '../contracts/passes';

export const pause = defineSignal<[at?: number]>(PAUSE_SIGNAL);
export const resume = defineSignal<[at?: number]>(RESUME_SIGNAL);

export interface PassControl {
  isPaused(): boolean;
  /** Returns at once unless the pass is paused; two events where it was. */
  whileRunning(): Promise<void>;
}

/** @param told hears of each change, for whatever runs below this one */
export function passControl(
  paused: boolean,
  told: (paused: boolean, at?: number) => void = () => {},
): PassControl {
  let isPaused = paused;
  let last = 0;
  const hear = (wanted: boolean) => (at?: number) => {
    if (at !== undefined && at < last) return;
    last = at ?? last;
    isPaused = wanted;
    told(wanted, at);
  };
  setHandler(pause, hear(true));
  setHandler(resume, hear(false));
  return {
    isPaused: () => isPaused,
    whileRunning: async () => {
      if (isPaused) await condition(() => !isPaused);
    },
  };
}
