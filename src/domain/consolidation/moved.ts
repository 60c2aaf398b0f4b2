import { type CardStatus, RECALLED_STATUSES } from '../../contracts/names';
import { epochMs } from '../read-time';
import { type Episode, isUnresolvedWarning } from './episode';
import { halvesAmong } from './groups';

/** A source as it was when the pass read it. */
export interface PlannedSource {
  id: string;
  version: number;
  share: string;
  /** Whether it was to retire; a warning that nothing resolved is only told. */
  retires: boolean;
}

/** Why a source is left as it is: somebody else came first. */
export type MovedReason =
  | 'gone'
  | 'not_in_use'
  | 'changed'
  | 'expired'
  | 'shares_changed'
  | 'undecided'
  | 'unresolved';

export interface Moved {
  id: string;
  reason: MovedReason;
}

/**
 * Of the sources that were planned, those that are no longer what was read, each with its reason.
 *
 * @param cards as they are now, whatever their status
 * @param now epoch milliseconds
 */
export function movedAmong(
  planned: readonly PlannedSource[],
  cards: ReadonlyMap<string, Episode>,
  now: number,
): Moved[] {
  const moved = planned.flatMap((source) => {
    const reason = reasonOf(source, cards.get(source.id), now);
    return reason === null ? [] : [{ id: source.id, reason }];
  });
  const gone = new Set(moved.map(({ id }) => id));
  const left = planned.flatMap(({ id }) => (gone.has(id) ? [] : (cards.get(id) ?? [])));
  return [...moved, ...halvesAmong(left).map((id) => ({ id, reason: 'undecided' as const }))];
}

function reasonOf(
  source: PlannedSource,
  card: Episode | undefined,
  now: number,
): MovedReason | null {
  if (card === undefined) return 'gone';
  if (!(RECALLED_STATUSES as readonly CardStatus[]).includes(card.status)) return 'not_in_use';
  if (card.version !== source.version) return 'changed';
  if (card.expires_at !== null && epochMs(card.expires_at) <= now) return 'expired';
  if (card.share !== source.share) return 'shares_changed';
  if (card.held || card.conflicts.some(({ open }) => open)) return 'undecided';
  if (source.retires && isUnresolvedWarning(card)) return 'unresolved';
  return null;
}
