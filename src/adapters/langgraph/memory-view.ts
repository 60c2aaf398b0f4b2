import type { Item, SearchItem, SearchOperation } from '@langchain/langgraph-checkpoint';
import type { CairnClient } from '../../client/client';
import type { Card } from '../../contracts/card';
import { compileFilter } from './filter';
import type { ItemPath } from './item-path';
import { isMissing } from './items';
import { LONGEST_QUERY, MOST_RECALLED, ROOM } from './searching';

/**
 * The namespace under which a graph reads everything else that its agent may see in Cairn: what the fleet
 * learned, warnings, conventions. An item is a card under its id, and is not written through the store.
 */
export const MEMORY = 'cairn';

export async function readCard(
  client: CairnClient,
  { namespace, key }: ItemPath,
): Promise<Item | null> {
  if (namespace.length > 1) return null;
  try {
    return cardItem(await client.cards.get(key));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** With a query what recall answers, the best first; without one all cards, the newest first. */
export async function searchCards(
  client: CairnClient,
  { namespacePrefix, filter, limit = 10, offset = 0, query }: SearchOperation,
): Promise<SearchItem[]> {
  if (namespacePrefix.length > 1 || limit <= 0) return [];
  const { fields, accepts } = compileFilter(filter ?? {});
  const isWanted = ({ value }: Item) =>
    accepts(value) && Object.entries(fields).every(([field, wanted]) => value[field] === wanted);
  const wanted = offset + limit;
  const found: SearchItem[] = [];
  for await (const item of cardItems(client, query ?? '', wanted)) {
    if (!isWanted(item)) continue;
    found.push(item);
    if (found.length >= wanted) break;
  }
  return found.slice(offset, wanted);
}

async function* cardItems(
  client: CairnClient,
  query: string,
  wanted: number,
): AsyncGenerator<SearchItem> {
  if (query.trim() === '') {
    for await (const card of client.cards.iterate({ limit: Math.min(500, wanted) })) {
      yield cardItem(card);
    }
    return;
  }
  const { cards } = await client.recall({
    query: query.slice(0, LONGEST_QUERY),
    limit: MOST_RECALLED,
    budget_tokens: ROOM,
  });
  // Sections order the answer; the best comes first here.
  for (const card of [...cards].sort((one, other) => other.score - one.score)) {
    yield { ...cardItem(card), score: card.score };
  }
}

/** What a recall says of a card, and is not the card. */
const OF_A_RECALL: ReadonlySet<string> = new Set([
  ...['score', 'terms', 'via', 'vias', 'folded', 'resolved_by'],
]);

function cardItem(card: Card): Item {
  const at = new Date(card.recorded_at);
  const value = Object.fromEntries(Object.entries(card).filter(([name]) => !OF_A_RECALL.has(name)));
  return { namespace: [MEMORY], key: card.id, value, createdAt: at, updatedAt: at };
}
