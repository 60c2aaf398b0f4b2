import type { DeliveryError, DeliveryState } from '../contracts/webhook';

/** Tries of a delivery, or of one round of them after a retry by hand: about 23 hours in all. */
export const DELIVERY_TRIES = 12;

const FIRST_DELAY_MS = 5_000;
const FACTOR = 3;
const LAST_DELAY_MS = 6 * 60 * 60_000;
/** Of the delay, either way: what failed together does not come back together. */
const JITTER = 0.2;

/** What one try came to: the status that was answered, or why none was. */
export interface TryOutcome {
  status: number | null;
  error: DeliveryError | null;
}

/** How a delivery stands after a try. */
export interface AfterTry {
  state: DeliveryState;
  /** Milliseconds until the next try; null where there is none. */
  delayMs: number | null;
}

/** What an answered status means: null for a success, which is 2xx and nothing else. */
export function errorOfStatus(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirected';
  return status === 410 ? 'gone' : 'status';
}

/**
 * The pause after a failed try: 5 s, then three times as long each time, at most six hours, and up to a
 * fifth more or less.
 * @param tries made so far, from 1
 * @param dice 0 to 1
 */
export function deliveryDelayMs(tries: number, dice: number): number {
  const delay = Math.min(LAST_DELAY_MS, FIRST_DELAY_MS * FACTOR ** (tries - 1));
  return Math.round(delay * (1 - JITTER + 2 * JITTER * dice));
}

/** @param tries made in this round, this one included */
export function afterTry({ error }: TryOutcome, tries: number, dice: number): AfterTry {
  if (error === null) return { state: 'delivered', delayMs: null };
  if (error === 'gone' || tries >= DELIVERY_TRIES) return { state: 'failed', delayMs: null };
  return { state: 'pending', delayMs: deliveryDelayMs(tries, dice) };
}
