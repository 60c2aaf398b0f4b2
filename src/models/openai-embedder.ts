import OpenAI, { APIError, APIUserAbortError } from 'openai';
import { type Embedder, EmbedderError, normalize } from './embedder';

export interface EmbeddingEndpoint {
  /** Any OpenAI-compatible one; OpenAI's own by default. */
  readonly baseUrl?: string;
  /** Local servers often want none. */
  readonly apiKey?: string;
  readonly model: string;
}

/** An endpoint's embedder is named for its model. */
export const OPENAI_PREFIX = 'openai:';

/** Below the 2,048 inputs and 300,000 tokens that the strictest endpoint takes in one request. */
const BATCH = 64;
/** Below 8,191 tokens, the usual limit of one input, even at more than a token a character. */
const MAX_CHARACTERS = 6_000;
/** A batch takes about a second; the callers retry, with Temporal's patience or not at all. */
const DEADLINE_MS = 30_000;

/**
 * Embeddings from an OpenAI-compatible endpoint. Asks nothing by itself: the size of its vectors is that of
 * the first answer, so it can be made while the endpoint is away.
 *
 * Retries nothing: who calls knows how long it can wait.
 */
export function createOpenAiEmbedder(endpoint: EmbeddingEndpoint): Embedder {
  const client = new OpenAI({
    apiKey: endpoint.apiKey ?? 'none',
    baseURL: endpoint.baseUrl ?? null,
    maxRetries: 0,
    timeout: DEADLINE_MS,
  });
  const ask = async (texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> => {
    const input = texts.map((text) => text.slice(0, MAX_CHARACTERS) || ' ');
    try {
      const { data } = await client.embeddings.create(
        { model: endpoint.model, input, encoding_format: 'float' },
        signal === undefined ? {} : { signal },
      );
      return inOrder(data, texts.length);
    } catch (error) {
      if (error instanceof APIUserAbortError && signal?.aborted === true) throw signal.reason;
      throw asEmbedderError(error);
    }
  };

  let dims = 0;
  return {
    id: `${OPENAI_PREFIX}${endpoint.model}`,
    get dims() {
      return dims;
    },
    embed: async (texts, signal) => {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += BATCH) {
        vectors.push(...(await ask(texts.slice(start, start + BATCH), signal)));
      }
      if (dims === 0) dims = vectors[0]?.length ?? 0;
      const other = vectors.find((vector) => vector.length !== dims);
      if (other !== undefined) {
        throw new EmbedderError(`the endpoint answered ${other.length} dimensions, not ${dims}`);
      }
      return vectors;
    },
    close: async () => {},
  };
}

function inOrder(data: readonly OpenAI.Embedding[], count: number): Float32Array[] {
  const vectors = [...data]
    .sort((left, right) => left.index - right.index)
    .map(({ embedding }) => normalize(Float32Array.from(embedding)));
  if (vectors.length !== count || vectors.some((vector) => vector.length === 0)) {
    throw new EmbedderError(`the endpoint answered ${vectors.length} vectors for ${count} texts`);
  }
  return vectors;
}

/** The endpoint's own words may repeat the text: only its status goes on. */
function asEmbedderError(error: unknown): EmbedderError {
  if (error instanceof EmbedderError) return error;
  if (!(error instanceof APIError)) {
    return new EmbedderError('the embedding endpoint gave no usable answer', { cause: error });
  }
  if (error.status === undefined) {
    return new EmbedderError('the embedding endpoint cannot be reached', { cause: error });
  }
  const seconds = Number(error.headers?.get('retry-after') ?? Number.NaN);
  return new EmbedderError(`the embedding endpoint answered status ${error.status}`, {
    status: error.status,
    ...(Number.isFinite(seconds) ? { retryAfterMs: seconds * 1_000 } : {}),
  });
}
