import { namesIn } from '../entity-text';
import type { DateSaid } from './dates-in';

/** How much it would be missed: an id or an amount cannot be guessed, a name mostly comes again. */
export const ITEM_WEIGHT = {
  contact: 3,
  address: 3,
  code: 3,
  money: 3,
  date: 2,
  time: 2,
  number: 2,
  quoted: 1.5,
  name: 1,
} as const;
export type ItemKind = keyof typeof ITEM_WEIGHT;

export interface Item {
  kind: ItemKind;
  /** As it stands there; of a date what it comes to. */
  text: string;
  at: number;
}

/** Of one clause: a list of a hundred things is kept as a list, and not item by item. */
const MOST = 16;

const COUNTED_WORDS =
  'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|thousand|dozen';
const STREET =
  'street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|place|pl|square|way|terrace|highway|hwy|parkway';

/** Of scripts that put spaces between words: in others a run is a sentence, and no code. */
const LETTER = '\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}';
const SPELLED = `${LETTER}\\p{N}`;

/** In this order; what one has taken the next does not see. */
const PATTERNS: readonly (readonly [ItemKind, RegExp])[] = [
  // As redaction writes the token of a contact.
  ['contact', /\[(?:EMAIL|PHONE|EXT_IP)_[A-Za-z2-7]{10,64}\]/gu],
  [
    'contact',
    /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}][\p{L}\p{N}._%+-]{0,63}@[\p{L}\p{N}][\p{L}\p{N}-]{0,62}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu,
  ],
  ['code', /\b(?:https?|ftp|ssh|postgres|s3|git):\/\/[^\s<>"'“”()[\]]{3,300}/giu],
  [
    'quoted',
    /"[^"\n]{2,120}"|“[^”\n]{2,120}”|«[^»\n]{2,120}»|„[^“”\n]{2,120}[“”]|「[^」\n]{2,80}」|『[^』\n]{2,80}』|(?<!\p{L})'[^'\n]{2,80}'(?!\p{L})/gu,
  ],
  [
    'address',
    new RegExp(
      `(?<![\\p{L}\\p{N}])\\d{1,5}[A-Za-z]?,? (?:\\p{Lu}[\\p{L}'’.-]{1,30} ){1,4}(?:${STREET})\\b\\.?(?:,? (?:apt|apartment|suite|unit|floor|#)\\.? ?[\\p{L}\\p{N}-]{1,6})?`,
      'giu',
    ),
  ],
  [
    'address',
    /(?<![\p{L}\p{N}])\p{Lu}[\p{L}.-]{2,30}(?:straße|strasse|str\.|gasse|weg|platz|allee|gata|gatan|vej|laan|straat) \d{1,4}[a-z]?\b/gu,
  ],
  [
    'address',
    /(?<![\p{L}\p{N}])\d{1,4}(?: ?bis| ?ter)?,? (?:rue|avenue|boulevard|impasse|quai|place) (?:(?:de|du|des|la|le|les|l['’]) ?){0,3}\p{Lu}[\p{L}'’-]{1,30}(?:[ -]\p{Lu}[\p{L}'’-]{1,30}){0,3}/gu,
  ],
  [
    'address',
    /\b(?:avenue|calle|via|rua|avenida|plaza|piazza) (?:[\p{L}'’.-]{1,20} ){1,4}\d{1,4}\b/giu,
  ],
  [
    'code',
    /(?<![\p{L}\p{N}])(?:~|\.{1,2})?\/(?:[\p{L}\p{N}._-]{1,60}\/){1,10}[\p{L}\p{N}._-]{1,60}/gu,
  ],
  [
    'money',
    /(?<![\p{L}\p{N}])(?:US|CA|AU|A|C)?[$€£¥₹₽₩] ?\d[\d.,' ]{0,14}\d?(?: ?(?:k|m|bn|million|billion|thousand))?(?![\p{L}\p{N}])/giu,
  ],
  [
    'code',
    /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}_.-]{1,60}\/){1,10}[\p{L}\p{N}_-]{1,60}\.[a-z]{1,5}(?![\p{L}\p{N}])/gu,
  ],
  [
    'money',
    /(?<![\p{Script=Latin}\p{N}.,])\d[\d.,']{0,14}(?: ?(?:k|m|million|billion|thousand))? ?(?:[€£¥₹₽₩]|(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|INR|CNY|PLN|dollars?|euros?|pounds?|bucks|cents?|yen|francs?|rupees?|kroner|元|円)(?![\p{L}]))/giu,
  ],
];

/** After dates: what is left of digits. */
const LATE_PATTERNS: readonly (readonly [ItemKind, RegExp])[] = [
  [
    'time',
    /(?<![\p{L}\p{N}:.])(?:[01]?\d|2[0-3])(?:[:.h][0-5]\d)(?::[0-5]\d)?(?: ?[ap]\.?m\.?)?(?![\p{L}\p{N}])|(?<![\p{L}\p{N}:])(?:1[0-2]|[1-9]) ?(?:[ap]\.?m\b\.?|o['’]clock|uhr\b)|(?<=\bat )(?:noon|midnight)\b/giu,
  ],
  // Ids, versions, file names, hashes: letters and digits together, or with joints that no word has.
  [
    'code',
    new RegExp(
      `(?<![${SPELLED}_])#?(?=[${SPELLED}_.:/@-]*\\p{N})(?=[${SPELLED}_.:/@-]*[${LETTER}_#])[${SPELLED}](?:[${SPELLED}_]|[.:/@-](?=[${SPELLED}])){2,79}`,
      'gu',
    ),
  ],
  [
    'code',
    /(?<![\p{L}\p{N}])#\d{1,12}\b|(?<![\p{L}\p{N}_])[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+|(?<![\p{L}\p{N}.])[\p{L}\p{N}-]{1,40}\.(?:[a-z]{2,5})(?:\/[\p{L}\p{N}._/-]{1,80})?(?![\p{L}\p{N}])/gu,
  ],
  ['code', /(?<![\p{L}\p{N}])\d{1,5}(?:[-./]\d{1,7}){2,5}(?![\p{L}\p{N}])/gu],
  [
    'number',
    /(?<![\p{L}\p{N}.,])[-+]?\d[\d.,']{0,15}(?<=\d) ?(?:%|‰|°[CF]?|percent|per cent|(?:[kKmMcμn]?(?:m|g|l|b|B|W|Hz|s)|km\/h|mph|kWh?|[KMGT]i?B|px|ft|lbs?|oz|mi)(?![\p{L}])|-?[\p{L}]{2,20}(?: [\p{Ll}]{3,20})?)/gu,
  ],
  [
    'number',
    new RegExp(
      `(?<![\\p{L}-])(?:${COUNTED_WORDS})[ -](?:\\p{Ll}{3,20})(?:[ -]\\p{Ll}{3,20})?`,
      'giu',
    ),
  ],
  ['number', /(?<![\p{L}\p{N}.,])[-+]?\d[\d.,']{0,20}(?<=\d)(?![\p{L}\p{N}])/gu],
];

/** What a number counts or measures; any other word after it is left to its sentence. */
const UNIT =
  /^(?:%|‰|°[CF]?|percent|per|cent|[kcmdμn]?m|[kmμ]?g|[mcd]?l|[kKMGT]i?[bB]|[kMGT]?W|[kMGT]?Hz|k?Wh|ms|s|h|min|km\/h|mph|px|ft|lbs?|oz|mi|year|month|week|day|hour|minute|second|night|euro|dollar|piece|people|persons?|men|women|children|feet|inch(?:es)?|mile|meter|metre|kilo|stück|jahre?|tage?|stunden?|personen|kinder|años?|días?|horas?|personas|ans?|jours?|heures?|personnes|anni|giorni|ore|persone|[\p{L}-]{3,}s)$/iu;

/**
 * What in a clause must survive: tokens of contacts, addresses, ids, amounts, dates, times, numbers with what they
 * count, quoted strings and names, each once, in order, at most sixteen, the telling ones first to stay.
 *
 * @param dates of the same clause
 */
export function itemsOf(clause: string, dates: readonly DateSaid[]): Item[] {
  const taken: Item[] = [];
  let rest = clause;
  const take = (kind: ItemKind, text: string, at: number, length: number) => {
    taken.push({ kind, text, at });
    rest = rest.slice(0, at) + '\u0000'.repeat(length) + rest.slice(at + length);
  };
  const takeAll = (patterns: typeof PATTERNS) => {
    for (const [kind, pattern] of patterns) {
      for (const match of rest.matchAll(pattern)) {
        const text = kind === 'number' ? withItsNoun(match[0]) : trimmed(match[0], kind);
        if (text.length > 0 && !text.includes('\u0000')) take(kind, text, match.index, text.length);
      }
    }
  };
  takeAll(PATTERNS);
  for (const { start, end, date } of dates) {
    if (!rest.slice(start, end).includes('\u0000')) take('date', date, start, end - start);
  }
  takeAll(LATE_PATTERNS);
  for (const { name } of namesIn(clause)) {
    const at = rest.toLowerCase().indexOf(name);
    if (at === -1) continue;
    const text = clause.slice(at, at + name.length);
    if (/\p{Lu}|\p{N}|[^\p{Script=Latin}\s\p{P}]/u.test(text)) take('name', text, at, name.length);
  }
  return bounded(taken);
}

function bounded(items: readonly Item[]): Item[] {
  const once = new Map<string, Item>();
  for (const item of items) {
    const key = item.text.toLowerCase();
    if (!once.has(key)) once.set(key, item);
  }
  const kept = [...once.values()]
    .sort((a, b) => ITEM_WEIGHT[b.kind] - ITEM_WEIGHT[a.kind] || a.at - b.at)
    .slice(0, MOST);
  return kept.sort((a, b) => a.at - b.at);
}

function trimmed(text: string, kind: ItemKind): string {
  if (kind === 'quoted') return text;
  return text.replace(/[\s.,;:!?'’]+$/u, '');
}

/** `3 kids and` is three kids; `4711 went` is a number. */
function withItsNoun(text: string): string {
  const [, number = text, gap = '', rest = ''] =
    /^(\S*?[\d])( ?|-)(\D.*)?$/u.exec(text.trim()) ?? [];
  if (/^\p{L}/u.test(text)) return trimmed(countedInWords(text), 'number');
  const words = rest.split(' ');
  const last = words.findLastIndex((word) => UNIT.test(word.replace(/[.,]$/, '')));
  if (rest === '' || last === -1) return trimmed(number, 'number');
  return trimmed(`${number}${gap}${words.slice(0, last + 1).join(' ')}`, 'number');
}

/** `two kids`; a number word that counts nothing is none. */
function countedInWords(text: string): string {
  const words = text.split(' ');
  const last = words.findLastIndex((word, at) => at > 0 && UNIT.test(word));
  return last === -1 ? '' : words.slice(0, last + 1).join(' ');
}
