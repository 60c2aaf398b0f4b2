import { noteOfItem } from '../../../src/adapters/langgraph/item-note';
import { ITEM_KEYS } from '../../../src/contracts/item-keys';
import { isNote, type SurfaceCard } from './surface';

/** Whatever has a key in the house is an item of a LangGraph store too, in this namespace; but plain notes. */
export const HOUSE_NAMESPACE = 'house';

/** Key and metadata of the item whose value says what its card says. */
export async function itemSaying(
  key: string,
  summary: string,
): Promise<{ key: string; metadata: object }> {
  const note = await noteOfItem({ namespace: [HOUSE_NAMESPACE], key }, { summary }, ['$']);
  return { key: note.key, metadata: note.metadata };
}

/** What the key of a note begins with that is no item. */
export const PLAIN = 'plain/';

const isOfStore = ({ key }: SurfaceCard) => key?.startsWith(ITEM_KEYS) === true;
export const isItem = (card: SurfaceCard) => isNote(card) && isOfStore(card);
export const isPlainNote = (card: SurfaceCard) => isNote(card) && !isOfStore(card);
