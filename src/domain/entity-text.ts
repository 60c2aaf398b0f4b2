import { entityName } from './entity-name';
import { CONNECTORS, isActOfPeople, isNoName, isNoSpeaker, TITLES } from './entity-words';

/** A name found in free text. */
export interface Named {
  kind: 'person' | 'thing';
  name: string;
}

/** Characters read of one text: a card's summary has 2,000 at most. */
const READ_LIMIT = 16_384;
/** Names kept of one text; callers keep fewer. */
const MOST = 32;
const LONGEST_RUN = 6;

/** A word, a code, a path or a channel. No two parts of it can take the same character. */
const WORD = /[#@]?[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:['’.\-/@&+][\p{L}\p{M}\p{N}_]+)*/gu;
const QUOTED =
  /"[^"\n]{2,80}"|“[^”\n]{2,80}”|«[^»\n]{2,80}»|„[^“”\n]{2,80}[“”]|「[^」\n]{2,80}」|『[^』\n]{2,80}』/gu;
const KATAKANA = /[\p{Script=Katakana}ー]{3,40}/gu;
/** "Caroline: …" or "Ana María: …" at the beginning of a line. */
const SPEAKER =
  /(?:^|\n)[ \t]{0,8}(\p{Lu}[\p{L}\p{M}\p{N}'’.-]{0,30}(?: \p{Lu}[\p{L}\p{M}\p{N}'’.-]{0,30}){0,2}): /gu;

interface Word {
  raw: string;
  /** As `entityName` makes it. */
  name: string;
  at: number;
  end: number;
  capital: boolean;
  /** After a full stop, a colon, a bracket: there a capital says nothing. */
  opens: boolean;
}

/**
 * People and things named in a text, in order of appearance: speakers, quoted titles, capitalised runs,
 * codes, ids, files and channels. A word with a capital that opens a sentence is a name only if it
 * carries one elsewhere too, has a second one, or owns something ("Caroline's"). No list of names, no
 * model; linear in the text.
 *
 * @param openers whether a word that opens a sentence is taken at its capital: in a query, where a wrong
 *   name finds nothing and a missed one loses the card.
 */
export function namesIn(text: string, openers = false): Named[] {
  const read = text.slice(0, READ_LIMIT).normalize('NFC');
  const found = new Found();
  for (const match of read.matchAll(SPEAKER)) {
    const first = (match[1] ?? '').split(' ')[0] ?? '';
    if (!isNoSpeaker(first.toLowerCase())) found.add('person', match[1] ?? '', match.index);
  }
  let plain = read.replace(QUOTED, (quoted, at: number) => {
    const title = quoted.slice(1, -1);
    if (title.split(/\s+/u).length <= 8 && /\p{L}/u.test(title)) found.add('thing', title, at);
    return ` ${title} `;
  });
  if (/\p{Script=Katakana}/u.test(plain)) {
    plain = plain.replace(KATAKANA, (name, at: number) => {
      found.add('thing', name, at);
      return ' '.repeat(name.length);
    });
  }
  const words = wordsOf(plain);
  const shouted = isShouted(words);
  const names = capitalNames(words);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as Word;
    if (!word.capital || shouted) {
      if (isCode(word.raw, shouted)) found.add('thing', word.raw, word.at);
      continue;
    }
    const length = runLength(words, index, plain);
    addRun(found, words, index, length, { names, openers });
    index += length - 1;
  }
  return found.inOrder();
}

/** Names in order of their places, each once; a person stays one whatever comes later. */
class Found {
  private readonly named = new Map<string, Named & { at: number }>();
  private readonly parts = new Map<string, Named & { at: number }>();

  add(kind: Named['kind'], text: string, at: number): void {
    const name = entityName(text);
    if (name.length < 2 || isNoName(name) || this.named.size >= MOST) return;
    const known = this.named.get(name);
    if (known === undefined) this.named.set(name, { kind, name, at });
    else if (kind === 'person') known.kind = kind;
  }

  /** The words of a longer name: it is spoken of by one of them later. */
  addPart(kind: Named['kind'], text: string, at: number): void {
    const name = entityName(text);
    if (name.length < 2 || isNoName(name) || CONNECTORS.has(name) || this.parts.size >= MOST)
      return;
    if (!this.parts.has(name)) this.parts.set(name, { kind, name, at });
  }

  inOrder(): Named[] {
    const whole = [...this.named.values()].sort((a, b) => a.at - b.at);
    const parts = [...this.parts.values()].filter((part) => !this.named.has(part.name));
    return [...whole, ...parts].map(({ kind, name }) => ({ kind, name }));
  }
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const raw = match[0];
    const at = match.index;
    const gap = text.slice(Math.max(end, at - 16), at);
    words.push({
      raw,
      name: entityName(raw),
      at,
      end: at + raw.length,
      capital: /^[\p{Lu}\p{Lt}]/u.test(raw),
      opens: words.length === 0 || /[^\s,&'’)\]–-]/u.test(gap) || /\n/.test(gap),
    });
    end = at + raw.length;
  }
  return words;
}

