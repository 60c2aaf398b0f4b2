import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Problem } from '../problem';

/** Of every rate: the first call opens a minute, and the next call after it opens another. */
const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;

/** Whose rate it is, as headers and answers name it. */
export type RateOf = 'key' | 'workspace' | 'events' | 'sign_in';

/** One rate, and where a caller stands in it. */
export interface Standing {
  of: RateOf;
  limit: number;
  /** What is left of it; 0 where a call is refused. */
  left: number;
  /** Until the minute is over. */
  resetMs: number;
  refused: boolean;
}

/**
 * Counts in this process alone, so that a call costs no statement: several servers together let through that many
 * times what the policy says. Nothing of it is kept, and a new start begins with nothing counted.
 */
export class Rates {
  private readonly counted = new RateLimiterMemory({ points: 0, duration: WINDOW_SECONDS });
  /** Holders of keys that used up their minute, and until when: they are refused without asking the database. */
  private readonly refusedUntil = new Map<string, { until: number; standing: Standing }>();

  /** Counts `cost` where it fits in; what is refused counts for nothing. */
  async take(of: RateOf, whose: string, limit: number, cost = 1): Promise<Standing> {
    const name = `${of} ${whose}`;
    const { consumedPoints, msBeforeNext } = await this.counted.penalty(name, cost);
    const refused = consumedPoints > limit;
    if (refused) await this.counted.reward(name, cost);
    const left = Math.max(0, limit - consumedPoints);
    return { of, limit, left, resetMs: Math.min(Math.max(msBeforeNext, 1), WINDOW_MS), refused };
  }

  /** What was counted counts for nothing. */
  async giveBack(of: RateOf, whose: string): Promise<void> {
    await this.counted.reward(`${of} ${whose}`, 1);
  }

  /** The next calls of this holder are refused by `requireRoom` until the minute is over. */
  shut(holder: string, standing: Standing): void {
    this.refusedUntil.set(holder, { until: performance.now() + standing.resetMs, standing });
  }

  /** @throws Problem 429 where this holder has used up the minute. */
  requireRoom(holder: string): void {
    const shut = this.refusedUntil.get(holder);
    if (shut === undefined) return;
    const resetMs = shut.until - performance.now();
    if (resetMs > 0) throw tooMany({ ...shut.standing, resetMs });
    this.refusedUntil.delete(holder);
  }
}

/** `RateLimit-Policy` and `RateLimit` as the IETF's draft of these fields has them. */
export function rateHeaders(standings: readonly Standing[]): Record<string, string> {
  if (standings.length === 0) return {};
  const list = (item: (one: Standing) => string) => standings.map(item).join(', ');
  return {
    'ratelimit-policy': list(({ of, limit }) => `"${of}";q=${limit};w=${WINDOW_SECONDS}`),
    ratelimit: list(({ of, left, resetMs }) => `"${of}";r=${left};t=${secondsOf(resetMs)}`),
  };
}

export function tooMany(standing: Standing): Problem {
  const { of, limit, resetMs } = standing;
  const seconds = secondsOf(resetMs);
  return new Problem(
    429,
    'rate_limited',
    `${SAID[of](limit)}; nothing of this call was taken: send it again in ${seconds} s`,
    { limit, of, retry_after: seconds },
    { 'retry-after': String(seconds), ...rateHeaders([standing]) },
  );
}

const SAID: Readonly<Record<RateOf, (limit: number) => string>> = {
  key: (limit) => `this key has made its ${limit} requests of this minute`,
  workspace: (limit) => `the keys of this workspace have made its ${limit} requests of this minute`,
  events: (limit) => `this workspace takes ${limit} events a minute, and these would be more`,
  sign_in: (limit) => `${limit} keys from this address were not good within a minute`,
};

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
