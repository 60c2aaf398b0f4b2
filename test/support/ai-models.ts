import { simulateReadableStream } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';

type Options = NonNullable<ConstructorParameters<typeof MockLanguageModelV3>[0]>;
type DoGenerate = Extract<Options['doGenerate'], (...args: never[]) => unknown>;
type DoStream = Extract<Options['doStream'], (...args: never[]) => unknown>;
export type CallOptions = Parameters<DoGenerate>[0];
type Generated = Awaited<ReturnType<DoGenerate>>;
export type StreamPart =
  Awaited<ReturnType<DoStream>>['stream'] extends ReadableStream<infer Part> ? Part : never;

const usage: Generated['usage'] = {
  inputTokens: { total: 11, noCache: 11, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 7, text: 7, reasoning: 0 },
};

export const stopped = { unified: 'stop', raw: undefined } as const;

/** What a model answers with; a text is all that it says. */
export type Said = string | Partial<Generated> | Error;

export function generated(said: Exclude<Said, Error>): Generated {
  const more =
    typeof said === 'string' ? { content: [{ type: 'text' as const, text: said }] } : said;
  return { content: [], finishReason: stopped, usage, warnings: [], ...more };
}

export function toolCall(toolCallId: string, toolName: string, input: object): Partial<Generated> {
  return {
    content: [{ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }],
    finishReason: { unified: 'tool-calls', raw: undefined },
  };
}

/** The SDK's own simulated model: it answers as it is told and remembers what it was asked. */
export function modelSaying(
  answer: (options: CallOptions) => Said,
  stream: (options: CallOptions) => StreamPart[] = () => textStream(['Done.']),
): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    provider: 'simulated',
    modelId: 'simulated-1',
    doGenerate: async (options) => {
      const said = answer(options);
      if (said instanceof Error) throw said;
      return generated(said);
    },
    doStream: async (options) => ({
      stream: simulateReadableStream({ chunks: stream(options) }),
    }),
  });
}

export function textStream(deltas: readonly string[]): StreamPart[] {
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 't' },
    ...deltas.map((delta) => ({ type: 'text-delta' as const, id: 't', delta })),
    { type: 'text-end', id: 't' },
    { type: 'finish', finishReason: stopped, usage },
  ];
}

/** A prompt as a list of `role: text`, as the model got it. */
export function heard(options: CallOptions | undefined): string[] {
  return (options?.prompt ?? []).map(({ role, content }) => {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const texts = parts.flatMap((part) => ('text' in part ? [part.text] : [`<${part.type}>`]));
    return `${role}: ${texts.join('\n')}`;
  });
}
