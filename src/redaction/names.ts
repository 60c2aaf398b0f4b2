import type { Scan } from './span';

const WORD = /[\p{L}\p{M}\p{N}_'’-]+/gu;

interface Name {
  words: readonly string[];
  exact: string;
}

/** Names by their first word; kept per list, since one workspace's list serves many texts. */
const INDEXES = new WeakMap<readonly string[], Map<string, Name[]>>();

const wordsOf = (text: string) => [...text.matchAll(WORD)].map((match) => match[0]);
const fold = (text: string) => text.normalize('NFC').toLowerCase();

function indexOf(names: readonly string[]): Map<string, Name[]> {
  const known = INDEXES.get(names);
  if (known !== undefined) return known;
  const index = new Map<string, Name[]>();
  for (const name of names) {
    const words = wordsOf(name);
    const first = words[0];
    if (first === undefined || name.trim().length < 2) continue;
    const entry = { words: words.map(fold), exact: first.normalize('NFC') };
    index.set(fold(first), [...(index.get(fold(first)) ?? []), entry]);
  }
  for (const list of index.values()) list.sort((a, b) => b.words.length - a.words.length);
  INDEXES.set(names, index);
  return index;
}

/**
 * The directory's marked names, word by word. A name of several words is found in any case; a single
 * word only as it is written there, since `Will` and `Mark` are words as well. `mia_li_3668` is one
 * word and so is not the name Mia Li.
 */
export function detectNames(scan: Scan): void {
  if (scan.names.length === 0) return;
  const index = indexOf(scan.names);
  const words = [...scan.text.matchAll(WORD)];
  for (let at = 0; at < words.length; at += 1) {
    const match = words[at];
    if (match === undefined) continue;
    const possessive = match[0].replace(/['’]s$/i, '');
    const candidates = index.get(fold(match[0])) ?? index.get(fold(possessive)) ?? [];
    for (const name of candidates) {
      const last = lastWord(scan.text, words, at, name);
      if (last === null) continue;
      scan.spans.push({ start: match.index, end: last.end, type: 'name' });
      at += name.words.length - 1;
      break;
    }
  }
}

function lastWord(
  text: string,
  words: readonly RegExpExecArray[],
  at: number,
  name: Name,
): { end: number } | null {
  let end = 0;
  for (let offset = 0; offset < name.words.length; offset += 1) {
    const match = words[at + offset];
    if (match === undefined) return null;
    const bare = match[0].replace(/['’]s$/i, '');
    const written = fold(match[0]) === name.words[offset] ? match[0] : bare;
    if (fold(written) !== name.words[offset]) return null;
    if (name.words.length === 1 && written.normalize('NFC') !== name.exact) return null;
    if (offset > 0 && !/^[\s.,]{1,4}$/.test(text.slice(end, match.index))) return null;
    end = match.index + written.length;
  }
  return { end };
}
