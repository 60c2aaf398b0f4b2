import type { Item } from '@langchain/langgraph-checkpoint';
import type { JsonObject } from '../../contracts/event';
import { type ItemPath, isSamePath, keptPath, namespaceAt, noteKeyOf, placesOf } from './item-path';
import { labelOf, wordsOf } from './words';

/** What of a note or a card an item is read from. */
export interface Kept {
  key: string | null;
  metadata: JsonObject;
  recorded_at: string;
  updated_at: string;
}

/** How an item is kept: a note whose words are found by recall, and whose metadata have the value. */
export interface ItemNote {
  key: string;
  value: string;
  metadata: JsonObject;
}

/** The one member of a note's metadata that is the store's. */
const MARK = 'langgraph';

/**
 * @param index which of the value's fields are found by their words; false for none
 * @throws {TypeError} the value is no JSON object
 */
export async function noteOfItem(
  path: ItemPath,
  value: unknown,
  index: false | readonly string[],
): Promise<ItemNote> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError('the value of an item is an object, or null to delete it');
  }
  // What JSON cannot say is left out here, and not first on the way.
  const item = JSON.parse(JSON.stringify(value)) as JsonObject;
  const { namespace, key } = keptPath(path);
  const words = index === false ? '' : wordsOf(item, index);
  return {
    key: await noteKeyOf({ namespace, key }),
    value: words === '' ? labelOf({ namespace, key }) : words,
    metadata: { [MARK]: { at: placesOf(namespace), id: key, found: words !== '', item } },
  };
}

/** The filter that keeps items under a prefix whose value contains these fields. */
export function metadataUnder(prefix: readonly string[], fields: JsonObject): JsonObject {
  const item = Object.keys(fields).length === 0 ? {} : { item: fields };
  return { [MARK]: { at: placesOf(prefix), ...item } };
}

/** @returns null for what is no item, or says that it is one which it is not */
export async function itemOf(kept: Kept): Promise<Item | null> {
  const path = pathOf(kept.metadata);
  const value = markOf(kept.metadata)?.item;
  if (path === null || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return null;
  }
  if ((await noteKeyOf(path)) !== kept.key) return null;
  return {
    value,
    ...path,
    createdAt: new Date(kept.recorded_at),
    updatedAt: new Date(kept.updated_at),
  };
}

/** Whether the words of its value are what it is found by. */
export function isFoundByWords(metadata: JsonObject): boolean {
  return markOf(metadata)?.found === true;
}

/** Whether the path is kept as it was given: an address or a secret in it was taken out. */
export function keepsPath(metadata: JsonObject, path: ItemPath): boolean {
  const kept = pathOf(metadata);
  return kept !== null && isSamePath(kept, keptPath(path));
}

function pathOf(metadata: JsonObject): ItemPath | null {
  const mark = markOf(metadata);
  const namespace = namespaceAt(mark?.at);
  if (namespace === null || namespace.length === 0 || typeof mark?.id !== 'string') return null;
  return { namespace, key: mark.id };
}

function markOf(metadata: JsonObject): JsonObject | null {
  const mark = metadata[MARK];
  return typeof mark === 'object' && mark !== null && !Array.isArray(mark) ? mark : null;
}
