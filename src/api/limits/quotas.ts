import type { Clock } from '../../contracts/clock';
import type { LimitsPolicy } from '../../contracts/policy';
import { DAY_MS } from '../../domain/durations';
import type { Tx } from '../../store/database';
import { countUsage, type Quota } from '../../store/usage';
import { Problem } from '../problem';

/** How long a count serves, at least; one that took long serves longer, so that counting is a twentieth of the load. */
const FRESH_MS = 10_000;
const SHARE_OF_TIME = 20;

interface Known {
  used: number;
  /** As the database counted, and nothing was added since. */
  exact: boolean;
  /** Of `performance.now()`. */
  until: number;
  /** By the calendar: a day's count is no other day's. */
  day: string;
}

/**
 * What each workspace holds, counted now and then and kept up to date by what this process adds: a quota may be
 * passed by what other processes add within those seconds, and by the one batch that reaches it.
 */
export class Quotas {
  private readonly known = new Map<string, Known>();

  constructor(private readonly clock: Clock) {}

  /**
   * To be asked in the transaction that adds.
   * @param adds how many come, where that is known beforehand; else 0, and the next count has them
   * @throws Problem 429 where waiting helps, else 403
   */
  async requireRoom(tx: Tx, quota: Quota, limits: LimitsPolicy, adds = 1): Promise<void> {
    const limit = limits[quota];
    if (limit === null) return;
    let known = this.fresh(tx, quota) ?? (await this.count(tx, quota));
    // What was added may have been there already, or was undone: nobody is refused by a sum of ours.
    if (known.used >= limit && !known.exact) known = await this.count(tx, quota);
    if (known.used >= limit) throw overQuota(quota, limit, known.used, this.clock());
    if (adds === 0) return;
    known.used += adds;
    known.exact = false;
  }

  private fresh(tx: Tx, quota: Quota): Known | null {
    const known = this.known.get(`${quota} ${tx.workspace}`);
    const isFresh = known !== undefined && known.until > performance.now();
    return isFresh && known.day === dayOf(this.clock()) ? known : null;
  }

  private async count(tx: Tx, quota: Quota): Promise<Known> {
    const now = this.clock();
    const began = performance.now();
    const used = await countUsage(tx, quota, now);
    const ended = performance.now();
    const until = ended + Math.max(FRESH_MS, (ended - began) * SHARE_OF_TIME);
    const known = { used, exact: true, until, day: dayOf(now) };
    this.known.set(`${quota} ${tx.workspace}`, known);
    return known;
  }
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

function overQuota(quota: Quota, limit: number, used: number, now: Date): Problem {
  const { holds, then } = SAID[quota];
  const passes = quota === 'events_per_day';
  const seconds = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000);
  return new Problem(
    passes ? 429 : 403,
    'quota_exceeded',
    `this workspace ${holds(limit)} (policy limits.${quota}) and has ${used}; nothing of this call was taken: ${then}`,
    { quota, limit, used, ...(passes ? { retry_after: seconds } : {}) },
    passes ? { 'retry-after': String(seconds) } : {},
  );
}

const SAID: Readonly<Record<Quota, { holds(limit: number): string; then: string }>> = {
  events_per_day: {
    holds: (limit) => `takes ${limit} new events a day`,
    then: 'send it again after midnight UTC, or have an owner or operator raise it',
  },
  cards: {
    holds: (limit) => `keeps ${limit} cards`,
    then: 'delete cards that are of no use, or have an owner or operator raise it',
  },
  payload_bytes: {
    holds: (limit) => `keeps ${limit} bytes of event payloads`,
    then: 'have an owner or operator shorten retention.event_payload or raise it',
  },
  open_conversations: {
    holds: (limit) => `keeps ${limit} conversations open`,
    then: 'close those that are over, or have an owner or operator raise it',
  },
};
