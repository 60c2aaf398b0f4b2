import { labelSchema } from '../../schemas/event';

/** What can be read by an address: wisdom notes by the id of their card, notes by key, skills by name. */
export const SHELVES = ['wisdom', 'skills', 'notes'] as const;
export type Shelf = (typeof SHELVES)[number];

/** Longer than an id of 200 characters of four bytes, each of them encoded. */
const LONGEST = 2_500;
const FORM = /^cairn:\/\/([a-z]+)\/(.+)$/su;

/** A name may hold slashes, colons and letters of any script: it is encoded as one part of a path. */
export function uriOf(shelf: Shelf, name: string): string {
  return `cairn://${shelf}/${encodeURIComponent(name)}`;
}

/** @returns null for an address that can be nothing of Cairn's */
export function addressIn(uri: string): { shelf: Shelf; name: string } | null {
  if (uri.length > LONGEST) return null;
  const [, place, rest] = FORM.exec(uri) ?? [];
  const shelf = SHELVES.find((one) => one === place);
  if (shelf === undefined || rest === undefined) return null;
  const name = decoded(rest);
  return name === null || !labelSchema.safeParse(name).success ? null : { shelf, name };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