/** A text all in capitals, or a headline, tells names apart by nothing. */
function isShouted(words: readonly Word[]): boolean {
  const telling = words.filter((word) => !word.opens && /^[\p{Lu}\p{Ll}]\p{L}/u.test(word.raw));
  const capital = telling.filter((word) => word.capital).length;
  return telling.length >= 5 && capital > 0.7 * telling.length;
}

/** Words that carry a capital where grammar asks for none. */
function capitalNames(words: readonly Word[]): ReadonlySet<string> {
  return new Set(words.filter((word) => word.capital && !word.opens).map((word) => word.name));
}

function runLength(words: readonly Word[], start: number, text: string): number {
  let length = 1;
  while (length < LONGEST_RUN) {
    const before = words[start + length - 1] as Word;
    const next = words[start + length];
    // Who owns something ends a name: in "Ana's Volvo" there are two.
    if (next === undefined || /['’]s?$/u.test(before.raw) || !adjoins(text, before, next)) break;
    if (next.capital && !isNoName(next.name)) length += 1;
    else if (CONNECTORS.has(next.raw) && words[start + length + 1]?.capital) length += 2;
    else break;
  }
  return length;
}

function adjoins(text: string, before: Word, next: Word): boolean {
  const gap = text.slice(before.end, next.at);
  return gap === ' ' || (gap === '. ' && TITLES.has(before.name));
}

function addRun(
  found: Found,
  words: readonly Word[],
  start: number,
  length: number,
  known: { names: ReadonlySet<string>; openers: boolean },
): void {
  const first = words[start] as Word;
  const title = TITLES.has(first.name);
  const dropped = isNoName(first.name) ? 1 : 0;
  const run = words.slice(start + dropped, start + length);
  const [opening, ...rest] = run;
  if (opening === undefined) return;
  const follower = words[start + length];
  const acts = follower !== undefined && !follower.opens && isActOfPeople(follower.name);
  const kind = title || acts ? 'person' : 'thing';
  const whole = run.map((word) => word.raw).join(' ');
  const doubtful = dropped === 0 && opening.opens && !known.openers;
  const surely =
    !doubtful ||
    known.names.has(opening.name) ||
    /\p{Lu}.*\p{Lu}/u.test(opening.raw) ||
    (rest.length === 0 && /['’]s$/u.test(opening.raw)) ||
    (rest.length === 0 && acts);
  if (surely) found.add(kind, whole, opening.at);
  else if (rest[0] !== undefined) {
    // "Alice Smith called" and "Booked JFK" look alike: the rest is a name for sure, the whole perhaps.
    found.add(kind, rest.map((word) => word.raw).join(' '), rest[0].at);
    found.addPart(kind, whole, opening.at);
  }
  if (rest.length === 0) {
    if (!surely && isCode(opening.raw, false)) found.add('thing', opening.raw, opening.at);
    return;
  }
  for (const word of run) {
    if (isCode(word.raw, false)) found.add('thing', word.raw, word.at);
    else if (surely || word !== opening) found.addPart(kind, word.name, word.at);
  }
}

/** Ids, codes, file names, channels and the like: what no plain word looks like. */
function isCode(raw: string, shouted: boolean): boolean {
  if (raw.length > 80) return false;
  if (/^[#@]/u.test(raw)) return /^[#@][\p{L}\p{N}_]/u.test(raw);
  const letters = /\p{L}/u.test(raw);
  const digits = /\p{N}/u.test(raw);
  if (!letters) return /^\d{5,24}$/.test(raw);
  if (digits) return isMixed(raw);
  if (raw.includes('_')) return /\p{L}_+\p{L}/u.test(raw);
  if (raw.includes('/')) return raw.split('/').length > 2 || /\.\p{Ll}{1,4}$/u.test(raw);
  if (/^[\p{L}\p{M}-]{2,}(?:\.[\p{L}\p{M}-]{2,})*\.\p{Ll}{2,4}$/u.test(raw)) return true;
  if (shouted) return false;
  return /^\p{Lu}{2,10}$/u.test(raw) || /\p{Ll}\p{Lu}/u.test(raw);
}

/** Letters and digits together, but for "5pm", "3rd", "10kg" and times. */
function isMixed(raw: string): boolean {
  if (/^\d[\d.,]*(?:\p{Ll}{1,4}|[KMGT]i?B)$/u.test(raw)) return false;
  if (/^\d{4}-\d{2}-\d{2}/.test(raw)) return false;
  return raw.length >= 3;
}
