import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../contracts/clock';
import type { LimitsPolicy } from '../../contracts/policy';
import { DEFAULT_POLICY } from '../../domain/policy';
import type { Database } from '../../store/database';
import { type Quota, recordedBefore } from '../../store/usage';
import type { Caller } from '../authentication';
import { Problem } from '../problem';
import { AtOnce, tooManyStreams } from './at-once';
import { Quotas } from './quotas';
import { Rates, rateHeaders, type Standing, tooMany } from './rates';

/** What an event adds to, each by its own quota. */
const OF_EVENTS: readonly Quota[] = ['events_per_day', 'cards', 'payload_bytes'];

/**
 * Keys that are not good, of one address in a minute, where somebody types them: above any hand's, and a proxy's
 * address stands for many hands.
 */
const FAILED_SIGN_INS = 20;
/** Answers without end, of one key: a tab of a browser has one. */
const STREAMS_AT_ONCE = 20;

/**
 * Every limit of one server process. A call is counted by its key, so that one key's flood uses up nothing of
 * another's; the policy is the one of the call itself, so that a change holds from the next one on.
 */
export class Limits {
  readonly quotas: Quotas;
  private readonly rates = new Rates();
  private readonly atOnce = new AtOnce();
  private readonly streams = new AtOnce(tooManyStreams);

  constructor(clock: Clock) {
    this.quotas = new Quotas(clock);
  }

  /**
   * Before the key is looked up: a flood costs the database nothing.
   * @param holder the hash of the key
   * @throws Problem 429
   */
  requireRoom(holder: string): void {
    this.rates.requireRoom(holder);
  }

  /** Counts a call by a good key and tells in its answer what is left. @throws Problem 429 */
  async admit(request: FastifyRequest, reply: FastifyReply, holder: string): Promise<void> {
    const { context, keyId, keyRate } = request.caller;
    const { workspace } = context;
    const limits = limitsOf(request.caller);
    const key = `${workspace}/${keyId}`;
    const standings: Standing[] = [];
    const ofKey = lower(limits.key_requests_per_minute, keyRate);
    if (ofKey !== null) standings.push(await this.rates.take('key', key, ofKey));
    const ofWorkspace = governs(request.caller) ? null : limits.requests_per_minute;
    if (ofWorkspace !== null && standings.every(({ refused }) => !refused)) {
      standings.push(await this.rates.take('workspace', workspace, ofWorkspace));
    }
    reply.headers(rateHeaders(standings));
    const refused = standings.find((one) => one.refused);
    if (refused !== undefined) {
      this.rates.shut(holder, refused);
      throw tooMany(refused);
    }
    if (request.routeOptions.config.endless === true) {
      this.streams.take(key, STREAMS_AT_ONCE, request, reply.raw);
      return;
    }
    const { key_requests_at_once: atOnce } = limits;
    if (atOnce !== null) this.atOnce.take(key, atOnce, request, reply.raw);
  }

  /**
   * Looks up a key that somebody typed: where it is not good, the address has one try less.
   * @throws Problem 429 without looking, and whatever `find` throws
   */
  async signingIn<T>(address: string, find: () => Promise<T>): Promise<T> {
    // Counted first, so that many tries at one moment are not let through together.
    const standing = await this.rates.take('sign_in', address, FAILED_SIGN_INS);
    if (standing.refused) throw tooMany(standing);
    let failed = false;
    try {
      return await find();
    } catch (error) {
      failed = error instanceof Problem && error.status === 401;
      throw error;
    } finally {
      if (!failed) await this.rates.giveBack('sign_in', address);
    }
  }

  /**
   * To be asked before a batch is recorded, whole: one that does not fit in leaves nothing. What was recorded before
   * takes no room, so that whoever did not hear of it may ask again.
   * @param ids of the events; what has none is counted too
   * @throws Problem 429 or 403
   */
  async requireEventRoom(
    database: Database,
    caller: Caller,
    ids: readonly unknown[],
  ): Promise<void> {
    const events = ids.length;
    if (events === 0) return;
    const { workspace } = caller.context;
    const limits = limitsOf(caller);
    const { events_per_minute: rate } = limits;
    if (rate !== null) {
      // A batch above the rate itself would never fit in: it takes a whole minute.
      const standing = await this.rates.take('events', workspace, rate, Math.min(events, rate));
      if (standing.refused) throw tooMany(standing);
    }
    const set = OF_EVENTS.filter((quota) => limits[quota] !== null);
    if (set.length === 0) return;
    await database.inWorkspace(workspace, async (tx) => {
      const named = ids.filter((id) => typeof id === 'string');
      const known = await recordedBefore(tx, named);
      const more = new Set(named.filter((id) => !known.has(id))).size + events - named.length;
      if (more === 0) return;
      for (const quota of set) {
        // Most events become a card, and some do not: the cards are counted where they are filed.
        const adds = quota === 'events_per_day' ? more : 0;
        await this.quotas.requireRoom(tx, quota, limits, adds);
      }
    });
  }
}

export function limitsOf({ policyDocument }: Pick<Caller, 'policyDocument'>): LimitsPolicy {
  return { ...DEFAULT_POLICY.limits, ...policyDocument.limits };
}

/** Who may revoke the key that floods, and so has to get through. */
function governs({ context }: Caller): boolean {
  const { role } = context.principal;
  return role === 'owner' || role === 'operator';
}

function lower(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
