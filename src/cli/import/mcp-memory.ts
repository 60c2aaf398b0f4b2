import { linesOf } from '../../domain/text-lines';
import {
  type ForeignFile,
  isObject,
  notAMemory,
  type Remembered,
  rememberedEvent,
  textIn,
} from './foreign';
import type { Entry } from './run';

/**
 * The file of the reference memory server of MCP as events: an observation each, told with the name that it is about,
 * and a relation each, told as a sentence. An entity of which nothing was observed says what it is.
 */
export async function* mcpMemoryEntries(
  chunks: AsyncIterable<Uint8Array | string>,
  file: ForeignFile,
): AsyncGenerator<Entry> {
  for await (const line of linesOf(chunks)) {
    if ('problem' in line) {
      yield { line: line.number, code: 'not_text', reason: line.problem };
      continue;
    }
    if (line.text.trim() === '') continue;
    yield* entriesOf(line.text, line.number, file);
  }
}

function* entriesOf(text: string, line: number, { agent, at }: ForeignFile): Generator<Entry> {
  const told = (said: Pick<Remembered, 'text' | 'metadata'>): Entry => ({
    line,
    event: rememberedEvent({ from: 'mcp-memory', agent, at, ...said }),
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    yield { line, code: 'not_json', reason: 'not JSON' };
    return;
  }
  if (!isObject(value)) {
    yield notAMemory(line, 'JSON, but not an object');
    return;
  }
  if (value.type === 'relation') {
    const [from, to, relation] = [value.from, value.to, value.relationType].map(textIn);
    if (from === undefined || to === undefined || relation === undefined) {
      yield notAMemory(line, 'a relation has `from`, `to` and `relationType`');
      return;
    }
    const sentence = `${from} ${relation.replaceAll('_', ' ')} ${to}.`;
    yield told({ text: sentence, metadata: { from, to, relation } });
    return;
  }
  const name = textIn(value.name);
  if (value.type !== 'entity' || name === undefined) {
    yield notAMemory(line, 'neither an entity with a name nor a relation');
    return;
  }
  const kind = textIn(value.entityType);
  const metadata = { entity: name, ...(kind === undefined ? {} : { entity_type: kind }) };
  const about = kind === undefined ? name : `${name} (${kind})`;
  const observations = value.observations ?? [];
  if (!Array.isArray(observations)) {
    yield notAMemory(line, `the observations of ${name} are no list`);
    return;
  }
  if (observations.length === 0) {
    if (kind === undefined) yield notAMemory(line, `nothing is said of ${name}`);
    else yield told({ text: `${name} is of the kind ${kind}.`, metadata });
  }
  for (const one of observations) {
    const observed = textIn(one);
    if (observed === undefined) yield notAMemory(line, `an observation of ${name} is no text`);
    else yield told({ text: `${about}: ${observed}`, metadata });
  }
}
