import type { Json } from '../../contracts/event';
import { type Argument, fromTo, isHidden, isRecord, readArguments, showValue } from './arguments';
import { looksLikeInstruction } from './instruction-like';
import type { Parsed } from './parse-value';
import { clip, counted, humanize, isPlural, nameList, plain, plural } from './plain-text';
import { LEFT_OUT } from './shortened-event';

export interface Asked {
  /** The noun of what was asked for, to count its members. */
  noun: string;
  /** What the card says already; it is not said twice. */
  said: string;
  /** A reading call: sizes are news. After a writing one they are not. */
  reading: boolean;
  /** The text was not fit to quote: nothing but counts is told. */
  countsOnly: boolean;
}

/** Names of members, shown at most this long. */
const NAME_LIMIT = 40;
const PIECES = 4;
const NAME_KEYS = [
  'title',
  'subject',
  'name',
  'filename',
  'file_name',
  'label',
  'flight_number',
  'number',
  'code',
  'id',
  'id_',
  'key',
  'sku',
];

/** The few fields that name and size what came back, never the record. Null where there is nothing to tell. */
export function outputPhrase(output: Parsed, asked: Asked): string | null {
  switch (output.shape) {
    case 'empty':
      return null;
    case 'scalar':
      return asked.countsOnly ? null : scalarPhrase(output.value, asked);
    case 'list':
      return asked.reading || output.items.length > 1
        ? listPhrase(output.items, output.cut, asked)
        : null;
    case 'record':
      return recordPhrase(output.fields, output.cut, asked);
    case 'text':
      return textPhrase(output.text, output.cut, asked);
    default:
      return output satisfies never;
  }
}

function scalarPhrase(value: string | number | boolean, asked: Asked): string | null {
  if (typeof value === 'boolean' && !asked.reading) return null;
  if (typeof value !== 'string') return String(value);
  if (looksLikeInstruction(value)) return null;
  const text = plain(value).replace(/[.\s]+$/, '');
  if (text === '' || (!asked.reading && !tellsMore(text, asked.said))) return null;
  if (text.split(' ').length > 6 && asked.reading)
    return `“${clip(text.replace(/[“”"]/g, "'"), 110)}”`;
  return clip(/^-?\d+\.0$/.test(text) ? text.slice(0, -2) : text, 120);
}

const COURTESY =
  /^(?:success\w*|complete\w*|done|made|been|with|from|that|this|have|will|your|updated?|created?|added|sent|deleted|removed|transaction|message|into|true|okay|status|result|now)$/i;

/** An answer to a writing call is told only for what it adds: an id, a figure, a state. */
function tellsMore(text: string, said: string): boolean {
  const known = said.toLowerCase();
  const words = text.toLowerCase().match(/[\p{L}\p{N}_#.-]{2,}/gu) ?? [];
  const fresh = words.filter((word) => {
    const bare = word.replace(/^[.-]+|[.-]+$/g, '');
    if (COURTESY.test(bare) || known.includes(bare) || known.includes(bare.replace(/\.0$/, '')))
      return false;
    return /\d/.test(bare) || bare.length > 3 || /^(?:on|off)$/.test(bare);
  });
  return fresh.some((word) => /\d/.test(word)) || fresh.length >= 3;
}

function listPhrase(items: readonly Json[], cut: boolean, asked: Asked): string {
  const size = `${cut ? 'at least ' : ''}${counted(items.length, listNoun(asked.noun))}`;
  if (asked.countsOnly) return size;
  const names = items.map(memberName);
  const good = [...new Set(names.filter((name) => name !== ''))];
  if (good.length === 0 || names.filter((name) => name !== '').length < items.length / 2)
    return size;
  const total = names.some((name) => name === '') ? items.length : good.length;
  return `${size}: ${nameList(good, total, total <= 4 ? 4 : 3)}`;
}

function listNoun(noun: string): string {
  if (
    noun.length < 3 ||
    /^(?:inbox|page|webpage|content|result|output|details?|data|info|information|search|list|text)$/.test(
      noun,
    )
  )
    return 'entry';
  return isPlural(noun) ? noun : plural(noun);
}

function memberName(item: Json): string {
  if (typeof item === 'string' || typeof item === 'number') return shortName(item);
  if (Array.isArray(item)) {
    const legs = item.map(memberName).filter((name) => name !== '');
    return legs.length === 0 || legs.length > 4 ? '' : legs.join(' + ');
  }
  if (!isRecord(item)) return '';
  const keys = Object.keys(item);
  const key =
    NAME_KEYS.find((name) => keys.includes(name)) ??
    keys.find((name) => /(?:_name|_title|_number|_code|_id)$/.test(name) && !isHidden(name));
  return key === undefined ? '' : shortName(item[key] ?? null);
}

function shortName(value: Json): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value.length > NAME_LIMIT || /[\n@{}]/.test(value)) return '';
  return looksLikeInstruction(value) ? '' : plain(value);
}

