import type { JsonObject } from '../../contracts/event';
import { linesOf } from '../../domain/text-lines';
import { Failed } from '../failure';
import { type ForeignFile, isObject, notAMemory, rememberedEvent, textIn } from './foreign';
import type { Entry } from './run';

/** One document is read as a whole. */
const MOST_BYTES = 256 * 1024 * 1024;
/** What holds the memories in answers of `get_all`, of a page of it, and of an export. */
const LISTS = ['results', 'memories'];
/** Whose it is, and of which run. */
const OF_WHOM = ['user_id', 'agent_id', 'run_id'] as const;
const TIMES = ['created_at', 'updated_at', 'expiration_date'] as const;
/** Of a memory; the rest of it is of use to mem0 alone. */
const KEPT = ['categories', 'updated_at', 'actor_id', 'role', 'expiration_date'];

/**
 * Memories of mem0 as events: a list of them, what `get_all` answers, pages of that, or one a line. They are numbered
 * by their place. Relations of its graph are told as sentences.
 * @throws {Failed} where the file is too large to be read at once
 */
export async function* mem0Entries(
  chunks: AsyncIterable<Uint8Array | string>,
  file: ForeignFile,
): AsyncGenerator<Entry> {
  let number = 0;
  for (const one of documentsIn(await textOf(chunks))) {
    number += 1;
    if (one === undefined) yield { line: number, code: 'not_json', reason: 'not JSON' };
    else yield entryOf(one, number, file);
  }
}

function* documentsIn(text: string): Generator<unknown> {
  const whole = parsed(text);
  if (whole !== undefined) {
    yield* memoriesIn(whole);
    return;
  }
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const value = parsed(line);
    if (value === undefined) yield undefined;
    else yield* memoriesIn(value);
  }
}

function* memoriesIn(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const one of value) yield* memoriesIn(one);
    return;
  }
  const list = isObject(value) ? LISTS.find((name) => Array.isArray(value[name])) : undefined;
  if (!isObject(value) || list === undefined) {
    yield value;
    return;
  }
  yield* memoriesIn(value[list]);
  if (Array.isArray(value.relations)) yield* value.relations;
}

function entryOf(value: unknown, line: number, file: ForeignFile): Entry {
  if (!isObject(value)) return notAMemory(line, 'no object with a memory in it');
  const text = textIn(value.memory) ?? textIn(value.text) ?? relationIn(value);
  if (text === undefined) return notAMemory(line, 'it has no text in `memory`');
  const ids = OF_WHOM.map((name) => idIn(value[name]));
  const noId = OF_WHOM.find((_name, at) => ids[at] === null);
  if (noId !== undefined) return notAMemory(line, `its \`${noId}\` is no text and no number`);
  const [subject, agent, session] = ids;
  const times = TIMES.map((name) => timeIn(value[name]));
  const noTime = TIMES.find((_name, at) => times[at] === null);
  if (noTime !== undefined) return notAMemory(line, `its \`${noTime}\` is no time`);
  const [created, updated, expires] = times;
  if (typeof expires === 'string' && Date.parse(expires) <= Date.now()) {
    return notAMemory(line, 'its `expiration_date` has passed');
  }
  const kept = KEPT.filter((name) => (value[name] ?? null) !== null);
  const metadata = {
    ...(isObject(value.metadata) ? value.metadata : {}),
    ...Object.fromEntries(kept.map((name) => [name, value[name]])),
    ...(typeof value.id === 'string' ? { mem0_id: value.id } : {}),
  };
  const event = rememberedEvent({
    from: 'mem0',
    text,
    agent: agent ?? file.agent,
    at: created ?? updated ?? file.at,
    metadata: metadata as JsonObject,
    ...(typeof subject === 'string' ? { subject } : {}),
    ...(typeof session === 'string' ? { session } : {}),
  });
  return { line, event };
}

function relationIn(value: Record<string, unknown>): string | undefined {
  const [source, relationship, target] = ['source', 'relationship', 'target'].map((name) =>
    textIn(value[name]),
  );
  const isWhole = source !== undefined && relationship !== undefined && target !== undefined;
  return isWhole ? `${source} ${relationship.replaceAll('_', ' ')} ${target}.` : undefined;
}

const HAS_ZONE = /(?:Z|[+-]\d\d:?\d\d)$/i;

/** A number is taken as its digits; null is something else, which would be lost. */
function idIn(value: unknown): string | null | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return (value ?? '') === '' ? undefined : (textIn(value) ?? null);
}

/** From here on a number is milliseconds, and seconds below it: the year 1973, or 5138. */
const MILLISECONDS = 1e11;

/** Some versions write no zone, and mean UTC; a number counts from 1970. Null is no time. */
function timeIn(value: unknown): string | null | undefined {
  if ((value ?? '') === '') return undefined;
  const text = textIn(value);
  const zoned = (said: string) =>
    HAS_ZONE.test(said) || !/[T ]\d/.test(said) ? said : `${said.replace(' ', 'T')}Z`;
  const time =
    typeof value === 'number'
      ? new Date(value < MILLISECONDS ? value * 1_000 : value)
      : new Date(text === undefined ? Number.NaN : zoned(text));
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

async function textOf(chunks: AsyncIterable<Uint8Array | string>): Promise<string> {
  const lines: string[] = [];
  let bytes = 0;
  for await (const line of linesOf(chunks, MOST_BYTES)) {
    if ('problem' in line) throw new Failed(`line ${line.number} is ${line.problem}.`);
    bytes += line.text.length;
    if (bytes > MOST_BYTES) {
      throw new Failed('it is larger than 256 MB: export the memories user by user.');
    }
    lines.push(line.text);
  }
  return lines.join('\n');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
