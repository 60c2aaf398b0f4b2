import { RECALLED_STATUSES } from '../contracts/names';
import { epochMs } from './read-time';
import type { ConflictCard } from './resolve';

/** As much of the other end of an edge as decides a conflict, and until when it held. */
export type OtherEnd = ConflictCard & { valid_to?: string | null };

/**
 * Whether a card may be shown, or beat another, at `asOf`: one that was superseded held until then, so
 * an as-of read of before has it.
 */
export function stands(
  card: OtherEnd & { expires_at?: string | null },
  { asOf, now }: { asOf: number; now: number },
): boolean {
  const isOver = card.valid_to != null && epochMs(card.valid_to) <= asOf;
  const isExpired = card.expires_at != null && epochMs(card.expires_at) <= now;
  if (isOver || isExpired || epochMs(card.valid_from) > asOf) return false;
  if ((RECALLED_STATUSES as readonly string[]).includes(card.status)) return true;
  return card.status === 'superseded' && card.valid_to != null;
}
