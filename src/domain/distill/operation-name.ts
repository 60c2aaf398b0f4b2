import { isMostlyNoun, isParticle, type Verb, verbOf } from './verbs';

/** An operation's name taken apart: `get_users_in_channel` → get · users · in · channel. */
export interface OperationName {
  verb: Verb | null;
  verbWord: string | null;
  /** Nouns before the first preposition. */
  head: string[];
  preposition: string | null;
  /** Nouns after it. */
  tail: string[];
  /** The verb stands after its noun: `web_search`, `issues.create`. */
  verbLast: boolean;
  /** The name in words, e.g. for keywords. */
  words: string[];
}

const PREPOSITIONS = new Set([
  'in',
  'on',
  'to',
  'from',
  'for',
  'by',
  'of',
  'with',
  'at',
  'per',
  'into',
  'as',
]);
/** Parts of a name that say nothing about what is worked on. */
const EMPTY_WORDS = new Set([
  'api',
  'v1',
  'v2',
  'v3',
  'rest',
  'rpc',
  'tool',
  'tools',
  'mcp',
  'function',
  'fn',
  'do',
  'the',
  'a',
  'an',
]);

/** Snake, camel, kebab, dotted and path-like names; the verb may stand first or last. */
export function readOperationName(operation: string): OperationName {
  const words = nameWords(operation);
  const useful = words.filter(
    (word, index) =>
      !EMPTY_WORDS.has(word) &&
      !(index > 0 && word === 'id' && !PREPOSITIONS.has(words[index - 1] ?? '')),
  );
  const at = verbIndex(useful);
  const verbWord = useful[at] ?? null;
  const verb = verbWord === null ? null : (verbOf(verbWord) ?? null);
  if (verb === null)
    return {
      verb: null,
      verbWord: null,
      verbLast: false,
      head: useful,
      preposition: null,
      tail: [],
      words,
    };
  const particle = isParticle(verbWord ?? '', useful[at + 1] ?? '') ? (useful[at + 1] ?? '') : '';
  const after = useful.slice(at + (particle === '' ? 1 : 2));
  const nouns =
    after.length > 0 && !(after.length === 1 && after[0] === 'all') ? after : useful.slice(0, at);
  const verbLast = nouns !== after;
  const preposition = nouns.findIndex((word) => PREPOSITIONS.has(word));
  return {
    verb: particle === '' ? verb : { ...verb, past: `${verb.past} ${particle}` },
    verbWord,
    verbLast,
    head: preposition < 0 ? nouns : nouns.slice(0, preposition),
    preposition: preposition < 0 ? null : (nouns[preposition] ?? null),
    tail: preposition < 0 ? [] : nouns.slice(preposition + 1),
    words,
  };
}

function verbIndex(words: readonly string[]): number {
  if (verbOf(words[0] ?? '') !== undefined) return 0;
  const last = words.length - 1;
  const end = words[last] ?? '';
  if (verbOf(end) !== undefined && !isMostlyNoun(end)) return last;
  return words.findIndex(
    (word, index) => index < last && verbOf(word) !== undefined && !isMostlyNoun(word),
  );
}

/** The words of a name, lower-case; an MCP prefix (`mcp__server__tool`) is left out. */
export function nameWords(name: string): string[] {
  const tool = name.slice(0, 200).split('__').pop() ?? '';
  return tool
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}
