import type { Item } from '@langchain/langgraph-checkpoint';
import type { CairnClient } from '../../client/client';
import { CairnError } from '../../client/error';
import type { Note } from '../../client/notes';
import type { JsonObject } from '../../contracts/event';
import { itemOf, keepsPath, metadataUnder, noteOfItem } from './item-note';
import { type ItemPath, keptPath, noteKeyOf } from './item-path';

/** Of a page of the API. */
const MOST_OF_A_PAGE = 500;

/** An item with the card that it is. */
export interface KeptItem {
  item: Item;
  cardId: string;
}

/** The item there; of several that the agent may see the nearest, its own before others'. */
export async function readItem(client: CairnClient, path: ItemPath): Promise<KeptItem | null> {
  return await readNote(client, await noteKeyOf(keptPath(path)));
}

export async function readNote(client: CairnClient, key: string): Promise<KeptItem | null> {
  try {
    const note = await client.notes.get(key);
    const item = await itemOf(note);
    return item === null ? null : { item, cardId: note.card_id };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Items under a prefix whose value contains the fields, by their paths. Of several at one path the
 * nearest alone.
 * @param asked how many are wanted: as many are fetched at a time
 */
export async function* itemsUnder(
  client: CairnClient,
  prefix: readonly string[],
  fields: JsonObject,
  asked: number,
): AsyncGenerator<KeptItem> {
  const metadata = metadataUnder(prefix, fields);
  const limit = Math.max(1, Math.min(MOST_OF_A_PAGE, Math.ceil(asked) + 1));
  let alike: Note[] = [];
  for await (const note of client.notes.iterate({ metadata, limit })) {
    if (alike.length > 0 && alike[0]?.key !== note.key) {
      yield* await nearestOf(client, alike);
      alike = [];
    }
    alike.push(note);
  }
  yield* await nearestOf(client, alike);
}

async function nearestOf(client: CairnClient, alike: readonly Note[]): Promise<KeptItem[]> {
  const [first, second] = alike;
  if (first === undefined) return [];
  if (second !== undefined) {
    const nearest = await readNote(client, first.key);
    return nearest === null ? [] : [nearest];
  }
  const item = await itemOf(first);
  return item === null ? [] : [{ item, cardId: first.card_id }];
}

/**
 * Writes an item, or the next version of the same card.
 * @throws {CairnError} 422 where the path holds an address or a secret, 403 `held_back` where the policy
 *   keeps such words out of use, and what a note's write throws
 */
export async function writeItem(
  client: CairnClient,
  path: ItemPath,
  value: unknown,
  index: false | readonly string[],
): Promise<void> {
  const { key, value: words, metadata } = await noteOfItem(path, value, index);
  const note = (await client.notes.put(key, words, { metadata })) as Partial<Note>;
  if (note.reason !== undefined) {
    throw new CairnError(
      403,
      'held_back',
      'the policy holds back what reads like an instruction until a person releases it; the item stays as it was',
    );
  }
  // A restricted agent's write waits for its parent, and shows nothing yet.
  if (note.metadata === undefined || keepsPath(note.metadata, path)) return;
  await deleteNote(client, key);
  throw new CairnError(
    422,
    'pii_in_identifier',
    'the namespace or the key holds an address or a secret; use an id that stands for it',
  );
}

/** Deletes the agent's own item; what others share stays theirs. */
export async function deleteItem(client: CairnClient, path: ItemPath): Promise<void> {
  try {
    await deleteNote(client, await noteKeyOf(keptPath(path)));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** The owner's key may delete anybody's: through a store it deletes what is the agent's. */
async function deleteNote(client: CairnClient, key: string): Promise<void> {
  const { agent } = client;
  const own = agent === undefined ? {} : { scope: { type: 'agent' as const, id: agent } };
  await client.notes.delete(key, own);
}

export function isMissing(error: unknown): boolean {
  return error instanceof CairnError && error.status === 404;
}
