import type { Card, CardScope } from '../contracts/card';
import { cardInTheWay } from '../store/card-writes-promoted';
import { waysAmong } from '../store/cards';
import type { Tx } from '../store/database';
import type { ReaderArguments } from '../store/visible-cards';
import { Problem } from './problem';

/** What a refusal calls the card that holds a key: by its id only to who may see that card. */
export async function keyHolderOf(
  tx: Tx,
  reader: ReaderArguments,
  holder: string | null,
): Promise<string> {
  const isSeen = holder !== null && (await waysAmong(tx, reader, [holder])).has(holder);
  return isSeen ? `the card ${holder}` : 'another card';
}

/** @throws Problem 409 where another card stands in that scope under this card's key */
export async function requireFreeKey(
  tx: Tx,
  reader: ReaderArguments,
  card: Card,
  scope: CardScope,
): Promise<void> {
  const holder = await cardInTheWay(tx, card.id, scope);
  if (holder === null) return;
  const named = await keyHolderOf(tx, reader, holder);
  throw new Problem(
    409,
    'key_taken',
    `${named} stands under this key in that scope; delete or change that one first`,
  );
}
