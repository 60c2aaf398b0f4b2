/**
 * What is read of the AI SDK's calls, whatever its version: 5, 6 and 7 differ in how they report usage and
 * why a model stopped, and not in what a prompt is made of.
 */

export interface Part {
  type: string;
  text?: unknown;
  toolCallId?: unknown;
  toolName?: unknown;
  input?: unknown;
  /** Of a result in a prompt. */
  output?: unknown;
  /** Of a result that the provider brought. */
  result?: unknown;
  isError?: unknown;
}

export interface Message {
  role: string;
  content: string | readonly Part[];
}

export type Prompt = readonly Message[];

/** `stop`, `length`, `content-filter`, `tool-calls`, `error` … */
export function finishOf(reason: unknown): string {
  const unified = (reason as { unified?: unknown } | null | undefined)?.unified ?? reason;
  return typeof unified === 'string' ? unified : 'unknown';
}

export interface Tokens {
  input_tokens?: number;
  output_tokens?: number;
}

export function tokensOf(usage: unknown): Tokens {
  const { inputTokens, outputTokens } = (usage ?? {}) as Record<string, unknown>;
  const [input, output] = [totalOf(inputTokens), totalOf(outputTokens)];
  return {
    ...(input === undefined ? {} : { input_tokens: input }),
    ...(output === undefined ? {} : { output_tokens: output }),
  };
}

function totalOf(tokens: unknown): number | undefined {
  const total = (tokens as { total?: unknown } | null | undefined)?.total ?? tokens;
  return typeof total === 'number' && Number.isFinite(total) ? total : undefined;
}

export function partsOf({ content }: Message): readonly Part[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

export function textOf(parts: readonly Part[]): string {
  return parts
    .filter(({ type }) => type === 'text')
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .filter((text) => text !== '')
    .join('\n');
}
