import type { DropReason, OutdatedValue } from '../../contracts/recall';
import type { LessonCard } from './lessons';
import { outdatedAmong } from './outdated';
import { limitsToldAgain } from './told-again';
import type { TrialCard } from './trial';

/** Of a card that is shown all the same: what is out of date, and its text without that. */
export type MarkedOutdated = OutdatedValue & { kept: string };

type Recalled = TrialCard & LessonCard & { resolved_at: string | null };

/**
 * Those that still read as advice: no value that works no longer, or again. Where nothing has worked since, the last
 * success stays for its other fields, and of a note the lines that still hold; both are marked.
 */
export function withoutOutdatedValues<T extends Recalled>(
  cards: readonly T[],
  drop: (card: T, reason: DropReason, winner: string) => void,
): (T & { outdated?: MarkedOutdated })[] {
  const outdated = outdatedAmong(cards);
  return cards.flatMap((card) => {
    const old = outdated.get(card.id);
    if (old === undefined) return [card];
    const { winner, field, value, since, kept } = old;
    if (kept !== null && value !== null) {
      return [{ ...card, outdated: { field, value, since, by: winner, kept } }];
    }
    drop(card, 'outdated_value', winner);
    return [];
  });
}

/** Warnings of a limit that a newer one tells; but one that is answered does not go into one that is open. */
export function toldAgain(cards: readonly Recalled[]): Map<string, string> {
  const resolved = new Map(cards.map(({ id, resolved_at }) => [id, resolved_at !== null]));
  return new Map(
    [...limitsToldAgain(cards)].filter(
      ([older, newer]) => !resolved.get(older) || resolved.get(newer),
    ),
  );
}

/** What every surface shows of it. */
export function shownOutdated({ field, value, since, by }: MarkedOutdated): OutdatedValue {
  return { field, value, since, by };
}
