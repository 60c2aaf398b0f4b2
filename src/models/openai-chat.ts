import OpenAI, { APIError } from 'openai';
import type { Clock } from '../contracts/clock';
import { boundedFetch } from './bounded-fetch';
import { DistillerError } from './distiller';
import { providerFailure } from './provider-failure';
import { spend } from './spending';
import { type ModelUsage, usageOf } from './usage';

export interface OpenAiChatOptions {
  apiKey: string;
  /** Null for OpenAI itself. */
  baseUrl: string | null;
  model: string;
  /** Reads a `Retry-After` that is a date. */
  clock: Clock;
  /** Milliseconds that one call may take; an attempt makes at most two. */
  callTimeoutMs?: number;
}

export type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

/** Two calls, the second to repair the first, fit the 60 s that an attempt of the activity may take. */
const CALL_TIMEOUT_MS = 25_000;
/** An answer takes 200; the rest is for models that think first. Without a bound a loop in one is paid for. */
const MOST_ANSWER_TOKENS = 4_000;
/** An answer of 4,000 tokens has some 20 KB, thoughts and all; a body without end has to have one here. */
const MOST_ANSWER_BYTES = 4 * 1024 * 1024;

/** What the answer has to be, for providers that can be told. */
export interface AnswerShape {
  name: string;
  schema: Record<string, unknown>;
}

export interface Said {
  content: string;
  usage: ModelUsage;
}

/**
 * One question to any OpenAI-compatible endpoint, answered with text. It asks for structured output; an
 * endpoint that refuses to be asked so is asked plainly from then on. It never retries by itself: retries
 * are Temporal's.
 * @returns what the model said, and what it cost
 * @throws {DistillerError} with a code of `src/contracts/failures.ts`
 */
export function createOpenAiChat(
  options: OpenAiChatOptions,
  shape: AnswerShape,
): (messages: Message[], signal: AbortSignal) => Promise<Said> {
  const client = new OpenAI({
    apiKey: options.apiKey,
    baseURL: options.baseUrl,
    organization: null,
    project: null,
    maxRetries: 0,
    fetch: boundedFetch(MOST_ANSWER_BYTES),
    // At its debug level the package logs whole requests.
    logLevel: 'off',
  });
  const timeoutMs = options.callTimeoutMs ?? CALL_TIMEOUT_MS;
  const dialects = dialectsOf(shape);
  let dialect: Dialect = 'current';

  async function call(messages: Message[], signal: AbortSignal, spoken: Dialect): Promise<Said> {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const completion = await client.chat.completions.create(
        { model: options.model, messages, ...dialects[spoken] },
        // The package's own timeout ends with the headers; this one covers the body too.
        { signal: AbortSignal.any([signal, deadline]) },
      );
      return saidIn(completion, messages, options.model);
    } catch (error) {
      if (signal.aborted) throw new DistillerError('model_unavailable');
      if (deadline.aborted) throw new DistillerError('model_timeout');
      if (spoken === 'current' && refusesDialect(error)) throw new DialectError();
      throw providerFailure(error, options.clock());
    }
  }

  return async (messages, signal) => {
    if (dialect === 'plain') return await call(messages, signal, 'plain');
    try {
      return await call(messages, signal, 'current');
    } catch (error) {
      if (!(error instanceof DialectError)) throw error;
      const said = await call(messages, signal, 'plain');
      dialect = 'plain';
      return said;
    }
  };
}

type Dialect = 'current' | 'plain';

/** OpenAI's own way, and what every endpoint that calls itself compatible has understood for years. */
function dialectsOf({ name, schema }: AnswerShape) {
  return {
    current: {
      max_completion_tokens: MOST_ANSWER_TOKENS,
      response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
    },
    plain: { max_tokens: MOST_ANSWER_TOKENS },
  } as const;
}

class DialectError extends Error {}

/** A proxy's page with status 200 is no completion; a refusal is an answer that no retry changes. */
function saidIn(
  completion: OpenAI.Chat.Completions.ChatCompletion,
  asked: Message[],
  model: string,
): Said {
  if (!Array.isArray(completion?.choices)) throw new DistillerError('model_unavailable');
  const [choice] = completion.choices;
  const content = textOf(choice?.message?.content);
  const sent = asked.map((message) => textOf(message.content)).join('\n');
  const usage = usageOf(completion.usage, sent, content);
  spend(model, usage);
  if (choice?.message?.refusal || choice?.finish_reason === 'content_filter') {
    throw new DistillerError('model_refused', null, usage);
  }
  return { content, usage };
}

/** Some endpoints answer in parts, as requests may be asked. */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  return content
    .map((part: unknown) =>
      typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : '',
    )
    .join('');
}

/** Either it names one of the fields, or it refuses in a form of its own, of which the package keeps nothing. */
function refusesDialect(error: unknown): boolean {
  if (!(error instanceof APIError) || (error.status !== 400 && error.status !== 422)) return false;
  if (error.error === undefined) return true;
  return /response_format|json_schema|max_completion_tokens/.test(
    `${error.param ?? ''} ${error.message}`,
  );
}
