import type { StreamChange, StreamHello } from '../contracts/console';
import { given } from './given';
import type { Transport } from './transport';

/** What is heard: `hello` first, then `change` at most once a second. */
export type StreamEvent =
  | { event: 'hello'; id: string; data: StreamHello }
  | { event: 'change'; id: string; data: StreamChange };

export interface ChangesOptions {
  /** The `id` of the last event that was heard: goes on from there. */
  after?: string;
  signal?: AbortSignal;
}

/** Between two events. */
const BLANK_LINE = /\r?\n\r?\n/;
const LINE = /\r?\n/;
const FIELD = /^(event|id|data): ?(.*)$/;

/** The events of `GET /v1/stream` as they come in, until it ends. */
export async function* changesOf(
  transport: Transport,
  { after, signal }: ChangesOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const call = given({ lastEventId: after, signal });
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of await transport.stream('/v1/stream', call)) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split(BLANK_LINE);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventIn(block);
      if (event !== null) yield event;
    }
  }
}

/** Null where it is a comment, which only keeps the connection from looking idle. */
function eventIn(block: string): StreamEvent | null {
  const fields: Record<string, string> = {};
  for (const line of block.split(LINE)) {
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name !== undefined && value !== undefined) fields[name] = value;
  }
  const { event, id = '', data } = fields;
  if (data === undefined || (event !== 'hello' && event !== 'change')) return null;
  return { event, id, data: JSON.parse(data) } as StreamEvent;
}
