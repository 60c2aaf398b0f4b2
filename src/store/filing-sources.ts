import { isDeepStrictEqual } from 'node:util';
import type { CardDraft } from '../contracts/card';
import { RECALLED_STATUSES } from '../contracts/names';
import type { OwnWarning } from '../domain/distill/distill';
import type { Tx } from './database';
import { readCapture } from './filing-admission';

/**
 * Holds the cards that a new text was made from until the transaction ends, and says whether all of them
 * are still in use. Whoever stops one of them together with what came of it comes before, and then this
 * answers no, or after, and then finds the new card.
 */
export async function areInUse(tx: Tx, cards: readonly string[]): Promise<boolean> {
  if (cards.length === 0) return true;
  const held = await tx.query(
    `SELECT c.id FROM cards c
      WHERE c.workspace_id = $1 AND c.id = ANY ($2) AND c.status = ANY ($3)
      ORDER BY c.id
        FOR SHARE`,
    [tx.workspace, cards, RECALLED_STATUSES],
  );
  return held.length === new Set(cards).size;
}

/** Of the earlier warnings that the writer of a draft was shown, those that it quotes. */
export function quotedIn(
  { derived_from }: Pick<CardDraft, 'derived_from'>,
  shown: readonly OwnWarning[],
): OwnWarning[] {
  return shown.filter(({ card_id }) => derived_from.includes(card_id));
}

/**
 * Holds the warnings that a text of this event quotes, as `areInUse` does, and says whether each still says what the
 * writer of the text was shown: one that was corrected, or written again without what was erased, does not.
 */
export async function areAsShown(
  tx: Tx,
  eventId: string,
  quoted: readonly OwnWarning[],
): Promise<boolean> {
  if (quoted.length === 0) return true;
  const ids = quoted.map(({ card_id }) => card_id);
  if (!(await areInUse(tx, ids))) return false;
  const found = await readCapture(tx, eventId);
  const now = new Map(found?.ownWarnings.map((own) => [own.card_id, own]));
  return quoted.every((own) => isDeepStrictEqual(now.get(own.card_id), own));
}
