import type { Json } from '../../contracts/event';
import { type Argument, fromTo, readArguments } from './arguments';
import { extraPieces, isToward } from './extra-pieces';
import type { OperationName } from './operation-name';
import { clip, isPlural, plural, singular, withArticle } from './plain-text';
import { type Thing, thingPhrase } from './thing-phrase';

/** What a call did, as a clause without its full stop, and the noun of what it gives back. */
export interface CallPhrase {
  text: string;
  /** The thing that a list in the answer holds: `flight`. */
  noun: string;
  /** The result is told after a colon (`Read X: …`) or as a sentence of its own. */
  joined: boolean;
}

/** Verbs that bring something new into being, or send it off. */
const MAKING =
  /^(?:create|send|add|book|reserve|schedule|make|write|draft|insert|open|submit|post|order|place|issue|generate|build|launch|publish)$/;
const UNCOUNTED =
  /^(?:money|funds|info|information|data|feedback|access|content|text|credit|payment|mail|insurance|details|password|webpage|page)$/;
const SENDING =
  /^(?:send|transfer|post|forward|reply|message|email|notify|pay|ship|deliver|refund)$/;

export function callPhrase(
  name: OperationName,
  operation: string,
  service: string | null,
  fields: Readonly<Record<string, Json>>,
  failed: boolean,
  quotable: boolean,
): CallPhrase {
  const args = readArguments(fields);
  const used = new Set<string>();
  const act = name.verb?.act ?? 'write';
  const word = name.verbWord ?? '';
  const thing = thingPhrase(name, args, used, act !== 'write');
  const pair = fromTo(args);
  for (const key of pair?.keys ?? []) used.add(key);
  const pieces = extraPieces(args, used, { failed, quotable, sending: SENDING.test(word) });
  const parts: Parts = { pair: pair?.text ?? null, pieces };
  const on = serviceName(service, name, act);
  const { noun } = thing;
  if (name.verb === null) {
    return {
      text: sentence(`Called ${clip(operation, 60)}`, at(' on ', on), parts),
      noun,
      joined: false,
    };
  }
  if (act === 'search' && name.verbLast && name.head.length > 0) {
    const where = on === null || on === 'search' ? '' : ` on ${on}`;
    return {
      text: sentence(`Searched ${name.head.join(' ')}${where} for`, '', parts),
      noun: 'results',
      joined: false,
    };
  }
  if (act === 'search') {
    const sought =
      thing.bound || name.tail.length > 0 ? pluralHead(thing.text) : plural(thing.text);
    const start = `Searched${at(' ', on)} for ${sought === '' ? 'matches' : sought}`;
    return { text: sentence(start, '', parts), noun: plural(noun), joined: false };
  }
  if (act === 'ask') {
    const one = thing.bound && !thing.collection && !isPlural(thing.text.split(' ')[0] ?? '');
    if (one && !failed) {
      return { text: sentence(`Read ${thing.text}`, at(' from ', on), parts), noun, joined: true };
    }
    const what = one ? thing.text : definite(thing.text);
    return { text: sentence(`Asked${at(' ', on)} for ${what}`, '', parts), noun, joined: false };
  }
  if (act === 'read') {
    const one = thing.bound && !thing.collection;
    const what = one ? thing.text : definite(thing.text);
    return {
      text: sentence(`${name.verb.past} ${what}`, at(one ? ' from ' : ' on ', on), parts),
      noun,
      joined: true,
    };
  }
  if (pair !== null && /^(?:re)?(?:book|reserve)$/.test(word) && !thing.bound) {
    return {
      text: sentence(`${name.verb.past} ${pair.text}`, '', { pair: null, pieces }),
      noun,
      joined: false,
    };
  }
  return {
    text: sentence(
      `${name.verb.past}${at(' ', written(thing, word, args, used, parts))}`,
      at(' on ', on),
      parts,
    ),
    noun,
    joined: false,
  };
}

/** The object of a writing verb: `a direct message`, `the flights of reservation XEWRD9`. */
function written(
  thing: Thing,
  verb: string,
  args: readonly Argument[],
  used: ReadonlySet<string>,
  parts: Parts,
): string {
  if (thing.text === '' && parts.pair === null) {
    const sole = args.filter((arg) => !used.has(arg.key) && arg.shown !== '');
    return (
      takePiece(parts, (piece) => piece.startsWith('“')) ??
      (sole.length === 1 && MAKING.test(verb) ? '' : '')
    );
  }
  if (thing.collection && SENDING.test(verb))
    return withArticle(thing.text.replace(' of ', ' to '));
  if (thing.collection && MAKING.test(verb)) {
    const [made, ...holder] = thing.text.split(' of ');
    const noun = (made ?? '').split(' ');
    const one = [...noun.slice(0, -1), singular(noun[noun.length - 1] ?? '')].join(' ');
    return `${withArticle(one)}${holder.length === 0 ? '' : ` in ${holder.join(' of ')}`}`;
  }
  if (thing.collection) return `the ${thing.text}`;
  if (thing.bound) return thing.text;
  const last =
    thing.text.split(' ')[0] === thing.text
      ? thing.text
      : (thing.text.split(/ (?:in|on|to|for|from|with|of) /)[0] ?? thing.text);
  const noun = last.split(' ').pop() ?? '';
  if (!MAKING.test(verb) || isPlural(noun) || UNCOUNTED.test(noun)) return thing.text;
  const title = takePiece(parts, (piece) => /^title “/.test(piece));
  return `${withArticle(thing.text)}${title === null ? '' : ` ${title.slice(6)}`}`;
}

interface Parts {
  pair: string | null;
  pieces: string[];
}

function takePiece(parts: Parts, wanted: (piece: string) => boolean): string | null {
  const index = parts.pieces.findIndex(wanted);
  return index < 0 ? null : (parts.pieces.splice(index, 1)[0] ?? null);
}

/** Start, from-to, towards whom, where; then the rest after commas. */
function sentence(start: string, where: string, parts: Parts): string {
  const toward = takePiece(parts, isToward);
  const quoted = where === '' ? takePiece(parts, (piece) => piece.startsWith('“')) : null;
  const day =
    parts.pieces.length === 1
      ? takePiece(parts, (piece) => /^(?:on|from|due) \d/.test(piece))
      : null;
  const near = [start, parts.pair, quoted, toward].filter((part) => part !== null).join(' ');
  const named = `${near}${where}${day === null ? '' : ` ${day}`}`;
  return [named, ...parts.pieces].join(', ');
}

function pluralHead(text: string): string {
  const [first, ...rest] = text.split(/ (?=(?:in|on|to|for|from|with|of|by) )/);
  return [/\d/.test(first ?? '') ? first : plural(first ?? ''), ...rest].join(' ');
}

function definite(text: string): string {
  if (text === '') return 'what it holds';
  return /^(?:all|any|each|every|my|the|no) /.test(text) ? text : `the ${text}`;
}

function at(before: string, name: string | null): string {
  return name === null || name === '' ? '' : `${before}${name}`;
}

/** The service, left out where the operation's own words name it already (`invite user to slack`). */
function serviceName(service: string | null, name: OperationName, act: string): string | null {
  if (service === null || service === '') return null;
  const own = singular(service.toLowerCase());
  if (name.tail.some((word) => singular(word) === own)) return null;
  if (act === 'write' && name.head.some((word) => singular(word) === own)) return null;
  return clip(service, 40);
}
