import type { Json, SettledEvent } from '../../contracts/event';

/**
 * What is read of one text, UTF-16 units. A card is three sentences, made of how a text begins and
 * how it ends; lists in it are counted as far as they are parsed (`PARSE_LIMIT` is the sum). An event
 * may hold 256 KB, and capture distills inside a workflow task of 3 s that other workflows wait for:
 * without a cap here, one careless pattern downstream lets one event stop the process.
 */
const HEAD_LIMIT = 60_000;
const TAIL_LIMIT = 3_900;
/** What is read of all texts of an event; past it each keeps enough to be counted and named. */
const EVENT_LIMIT = 128_000;
const NAME_LIMIT = 64;

/** Stands where the middle of a text was left out; sizes of such a text are told as `at least`. */
export const LEFT_OUT = '\n[...cut]\n';

/** The event with its long texts shortened: the only one that the makers of a card ever see. */
export function shortenedEvent(event: SettledEvent): SettledEvent {
  const budget = { left: EVENT_LIMIT };
  const short = { ...event };
  // The error tells most and is spent on first; an output is the longest and comes last.
  if (event.error !== undefined) short.error = shortenedWithin(event.error, budget);
  if (event.text !== undefined) short.text = shortenedText(event.text, budget);
  if (event.input !== undefined) short.input = shortenedWithin(event.input, budget);
  if (Array.isArray(event.messages)) {
    short.messages = event.messages.map((message) =>
      typeof message?.content === 'string'
        ? { ...message, content: shortenedText(message.content, budget) }
        : message,
    );
  }
  if (event.output !== undefined) short.output = shortenedWithin(event.output, budget);
  return short;
}

function shortenedText(text: string, budget: { left: number }): string {
  if (typeof text !== 'string') return text;
  const room = Math.max(NAME_LIMIT, Math.min(HEAD_LIMIT + TAIL_LIMIT, budget.left));
  budget.left -= Math.min(text.length, room);
  if (text.length <= room) return text;
  // Data that lost its middle cannot be read; data that lost its end can.
  if (/^\s{0,20}[[{(]/.test(text)) return `${text.slice(0, room)}[...cut`;
  const tail = Math.min(TAIL_LIMIT, Math.floor(room / 5));
  return `${text.slice(0, room - tail)}${LEFT_OUT}${text.slice(text.length - tail)}`;
}

function shortenedWithin(value: Json, budget: { left: number }): Json {
  if (typeof value === 'string') return shortenedText(value, budget);
  if (Array.isArray(value)) return value.map((item) => shortenedWithin(item, budget));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, shortenedWithin(item, budget)]),
  );
}
