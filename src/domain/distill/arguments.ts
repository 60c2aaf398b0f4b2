import type { Json, JsonObject } from '../../contracts/event';
import { looksLikeInstruction } from './instruction-like';
import { nameWords } from './operation-name';
import { clip, counted, humanize, isPlural, nameList, plain, plural, singular } from './plain-text';

/** One argument of a call as the sentence about it needs it. */
export interface Argument {
  key: string;
  /** The words of its key, singular. */
  words: string[];
  value: Json;
  /** How it reads, or empty where it must not be shown. */
  shown: string;
}

const VALUE_LIMIT = 60;
/** Contact data, secrets and free text: never in a sentence. */
const HIDDEN =
  /(?:password|passwd|passphrase|secret|token|api_?key|credential|(?:^|_)pin$|cvv|cvc|ssn|card_?number|iban|account_?number|e-?mails?$|phone|mobile_?(?:number|phone)|street|address\d?$|zip|postal|post_?code|dob$|birth|first_?name|last_?name|full_?name|surname|passport)/i;
const LONG_TEXT =
  /(?:^|_)(?:body|content|contents|text|html|markdown|description|thought|prompt|code|script|diff|patch|data|blob|payload|instructions?|summary|notes?|comment)$/i;
const WRAPPERS = new Set([
  'arguments',
  'args',
  'params',
  'parameters',
  'input',
  'kwargs',
  'payload',
  'body',
  'data',
  'request',
  'tool_input',
  'variables',
]);
const EMAIL = /(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.]+/;

/** The call's arguments; a lone wrapper (`arguments`, `params` …) is opened. */
export function readArguments(fields: Readonly<Record<string, Json>>): Argument[] {
  let open = fields;
  for (let i = 0; i < 3; i += 1) {
    const keys = Object.keys(open);
    const inner: Json | undefined = keys.length === 1 ? open[keys[0] ?? ''] : undefined;
    if (!WRAPPERS.has(keys[0] ?? '') || !isRecord(inner)) break;
    open = inner;
  }
  return Object.entries(open)
    .slice(0, 40)
    .map(([key, value]) => ({
      key,
      words: nameWords(key).map(singular),
      value,
      shown: HIDDEN.test(key) || LONG_TEXT.test(key) ? '' : showValue(value),
    }));
}

export function isRecord(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isHidden(key: string): boolean {
  return HIDDEN.test(key) || LONG_TEXT.test(key);
}

/** A short value in words; empty for what is long, structured, contact data, or speaks to a machine. */
export function showValue(value: Json): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') {
    if (value.length > 400 || EMAIL.test(value) || looksLikeInstruction(value)) return '';
    const text = plain(humanize(value));
    return text.length > VALUE_LIMIT * 2 ? '' : clip(text, VALUE_LIMIT);
  }
  if (Array.isArray(value) && value.length > 0) {
    const names = value.map((item) => (typeof item === 'object' ? '' : showValue(item)));
    return names.every((name) => name !== '' && name.length <= 40) ? nameList(names) : '';
  }
  return '';
}

export interface Pair {
  text: string;
  keys: string[];
}

const FROM =
  /^(?:origin|from|source|departure|start|pickup|pick_up|src)(?:_?(?:city|airport|location|station|place|account|currency|branch|path))?$/i;
const TO =
  /^(?:destination|to|target|arrival|end|dropoff|drop_off|dest|dst)(?:_?(?:city|airport|location|station|place|account|currency|branch|path))?$/i;

/** `JFK to SFO`, from whichever pair of keys says where from and where to. */
export function fromTo(args: readonly Argument[]): Pair | null {
  const from = args.find((arg) => FROM.test(arg.key) && arg.shown !== '');
  const to = args.find((arg) => TO.test(arg.key) && arg.shown !== '');
  if (from === undefined || to === undefined) return null;
  return { text: `${from.shown} to ${to.shown}`, keys: [from.key, to.key] };
}

const START = /^(?:start|begin|from|check_?in|since|pickup|departure)_?(?:date|day|time|at)?$/i;
const END = /^(?:end|finish|to|until|check_?out|till|return|arrival)_?(?:date|day|time|at)?$/i;
const DATE_KEY = /(?:^|_)(?:date|day|time|when|at|deadline|due|month|year)$/i;
const DATE_VALUE = /^\d{4}-\d{2}(?:-\d{2})?(?:[T ]\d{2}:\d{2}(?::\d{2})?)?/;

/** `on 2024-05-20`, or `from … to …`. */
export function dates(args: readonly Argument[]): Pair | null {
  const dated = args.filter(
    (arg) => typeof arg.value === 'string' && DATE_VALUE.test(arg.value) && arg.shown !== '',
  );
  const start = dated.find((arg) => START.test(arg.key));
  const end = dated.find((arg) => END.test(arg.key));
  if (start !== undefined && end !== undefined) {
    return { text: `from ${start.shown} to ${end.shown}`, keys: [start.key, end.key] };
  }
  const one = dated.find((arg) => DATE_KEY.test(arg.key)) ?? dated[0];
  if (one === undefined) return null;
  return {
    text: `${/due|deadline|until|expir/i.test(one.key) ? 'due' : 'on'} ${one.shown}`,
    keys: [one.key],
  };
}

const AMOUNT = /(?:^|_)(?:amount|price|total|cost|paid|sum|fee)$/i;

