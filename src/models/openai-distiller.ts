import OpenAI, { APIError } from 'openai';
import type { CardDraft } from '../contracts/card';
import type { Clock } from '../contracts/clock';
import { MODEL_CARD_JSON_SCHEMA, type ModelCard, parseModelCard } from '../schemas/model-output';
import { boundedFetch } from './bounded-fetch';
import { DISTILL_PROMPT_VERSION, distillPrompt, repairRequest } from './distill-prompt';
import { type Distiller, DistillerError } from './distiller';
import { providerFailure } from './provider-failure';
import { jsonObjectsIn } from './tolerant-json';

export interface OpenAiDistillerOptions {
  apiKey: string;
  /** Null for OpenAI itself. */
  baseUrl: string | null;
  model: string;
  /** Reads a `Retry-After` that is a date. */
  clock: Clock;
  /** Milliseconds that one call may take; an attempt makes at most two. */
  callTimeoutMs?: number;
}

/** Two calls, the second to repair the first, fit the 60 s that an attempt of the activity may take. */
const CALL_TIMEOUT_MS = 25_000;
/** A card takes 200; the rest is for models that think first. Without a bound a loop in one is paid for. */
const MOST_ANSWER_TOKENS = 4_000;
/** An answer of 4,000 tokens has some 20 KB, thoughts and all; a body without end has to have one here. */
const MOST_ANSWER_BYTES = 4 * 1024 * 1024;
/** What is repeated to the model of an answer that did not fit. */
const REPEATED_ANSWER = 4_000;

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type Answer = { card: ModelCard } | { problem: string; content: string };

/**
 * The distiller over any OpenAI-compatible endpoint. It asks for structured output; an endpoint that
 * refuses to be asked so is asked plainly from then on, and every answer is read tolerantly.
 * It never retries by itself, but for one repair of an answer that does not fit: retries are Temporal's.
 */
export function createOpenAiDistiller(options: OpenAiDistillerOptions): Distiller {
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
  let dialect: Dialect = 'current';

  async function complete(messages: Message[], signal: AbortSignal): Promise<string> {
    if (dialect === 'plain') return await call(messages, signal, 'plain');
    try {
      return await call(messages, signal, 'current');
    } catch (error) {
      if (!(error instanceof DialectError)) throw error;
      const content = await call(messages, signal, 'plain');
      dialect = 'plain';
      return content;
    }
  }

  async function call(messages: Message[], signal: AbortSignal, spoken: Dialect): Promise<string> {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const completion = await client.chat.completions.create(
        { model: options.model, messages, ...DIALECTS[spoken] },
        // The package's own timeout ends with the headers; this one covers the body too.
        { signal: AbortSignal.any([signal, deadline]) },
      );
      return contentOf(completion);
    } catch (error) {
      if (signal.aborted) throw new DistillerError('model_unavailable');
      if (deadline.aborted) throw new DistillerError('model_timeout');
      if (spoken === 'current' && refusesDialect(error)) throw new DialectError();
      throw providerFailure(error, options.clock());
    }
  }

  return {
    model: options.model,
    promptVersion: DISTILL_PROMPT_VERSION,
    distill: async (event, ownWarnings, standIn, signal) => {
      const { system, user, shown } = distillPrompt(event, ownWarnings, standIn);
      const messages: Message[] = [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ];
      let answer = readAnswer(await complete(messages, signal));
      if ('problem' in answer) {
        answer = readAnswer(await complete([...messages, ...repairOf(answer)], signal));
      }
      if ('problem' in answer) throw new DistillerError('model_invalid_output');
      const { card } = answer;
      const used = card.used_warnings.flatMap((index) =>
        shown.includes(index) ? (ownWarnings[index]?.card_id ?? []) : [],
      );
      return draftOf(card, used, standIn, options.model, event.importance);
    },
  };
}

type Dialect = keyof typeof DIALECTS;

/** OpenAI's own way, and what every endpoint that calls itself compatible has understood for years. */
const DIALECTS = {
  current: {
    max_completion_tokens: MOST_ANSWER_TOKENS,
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'memory_card', strict: true, schema: MODEL_CARD_JSON_SCHEMA },
    },
  },
  plain: { max_tokens: MOST_ANSWER_TOKENS },
} as const;

class DialectError extends Error {}

/** Lineage is the wider of both accounts: an erasure has to find every card that a warning went into. */
function draftOf(
  card: ModelCard,
  used: readonly string[],
  standIn: CardDraft,
  model: string,
  importance: number | undefined,
): CardDraft {
  return {
    ...standIn,
    summary: card.summary,
    topic: card.topic,
    keywords: card.keywords,
    // What the emitter said of its own event stands, as its kind does.
    importance: importance ?? card.importance,
    derived_from: [...new Set([...standIn.derived_from, ...used])],
    distilled_by: 'model',
    model,
    prompt_version: DISTILL_PROMPT_VERSION,
  };
}

/** A model that thinks aloud answers last, so the last object that fits is its answer. */
function readAnswer(content: string): Answer {
  const objects = jsonObjectsIn(content).reverse();
  let problem: string | null = null;
  for (const object of objects) {
    const parsed = parseModelCard(object);
    if ('card' in parsed) return parsed;
    problem ??= parsed.problem;
  }
  return { problem: problem ?? 'it holds no complete JSON object', content };
}

function repairOf(answer: { problem: string; content: string }): Message[] {
  const said = answer.content.slice(0, REPEATED_ANSWER);
  const request: Message = { role: 'user', content: repairRequest(answer.problem) };
  return said.trim() === '' ? [request] : [{ role: 'assistant', content: said }, request];
}

/** A proxy's page with status 200 is no completion; a refusal is an answer that no retry changes. */
function contentOf(completion: OpenAI.Chat.Completions.ChatCompletion): string {
  if (!Array.isArray(completion?.choices)) throw new DistillerError('model_unavailable');
  const [choice] = completion.choices;
  if (choice?.message?.refusal || choice?.finish_reason === 'content_filter') {
    throw new DistillerError('model_refused');
  }
  const content: unknown = choice?.message?.content;
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  // Some endpoints answer in parts, as requests may be asked.
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
