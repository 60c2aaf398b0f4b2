import { finishOf, type Part, type Tokens, tokensOf } from './shapes';
import type { Ended } from './turn';

interface Seen {
  texts: Map<string, string>;
  parts: Part[];
  finish: string;
  tokens: Tokens;
  error?: unknown;
}

/**
 * The same stream, read by nobody before its reader reads it; says once how it ended: at its end, by an
 * error, or because its reader went away. One that is aborted has ended at that moment, with what was read until
 * then, whether its provider stops or not.
 */
export function observedStream<T extends { type: string }>(
  stream: ReadableStream<T>,
  onEnd: (ended: Ended) => void,
  {
    signal,
    isCancelled,
  }: { signal?: AbortSignal | undefined; isCancelled: (error: unknown) => boolean },
): ReadableStream<T> {
  const reader = stream.getReader();
  const seen: Seen = { texts: new Map(), parts: [], finish: 'unknown', tokens: {} };
  let isOver = false;
  const end = (more: Partial<Ended>): void => {
    if (isOver) return;
    isOver = true;
    signal?.removeEventListener('abort', onAbort);
    onEnd({ ...endedAs(seen), ...more });
  };
  const onAbort = (): void => end({ cancelled: true });
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener('abort', onAbort);
  return new ReadableStream<T>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            end({});
            controller.close();
            return;
          }
          look(seen, value);
          controller.enqueue(value);
        } catch (error) {
          end(isCancelled(error) ? { cancelled: true } : { error });
          controller.error(error);
        }
      },
      async cancel(reason) {
        end({ cancelled: true });
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function look(seen: Seen, part: { type: string }): void {
  const { type, id, delta, error, finishReason, usage } = part as Record<string, unknown>;
  if (type === 'text-delta') {
    const name = String(id);
    if (!seen.texts.has(name)) seen.parts.push({ type: 'text', text: name });
    seen.texts.set(name, (seen.texts.get(name) ?? '') + String(delta ?? ''));
  } else if (type === 'tool-call' || type === 'tool-result') {
    seen.parts.push(part as Part);
  } else if (type === 'error') {
    seen.error = error ?? 'the stream reported an error';
  } else if (type === 'finish') {
    seen.finish = finishOf(finishReason);
    seen.tokens = tokensOf(usage);
  }
}

function endedAs({ texts, parts, finish, tokens, error }: Seen): Ended {
  const content = parts.map((part) =>
    part.type === 'text' ? { ...part, text: texts.get(String(part.text)) ?? '' } : part,
  );
  return { content, finish, tokens, ...(error === undefined ? {} : { error }) };
}