/** `paying 304`: the amount itself, or the sum of a list of payments. */
export function amounts(args: readonly Argument[]): Pair | null {
  for (const arg of args) {
    if (Array.isArray(arg.value) && /pay|charge|split/i.test(arg.key)) {
      const paid = arg.value.map((item) => (isRecord(item) ? item.amount : null));
      if (paid.length > 0 && paid.every((amount) => typeof amount === 'number')) {
        const total = paid.reduce((sum: number, amount) => sum + (amount as number), 0);
        return { text: `paying ${Math.round(total * 100) / 100}`, keys: [arg.key] };
      }
    }
  }
  for (const arg of args) {
    if (!AMOUNT.test(arg.key) || !isRecord(arg.value)) continue;
    const value = arg.value.value ?? arg.value.amount;
    const currency = arg.value.currency ?? arg.value.currency_code;
    if (typeof value === 'number' || typeof value === 'string') {
      return {
        text: `${arg.words.join(' ')} ${[value, currency].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ')}`.slice(
          0,
          60,
        ),
        keys: [arg.key],
      };
    }
  }
  const plainAmount = args.find((arg) => AMOUNT.test(arg.key) && arg.shown !== '');
  if (plainAmount === undefined) return null;
  return { text: `${plainAmount.words.join(' ')} ${plainAmount.shown}`, keys: [plainAmount.key] };
}

const PEOPLE =
  /^(?:passenger|guest|traveler|traveller|attendee|participant|adult|child|person|people|recipient|invitee|user|member|seat)$/;

/** `for 2 passengers`, `4 flights`: lists whose members are not names. */
export function listCounts(args: readonly Argument[]): Pair[] {
  const out: Pair[] = [];
  for (const arg of args) {
    const noun = arg.words[arg.words.length - 1] ?? '';
    const isCount =
      typeof arg.value === 'number' && (PEOPLE.test(noun) || isPlural(arg.key.toLowerCase()));
    const count = Array.isArray(arg.value) ? arg.value.length : isCount ? Number(arg.value) : -1;
    if (count < 0 || noun === '' || /pay/.test(arg.key)) continue;
    if (Array.isArray(arg.value) && (count === 0 || (arg.shown !== '' && !PEOPLE.test(noun))))
      continue;
    if (!Number.isInteger(count)) continue;
    const words = counted(count, arg.words.join(' '));
    out.push({
      text: PEOPLE.test(noun) ? `for ${words}` : withCodes(arg.value, words),
      keys: [arg.key],
    });
  }
  return out;
}

/** A list of records is named by its members' codes: `2 flights HAT030, HAT223`. */
function withCodes(value: Json, words: string): string {
  if (!Array.isArray(value)) return words;
  const codes = value.map((item) => {
    if (!isRecord(item)) return '';
    const key = Object.keys(item).find(
      (name) => /(?:^|_)(?:number|code|id|sku|name|title)$/i.test(name) && !isHidden(name),
    );
    return key === undefined ? '' : showValue(item[key] ?? null);
  });
  if (codes.length === 0 || codes.some((code) => code === '' || code.length > 24)) return words;
  return `${words} (${nameList([...new Set(codes)])})`;
}

const SAID = /^(?:body|text|message|content|comment|thought|question|note|reply)$/i;

/** A short text of the agent's own, quoted; a long one by its first words where nothing else is told. */
export function quotedText(args: readonly Argument[]): string {
  const arg = args.find((one) => SAID.test(one.key) && typeof one.value === 'string');
  if (arg === undefined || typeof arg.value !== 'string') return '';
  if (EMAIL.test(arg.value) || looksLikeInstruction(arg.value)) return '';
  const text = plain(arg.value);
  return text.length < 4 ? '' : `saying “${clip(text.replace(/[“”"]/g, "'"), 90)}”`;
}

/** `item id` of several values → `items`. */
function plurals(words: readonly string[]): string[] {
  const named = words.filter((word) => word !== 'id' && word !== 'name');
  return named.map((word, index) => (index === named.length - 1 ? plural(word) : word));
}

const BARE = /(?:^|_)(?:type|class|cabin|kind|category|mode|level|tier|color|colour|size)$/i;
const QUOTED =
  /^(?:query|q|search|search_?term|keywords?|pattern|term|subject|title|expression|question|regex|phrase|topic)$/i;
const TOWARD =
  /^(?:recipients?|to|user|member|assignee|to_user|receiver|addressee|customer|customer_id|user_id|client|client_id)$/i;

/** Any other argument in words; empty where it says nothing. */
export function otherArgument(arg: Argument, toward: 'to' | 'for'): string {
  if (arg.shown === '' || arg.value === false || arg.value === null) return '';
  if (BARE.test(arg.key))
    return /^\d/.test(arg.shown) ? `${arg.words.join(' ')} ${arg.shown}` : arg.shown;
  if (QUOTED.test(arg.key))
    return /^(?:subject|title|topic)$/i.test(arg.key)
      ? `${arg.key} “${arg.shown}”`
      : `“${arg.shown}”`;
  if (TOWARD.test(arg.key)) return `${arg.key === 'to' ? 'to' : toward} ${arg.shown}`;
  if (typeof arg.value === 'boolean') return arg.words.join(' ');
  const own = Array.isArray(arg.value) && arg.value.length > 1 ? plurals(arg.words) : arg.words;
  const words = own.filter((word) => !/^(?:ids?|names?)$/.test(word)).join(' ');
  return `${words === '' ? arg.words.join(' ') : words} ${arg.shown}`.trim();
}