const DETAIL =
  /(?:^|_)(?:status|state|type|class|cabin|category|kind|plan|membership|level|priority|title|subject|amount|price|total|balance|rating|currency|size|date|count|quantity|result|message|enabled|available|severity|version|duration|filename|connection|signal|mode|condition|temperature|score|branch)$/i;
const PERSONAL =
  /(?:^|_)(?:e-?mail|dob|phone|first_name|last_name|full_name|birth|customer|user|address)/i;

function recordPhrase(
  fields: Readonly<Record<string, Json>>,
  cut: boolean,
  asked: Asked,
): string | null {
  const entries = Object.entries(fields);
  const held = entries.filter(([, value]) => Array.isArray(value) || isRecord(value));
  if (entries.length === 1 && held.length === 1) return soleMember(entries[0], cut, asked);
  const main = mainList(entries);
  if (main !== null) return listPhrase(main, cut, asked);
  const counts = held
    .map(([key, value]) => [key, Array.isArray(value) ? value.length : 0] as const)
    .filter(([key, count]) => count > 0 && !isHidden(key) && !/histor|log/i.test(key))
    .map(([key, count]) => counted(count, plain(humanize(key.toLowerCase()))))
    .filter((count) => !asked.said.includes(count));
  if (asked.countsOnly) {
    if (counts.length > 0) return nameList(counts.slice(0, 3));
    return asked.reading ? counted(entries.length, 'entry') : null;
  }
  const map = namedValues(entries, asked);
  if (map !== null) return map;
  const args = readArguments(fields).filter(
    (arg) => arg.shown !== '' && arg.value !== null && typeof arg.value !== 'object',
  );
  const made = asked.reading ? null : madeId(args, asked);
  const pair = fromTo(args);
  const told = new Set(pair?.keys ?? []);
  const personal = entries.some(([key]) => PERSONAL.test(key));
  const details = args
    .filter(
      (arg) =>
        !told.has(arg.key) &&
        (DETAIL.test(arg.key) || (!personal && /^name$|_name$/.test(arg.key))),
    )
    .filter((arg) => !asked.said.includes(arg.shown) && arg.shown.length <= NAME_LIMIT)
    .filter(
      (arg) =>
        asked.reading || !/^(?:message|result)$/.test(arg.key) || tellsMore(arg.shown, asked.said),
    )
    .map(detail);
  const trip = details.findIndex((piece) => /^(?:one way|round trip|return|one-way)$/.test(piece));
  const route = pair === null || asked.said.includes(pair.text) ? [] : [pair.text];
  if (trip >= 0 && route[0] !== undefined)
    route[0] = `${details.splice(trip, 1)[0] ?? ''} ${route[0]}`;
  const pieces = [
    ...(made === null ? [] : [made]),
    ...route,
    ...details.slice(0, 2),
    ...(asked.reading ? counts.slice(0, 2) : []),
    ...details.slice(2),
  ];
  if (pieces.length > 0) return pieces.slice(0, PIECES).join(', ');
  return asked.reading ? `a record of ${counted(entries.length, 'field')}` : null;
}

/** The list that an answer is about, beside its paging: `{"data": [...], "has_more": false}`. */
function mainList(entries: readonly [string, Json][]): readonly Json[] | null {
  const lists = entries.filter(([, value]) => Array.isArray(value));
  const [key, value] = lists[0] ?? ['', null];
  const wraps =
    /^(?:data|results?|items|records|entries|rows|values|hits|matches|list|content)$/i.test(key);
  return lists.length === 1 && wraps && Array.isArray(value) && value.length > 0 ? value : null;
}

function detail(arg: Argument): string {
  const words = arg.words.join(' ');
  if (/(?:type|class|cabin|kind|category)$/.test(words) && /^\D/.test(arg.shown)) return arg.shown;
  return /^(?:message|result|title|name|filename|file name)$/.test(words)
    ? arg.shown
    : `${words} ${arg.shown}`;
}

