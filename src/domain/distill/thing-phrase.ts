import type { Argument } from './arguments';
import type { OperationName } from './operation-name';
import { clip, singular } from './plain-text';

/** What a call worked on, e.g. `reservation 4NQLHD` or `messages of channel general`. */
export interface Thing {
  text: string;
  /** An argument names it. */
  bound: boolean;
  /** It is something of a named holder, and takes an article: `the messages of channel general`. */
  collection: boolean;
  /** The noun of its members, for counting them. */
  noun: string;
}

/** Nouns that add nothing to the thing whose id stands beside them. */
const PADDING =
  /^(?:details?|info|information|data|record|profile|object|entity|item|contents?|metadata)$/;
const OF_IT = /^(?:details?|info|information|data|profile|contents?|metadata)$/;
const ID_WORDS =
  /^(?:id|ids|name|names|number|code|key|no|path|uuid|ref|reference|slug|url|title)$/;
/** Keys that name a thing by where it is. */
const PLACE_KEYS =
  /^(?:url|uri|link|path|file|filename|file_name|file_path|filepath|page|endpoint|href)$/i;
const OWN_ID = /^(?:id|uuid|ref|reference|slug|number|key)$/i;
/** A key with one of these first words names another thing than the operation's. */
const OTHER_THING = /^(?:new|old|total|payment|parent|next|previous|target|source|max|min)$/;

/** Binds the operation's nouns to the arguments that name them; their keys go into `used`. */
export function thingPhrase(
  name: OperationName,
  args: readonly Argument[],
  used: Set<string>,
  reading: boolean,
): Thing {
  const shown = args.filter((arg) => arg.shown !== '');
  const { head, preposition } = name;
  const tail = name.tail.filter((word) => word !== 'id' && word !== 'ids');
  const tailArg = shown.find((arg) => tail.some((noun) => isNamedBy(noun, arg)));
  const headArg = shown.find(
    (arg) =>
      arg !== tailArg &&
      (head.some((noun) => isNamedBy(noun, arg)) ||
        OWN_ID.test(arg.key) ||
        PLACE_KEYS.test(arg.key)),
  );
  const noun = memberNoun(head);
  const bound = headArg !== undefined ? boundHead(head, headArg) : null;
  if (headArg !== undefined) used.add(headArg.key);
  let text = bound?.text ?? unpadded(head, reading && tailArg !== undefined).join(' ');
  let collection = bound?.collection ?? false;
  if (preposition !== null) {
    if (tailArg !== undefined) {
      used.add(tailArg.key);
      const nouns = tail.join(' ');
      const one =
        Array.isArray(tailArg.value) && tailArg.value.length > 1 ? nouns : singularLast(nouns);
      text = `${text} ${preposition} ${one} ${tailArg.shown}`.trim();
      collection ||= bound === null && head.length > 0;
    } else if (tail.length > 0) text = `${text} ${preposition} ${tail.join(' ')}`.trim();
  }
  return { text, bound: headArg !== undefined || tailArg !== undefined, collection, noun };
}

function boundHead(head: readonly string[], arg: Argument): { text: string; collection: boolean } {
  const at = head.findIndex((noun) => isNamedBy(noun, arg));
  if (at < 0) {
    const own = unpadded(head, true);
    if (own.length === 0)
      return {
        text: `${head.join(' ')}${OF_IT.test(head[0] ?? '') ? ' of' : ''} ${arg.shown}`.trim(),
        collection: false,
      };
    return { text: `${singularIfOne(own.join(' '), arg)} ${arg.shown}`, collection: false };
  }
  const holder = singularIfOne(head.slice(0, at + 1).join(' '), arg);
  const rest = unpadded(head.slice(at + 1), true);
  if (rest.length === 1 && rest[0] === 'request')
    return { text: `${holder} request ${arg.shown}`, collection: false };
  if (rest.length === 0) return { text: `${holder} ${arg.shown}`, collection: false };
  return { text: `${rest.join(' ')} of ${holder} ${arg.shown}`, collection: true };
}

function unpadded(words: readonly string[], drop: boolean): string[] {
  return drop ? words.filter((word) => !PADDING.test(word)) : [...words];
}

function isNamedBy(noun: string, arg: Argument): boolean {
  const words = arg.words.filter((word, index) => index === 0 || !ID_WORDS.test(word));
  const last = words[words.length - 1];
  return last === singular(noun) && (words.length === 1 || !OTHER_THING.test(words[0] ?? ''));
}

function singularIfOne(nouns: string, arg: Argument): string {
  return Array.isArray(arg.value) && arg.value.length > 1 ? nouns : singularLast(nouns);
}

function singularLast(nouns: string): string {
  const words = nouns.split(' ');
  const last = words.pop() ?? '';
  return [...words, singular(last)].join(' ');
}

function memberNoun(head: readonly string[]): string {
  const words = head.filter(
    (word) => !/^(?:all|any|most|recent|latest|my|unread|available)$/.test(word),
  );
  return clip(words[words.length - 1] ?? '', 30);
}
