import { type CardStatus, RECALLED_STATUSES } from '../../contracts/names';
import type { Episode } from '../consolidation/episode';
import { memberOf } from '../consolidation/groups';
import type { Moved, MovedReason } from '../consolidation/moved';
import { epochMs } from '../read-time';

/**
 * Of the cards that a finding rests on, those that are no longer what was read, and those that other readers than the
 * first one's may see by now: what was made of them would be seen by who may not see all of it.
 *
 * @param versions as they were read, by id
 * @param now epoch milliseconds
 */
export function movedSources(
  versions: Readonly<Record<string, number>>,
  cards: ReadonlyMap<string, Episode>,
  now: number,
): Moved[] {
  const ids = Object.keys(versions).sort();
  const moved = ids.flatMap((id) => {
    const reason = reasonOf(versions[id], cards.get(id), now);
    return reason === null ? [] : [{ id, reason }];
  });
  if (moved.length > 0) return moved;
  const [first] = ids.flatMap((id) => cards.get(id) ?? []);
  return ids.flatMap((id) => {
    const card = cards.get(id);
    const apart = card !== undefined && first !== undefined && memberOf(card) !== memberOf(first);
    return apart ? [{ id, reason: 'shares_changed' as const }] : [];
  });
}

function reasonOf(
  version: number | undefined,
  card: Episode | undefined,
  now: number,
): MovedReason | null {
  if (card === undefined) return 'gone';
  if (!(RECALLED_STATUSES as readonly CardStatus[]).includes(card.status)) return 'not_in_use';
  if (card.version !== version) return 'changed';
  if (card.expires_at !== null && epochMs(card.expires_at) <= now) return 'expired';
  return null;
}
