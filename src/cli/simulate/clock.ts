import type { Clock } from '../../contracts/clock';

/** The world's hour as the product's clock; between two settings it goes on as time does, and never back. */
export interface WorldClock {
  now: Clock;
  /** Epoch milliseconds of the world. */
  set(at: number): void;
  /** What the product takes for a time of the world, RFC 3339. */
  told(time: string): string;
}

const WEEK_MS = 7 * 86_400_000;

/**
 * The product gets the world's time moved on by whole weeks, to begin after this very moment: Temporal's timers go
 * by the machine's clock, and a deadline that is long past for them would be over as soon as it is set.
 *
 * @param start the first moment of the world, epoch milliseconds
 */
export function worldClock(start: number, real = Date.now()): WorldClock {
  const ahead = Math.max(0, Math.ceil((real - start) / WEEK_MS)) * WEEK_MS;
  let at = start;
  let setAt = performance.now();
  let latest = start;
  const now = () => {
    latest = Math.max(latest, Math.floor(at + performance.now() - setAt));
    return latest;
  };
  return {
    now: () => new Date(now() + ahead),
    set: (next) => {
      at = next;
      setAt = performance.now();
    },
    told: (time) => new Date(Date.parse(time) + ahead).toISOString(),
  };
}
