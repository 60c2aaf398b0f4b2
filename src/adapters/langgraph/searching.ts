import type { SearchItem, SearchOperation } from '@langchain/langgraph-checkpoint';
import type { CairnClient } from '../../client/client';
import type { DropReason } from '../../contracts/recall';
import { type CompiledFilter, compileFilter } from './filter';
import { inParallel } from './in-parallel';
import { isFoundByWords, itemOf, metadataUnder } from './item-note';
import { keptText } from './item-path';
import { itemsUnder, type KeptItem, readNote } from './items';

/** Of a recall. */
export const MOST_RECALLED = 50;
/** Tokens: 50 cards of 2,000 characters are a quarter of it. */
export const ROOM = 100_000;
/** Characters of a query; what is longer is found by its beginning. */
export const LONGEST_QUERY = 20_000;

/** One side of a contradiction is not shown, nor what came of it. */
const ON_THE_LOSING_SIDE: readonly DropReason[] = [
  'conflict',
  'open_contradiction',
  'derived_from_loser',
];

/**
 * Items under the prefix: with a query those that it finds, the best first with their score, and then,
 * as without one, the others by their paths.
 */
export async function searchItems(
  client: CairnClient,
  { namespacePrefix, filter, limit = 10, offset = 0, query }: SearchOperation,
): Promise<SearchItem[]> {
  const prefix = namespacePrefix.map(keptText);
  const compiled = compileFilter(filter ?? {});
  const wanted = offset + limit;
  if (limit <= 0) return [];
  const { ranked, left } = await rankedUnder(client, prefix, compiled, query ?? '', wanted);
  const found = [...ranked];
  if (found.length < wanted) {
    for await (const { item, cardId } of itemsUnder(client, prefix, compiled.fields, wanted)) {
      if (left.has(cardId) || !compiled.accepts(item.value)) continue;
      found.push({ ...item });
      if (found.length >= wanted) break;
    }
  }
  return found.slice(offset, wanted);
}

/** What the query finds, and the cards that are not to follow it: those found, and what they rule out. */
async function rankedUnder(
  client: CairnClient,
  prefix: readonly string[],
  { fields, isWhole, accepts }: CompiledFilter,
  query: string,
  wanted: number,
): Promise<{ ranked: SearchItem[]; left: Set<string> }> {
  if (query.trim() === '') return { ranked: [], left: new Set() };
  const answer = await client.recall({
    query: query.slice(0, LONGEST_QUERY),
    intent: 'look_up',
    profile: 'fleet',
    limit: isWhole ? Math.min(MOST_RECALLED, wanted) : MOST_RECALLED,
    budget_tokens: ROOM,
    filters: { kind: 'knowledge', metadata: metadataUnder(prefix, fields) },
    explain: true,
  });
  const cards = answer.cards.filter(({ metadata }) => isFoundByWords(metadata));
  const found = await inParallel(cards, async (card) => {
    // Only its note says when it was written last.
    const kept =
      card.version === 1
        ? await firstVersionOf(card)
        : card.key === null
          ? null
          : await readNote(client, card.key);
    return kept === null ? [] : [{ ...kept, score: card.score }];
  });
  const shown = found.flat().filter(({ item }) => accepts(item.value));
  const ruledOut = (answer.dropped ?? []).filter(({ reason }) =>
    ON_THE_LOSING_SIDE.includes(reason),
  );
  return {
    ranked: shown.map(({ item, score }) => ({ ...item, score })),
    left: new Set([...shown.map(({ cardId }) => cardId), ...ruledOut.map(({ id }) => id)]),
  };
}

async function firstVersionOf(card: {
  id: string;
  key: string | null;
  metadata: Parameters<typeof isFoundByWords>[0];
  recorded_at: string;
}): Promise<KeptItem | null> {
  const item = await itemOf({ ...card, updated_at: card.recorded_at });
  return item === null ? null : { item, cardId: card.id };
}