/** The id of what a writing call made: `reservation HATHAT`. */
function madeId(args: readonly Argument[], asked: Asked): string | null {
  const id = args.find(
    (arg) =>
      /(?:^|_)(?:id|id_|number|code|reference)$/i.test(arg.key) &&
      !/user|customer|owner|account/i.test(arg.key),
  );
  if (id === undefined || asked.said.includes(id.shown) || id.shown.length > NAME_LIMIT)
    return null;
  const noun = id.words.filter((word) => word !== 'id').join(' ');
  return noun === '' ? `id ${id.shown}` : `${noun} ${id.shown}`;
}

/** `{"Hotel Names": [...]}`, `{"results": [...]}`. */
function soleMember(entry: [string, Json] | undefined, cut: boolean, asked: Asked): string | null {
  const [key, value] = entry ?? ['', null];
  if (Array.isArray(value)) {
    if (/^\p{Lu}/u.test(key) && isHidden(asked.noun) === false && !/ names?$| in /i.test(key)) {
      return asked.countsOnly
        ? counted(value.length, 'entry')
        : `${plain(key)}: ${showValue(value)}`.replace(/: $/, '');
    }
    return listPhrase(
      value,
      cut,
      asked.noun === '' ? { ...asked, noun: key.toLowerCase() } : asked,
    );
  }
  return isRecord(value) ? recordPhrase(value, cut, asked) : null;
}

/** A record whose keys are names of things: `Speedy Rentals 48, LAX Car Rental 39.99`. */
function namedValues(entries: readonly [string, Json][], asked: Asked): string | null {
  if (
    entries.length === 0 ||
    entries.some(([key]) => !/^\p{Lu}|[ \d]/u.test(key) || key.length > NAME_LIMIT)
  )
    return null;
  if (entries.some(([key]) => isHidden(key.replace(/ /g, '_')) || looksLikeInstruction(key)))
    return null;
  const short = entries.length <= 4;
  const pairs = entries.map(([key, value]) => {
    const shown = isRecord(value)
      ? ''
      : showValue(typeof value === 'string' ? firstFact(value) : value);
    if (shown === '' || shown.length > (short ? 60 : 30)) return plain(key);
    if (Array.isArray(value)) return `${plain(key)} (${shown})`;
    return typeof value === 'string' ? `${plain(key)}: ${shown}` : `${plain(key)} ${shown}`;
  });
  if (pairs.every((pair) => asked.said.includes(pair))) return counted(entries.length, 'entry');
  const sign = pairs.some((pair) => /[,:]/.test(pair)) ? '; ' : ', ';
  const shownPairs = pairs.slice(0, 4).join(sign);
  if (short) return shownPairs;
  return `${counted(pairs.length, listNoun(asked.noun))}: ${shownPairs} and ${pairs.length - 4} more`;
}

/** `Rating: 4.2\nReviews: …` → `rating 4.2`. */
function firstFact(value: string): string {
  const line = value.split('\n', 1)[0] ?? '';
  const fact = /^([A-Z][a-z]+(?: [a-z]+)?): (\S.{0,30})$/.exec(line);
  return fact === null ? value : `${(fact[1] ?? '').toLowerCase()} ${fact[2] ?? ''}`;
}

const FOUND = /^\W{0,3}(?:found|listing|returned|showing|total:?) (\d{1,6}) (\p{L}+)/iu;

function textPhrase(text: string, cut: boolean, asked: Asked): string | null {
  const found = FOUND.exec(text.slice(0, 200));
  if (found !== null) return counted(Number(found[1]), (found[2] ?? '').toLowerCase());
  if (looksLikeInstruction(text) || asked.countsOnly)
    return asked.reading ? textSize(text, cut) : null;
  const opening = plain(text.slice(0, 600));
  const prose =
    /^[\p{L}\p{N}"“(]/u.test(opening) &&
    /\p{L}{3,} \p{L}{2,}/u.test(opening) &&
    !/[@;=]|https?:|^\W*(?:\d+:|File:|PUBLIC|total |% Total|Traceback|DOCTYPE|import |from \w+ import)|\w\/\w+\//i.test(
      opening.slice(0, 80),
    );
  if (!asked.reading)
    return prose && tellsMore(opening.slice(0, 100), asked.said) ? clip(opening, 100) : null;
  return prose
    ? `${textSize(text, cut)}, “${clip(opening.replace(/[“”"]/g, "'"), 80)}”`
    : textSize(text, cut);
}

function textSize(text: string, cut: boolean): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  const words = text.split(/\s+/, 20_000).filter((word) => word !== '').length;
  const least = cut || text.includes(LEFT_OUT) ? 'at least ' : '';
  return `${least}${lines > 12 ? counted(lines, 'line') : counted(words, 'word')}`;
}
