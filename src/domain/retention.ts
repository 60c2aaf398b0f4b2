import { CARD_KINDS, type CardKind, TIER_OF_KIND } from '../contracts/names';
import type { ForgetRule, Policy } from '../contracts/policy';
import { durationMs } from './durations';

/**
 * Kinds whose cards leave by age once their time is over (source: the essay on tiers, "Evict"): episodic ones
 * always; semantic and procedural ones only while the policy names a horizon for the very kind. A card of
 * another kind leaves by age only where somebody gave that one card a time.
 */
export function expiringKinds(byKind: Policy['retention']['by_kind']): CardKind[] {
  return CARD_KINDS.filter((kind) => TIER_OF_KIND[kind] === 'episodic' || byKind[kind] !== null);
}

/** How long what a restricted agent posted waits for its parent or a person: P30D, as the payload of an event is kept. */
export const PENDING_WRITE_MS = durationMs('P30D');

/** The times that retention goes by, of one moment. What lies before each is over. */
export interface RetentionTimes {
  now: Date;
  /** Archived or deleted before it: cannot be restored any more. */
  restorableSince: Date;
  /** Recorded before it: an event without its payload. */
  payloadsSince: Date;
  /** Posted before it by a restricted agent: no longer waits for anybody. */
  pendingSince: Date;
  /** What matches and was recorded before it is forgotten. */
  forget: { match: ForgetRule['match']; before: Date }[];
}

export function retentionTimes(policy: Policy, now: Date): RetentionTimes {
  const ago = (duration: string) => new Date(now.getTime() - durationMs(duration));
  return {
    now,
    restorableSince: ago(policy.retention.restore_window),
    payloadsSince: ago(policy.retention.event_payload),
    pendingSince: new Date(now.getTime() - PENDING_WRITE_MS),
    forget: policy.retention.forget.map(({ match, after }) => ({ match, before: ago(after) })),
  };
}

/**
 * When a card that is brought back expires: one whose time was over has that of its kind once more, counted
 * from now, and none where the policy names none; any other keeps its own.
 */
export function expiryOnceRestored(
  card: { kind: CardKind; expiresAt: Date | null },
  policy: Policy,
  now: Date,
): Date | null {
  if (card.expiresAt === null || card.expiresAt > now) return card.expiresAt;
  const horizon = policy.retention.by_kind[card.kind];
  return horizon === null ? null : new Date(now.getTime() + durationMs(horizon));
}
