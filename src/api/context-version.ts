import { createHash } from 'node:crypto';

/** The same for the same words of the same versions of the same cards. */
export function contextVersionOf(
  words: string,
  cards: readonly { id: string; version: number }[],
): string {
  const hash = createHash('sha256').update(words);
  for (const { id, version } of cards) hash.update(`\n${id}@${version}`);
  return hash.digest('base64url').slice(0, 22);
}
