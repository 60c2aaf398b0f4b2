import type { Json, JsonObject } from '../../contracts/event';
import { depthOf } from '../../domain/clean-text';
import { type Attributes, jsonIn, textIn } from './values';

export interface SpanMessage {
  role: string;
  content: string;
}

/** Of one message, in characters: an event holds 256 KB, and a card three sentences of it. */
const MOST_TEXT = 16_000;
/** Of one exchange: what came after the last question, tools and answers. */
const MOST_MESSAGES = 20;
/** Spans repeat the whole history; more of it than this is not even looked at. */
const MOST_LOOKED_AT = 1_000;
const MAX_DEPTH = 24;

/** What was asked and what was answered, as the span tells it. */
export interface Exchange {
  /** The last question and what followed it, without what the system says. */
  asked: SpanMessage[];
  answered: SpanMessage[];
  /** Whether the answer says something, beside calling tools. */
  says: boolean;
}

/** Something that a span's events carry: their name, and their attributes. */
export interface SpanEvent {
  name: string;
  attributes: Attributes;
}

/**
 * The exchange of an inference span: as attributes (conventions from 1.37), in the event that carries them,
 * as numbered attributes, or as one event a message (before 1.37, and before that one for all prompts and one
 * for all answers).
 */
export function exchangeOf(attributes: Attributes, events: readonly SpanEvent[]): Exchange {
  const holders = [attributes, ...events.map((event) => event.attributes)];
  const listed = (...keys: string[]) => {
    for (const holder of holders) {
      const found = jsonIn(holder, ...keys);
      if (found !== undefined)
        return messagesIn(found, keys[0]?.includes('output') ? 'assistant' : 'user');
    }
    return [];
  };
  const input = listed('gen_ai.input.messages', 'gen_ai.prompt');
  const output = listed('gen_ai.output.messages', 'gen_ai.completion');
  const told = events.flatMap(messageOfEvent);
  const [all = [], answers = []] = [false, true].map((isAnswer) => {
    const list = isAnswer ? output : input;
    if (list.length > 0) return list;
    const numbered = numberedIn(attributes, isAnswer);
    return numbered.length > 0 ? numbered : told.filter((one) => one.isAnswer === isAnswer);
  });
  return {
    asked: lastTurn(all),
    answered: answers.slice(-MOST_MESSAGES).map(plain),
    says: answers.some(({ says }) => says) || (answers.length === 0 && all.length > 0),
  };
}

interface Told extends SpanMessage {
  /** Words, and not only calls. */
  says: boolean;
}

const plain = ({ role, content }: Told): SpanMessage => ({ role, content });

/** From the last thing that a user said on: what was before, an earlier span has told. */
function lastTurn(messages: readonly Told[]): SpanMessage[] {
  const said = messages.filter(({ role }) => role !== 'system' && role !== 'developer');
  const from = said.map(({ role }) => role).lastIndexOf('user');
  return said.slice(Math.max(0, from)).slice(0, MOST_MESSAGES).map(plain);
}

const NUMBERED = /^gen_ai\.(prompt|completion)\.(\d{1,4})\.content$/;

/** One attribute a message, as a widespread library writes them: `gen_ai.prompt.0.content`, and its `.role`. */
function numberedIn(attributes: Attributes, isAnswer: boolean): Told[] {
  const found: { n: number; told: Told }[] = [];
  for (const key of attributes.keys()) {
    const [, kind, n] = NUMBERED.exec(key) ?? [];
    if (kind === undefined || (kind === 'completion') !== isAnswer) continue;
    const content = textIn(attributes, key);
    const role =
      textIn(attributes, `gen_ai.${kind}.${n}.role`) ?? (isAnswer ? 'assistant' : 'user');
    if (content !== null) found.push({ n: Number(n), told: { role, ...wordsOf(content) } });
  }
  return found.sort((a, b) => a.n - b.n).map(({ told }) => told);
}

const ROLE_OF_EVENT: Readonly<Record<string, string>> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
  'gen_ai.choice': 'assistant',
};

function messageOfEvent({ name, attributes }: SpanEvent): (Told & { isAnswer: boolean })[] {
  const role = ROLE_OF_EVENT[name];
  if (role === undefined) return [];
  const held = jsonIn(attributes, 'gen_ai.event.content', 'message', 'content');
  const told = typeof held === 'string' ? wordsOf(held) : toldBy(held ?? null);
  const calls = told.content === '' ? toldBy(jsonIn(attributes, 'tool_calls') ?? null) : told;
  if (calls.content === '') return [];
  const named = name === 'gen_ai.choice' ? null : textIn(attributes, 'role');
  return [{ role: named ?? role, ...calls, isAnswer: name === 'gen_ai.choice' }];
}

/** A list of messages, one message, or a text that is one. */
function messagesIn(value: Json, role: string): Told[] {
  if (typeof value === 'string') return nonEmpty({ role, ...wordsOf(value) });
  const list = Array.isArray(value) ? value.slice(-MOST_LOOKED_AT) : [value];
  return list.flatMap((one) => {
    if (typeof one === 'string') return nonEmpty({ role, ...wordsOf(one) });
    if (!isObject(one)) return [];
    const named = typeof one.role === 'string' && one.role.trim() !== '' ? one.role : role;
    return nonEmpty({ role: named.slice(0, 100), ...toldBy(one) });
  });
}

function nonEmpty(told: Told): Told[] {
  return told.content === '' ? [] : [told];
}

function wordsOf(text: string): { content: string; says: boolean } {
  const content = text.trim().slice(0, MOST_TEXT);
  return { content, says: content !== '' };
}

/** The text of a message: its content or its parts, and what it calls. */
function toldBy(value: Json): { content: string; says: boolean } {
  const pieces: string[] = [];
  let says = false;
  const add = (one: Json | undefined): void => {
    if (typeof one === 'string') {
      if (one.trim() === '') return;
      pieces.push(one.trim());
      says = true;
    } else if (Array.isArray(one)) {
      for (const inner of one.slice(0, MOST_LOOKED_AT)) add(inner);
    } else if (isObject(one)) {
      const call = callIn(one);
      if (call !== null) pieces.push(call);
      else if (one.type !== 'reasoning' && one.type !== 'thinking') addContent(one);
    }
  };
  const addContent = (one: JsonObject): void => {
    if (typeof one.modality === 'string') return;
    for (const field of ['parts', 'content', 'text', 'response', 'result', 'tool_calls'])
      add(one[field]);
  };
  if (depthOf(value, MAX_DEPTH) <= MAX_DEPTH) add(value);
  return { content: pieces.join('\n').slice(0, MOST_TEXT), says };
}

/** `get_weather({"city":"Paris"})`, of a part or a message's own list of calls. */
function callIn(part: JsonObject): string | null {
  const called = isObject(part.function) ? part.function : part;
  const isCall = part.type === 'tool_call' || part.type === 'function' || part.type === 'tool_use';
  if (!isCall || typeof called.name !== 'string') return null;
  const given = called.arguments ?? called.input ?? '';
  return `${called.name}(${typeof given === 'string' ? given : JSON.stringify(given)})`;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
