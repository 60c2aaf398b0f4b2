import type { Json, JsonObject } from '../../contracts/event';
import { ITEM_KEYS } from '../../contracts/item-keys';

/** Where an item is: a namespace of labels, and a key in it. */
export interface ItemPath {
  namespace: string[];
  key: string;
}

/** Of an id in Cairn. */
const LONGEST_KEY = 200;

/**
 * The path as it is kept: text has one form in Cairn, so that a letter with its accent is the same letter
 * however it was typed, and half of a surrogate pair is no letter.
 */
export function keptPath({ namespace, key }: ItemPath): ItemPath {
  return { namespace: namespace.map(keptText), key: keptText(key) };
}

export function keptText(text: string): string {
  const repaired = new TextDecoder().decode(new TextEncoder().encode(text));
  return repaired.replaceAll('\0', '').normalize('NFC');
}

/**
 * The key of the note that an item is: its path, readable, with whatever an id may not hold as `:` and two
 * hexadecimal digits a byte. No two paths share one. Of a longer one it is the hash.
 *
 * @example await noteKeyOf({ namespace: ['users', 'ann'], key: 'prefs' }) // 'langgraph/users/ann/prefs'
 */
export async function noteKeyOf({ namespace, key }: ItemPath): Promise<string> {
  const readable = ITEM_KEYS + [...namespace, key].map(escaped).join('/');
  if (readable.length <= LONGEST_KEY) return readable;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(readable));
  return `${ITEM_KEYS}:sha256/${[...new Uint8Array(hash)].map(hex).join('')}`;
}

function escaped(text: string): string {
  return [...new TextEncoder().encode(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9._@-]/.test(character) ? character : `:${hex(byte)}`;
    })
    .join('');
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/**
 * Labels under their places, so that whatever contains those of a prefix is under it: containment of
 * arrays would not look at their order.
 */
export function placesOf(namespace: readonly string[]): JsonObject {
  return Object.fromEntries(namespace.map((label, place) => [String(place), label]));
}

export function namespaceAt(places: Json | undefined): string[] | null {
  if (typeof places !== 'object' || places === null || Array.isArray(places)) return null;
  const labels = Object.keys(places).map((_, place) => places[String(place)]);
  return labels.every((label) => typeof label === 'string') ? (labels as string[]) : null;
}

export function isSamePath(one: ItemPath, other: ItemPath): boolean {
  return (
    one.key === other.key &&
    one.namespace.length === other.namespace.length &&
    one.namespace.every((label, place) => label === other.namespace[place])
  );
}
