import { noteOfItem } from '../../../src/adapters/langgraph/item-note';

/** Whatever has a key in the house is an item of a LangGraph store too, in this namespace. */
export const HOUSE_NAMESPACE = 'house';

/** Key and metadata of the item whose value says what its card says. */
export async function itemSaying(
  key: string,
  summary: string,
): Promise<{ key: string; metadata: object }> {
  const note = await noteOfItem({ namespace: [HOUSE_NAMESPACE], key }, { summary }, ['$']);
  return { key: note.key, metadata: note.metadata };
}
