/** How urgent a vector is: somebody waits for a query's; a card's may come a second later. */
export type EmbedPriority = 'query' | 'card';

export interface EmbedOptions {
  /** `card` by default. */
  readonly priority?: EmbedPriority;
}

/**
 * Turns text into vectors. The id and dims stand beside every stored vector, and vectors of two ids
 * are never compared.
 */
export interface Embedder {
  readonly id: string;
  /** 0 until it is known: an endpoint's is learned from its first answer. */
  readonly dims: number;
  /**
   * @param texts what to embed; text beyond the model's length is cut, an empty text is allowed
   * @param signal ends the waiting; what already runs is dropped when it is done
   * @returns one vector a text, in order, each `dims` long and of unit length
   * @throws {EmbedderError} the model does not answer; the same call may be tried again
   */
  embed(
    texts: readonly string[],
    signal?: AbortSignal,
    options?: EmbedOptions,
  ): Promise<Float32Array[]>;
  close(): Promise<void>;
}

export interface EmbedderFailure {
  /** Of an endpoint's answer; absent where there was none. */
  readonly status?: number;
  /** How long the endpoint asks to be left alone. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** The embedder failed for a reason that is not the text. */
export class EmbedderError extends Error {
  override readonly name = 'EmbedderError';
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  constructor(message: string, failure: EmbedderFailure = {}) {
    super(message, { cause: failure.cause });
    this.status = failure.status;
    this.retryAfterMs = failure.retryAfterMs;
  }

  /**
   * What is at fault: these very `texts` (400, 413, 422), the `settings` (401 and 403 the key, 404 the model
   * or the address), or nothing that lasts: the endpoint is `away`, or its quota is (402, 429).
   */
  get fault(): 'texts' | 'settings' | 'away' {
    if (this.status === undefined) return 'away';
    if ([400, 413, 422].includes(this.status)) return 'texts';
    return [401, 403, 404].includes(this.status) ? 'settings' : 'away';
  }
}

/** Scales to unit length in place; the zero vector stays, and is like nothing. */
export function normalize(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return vector;
  const scale = 1 / Math.sqrt(sum);
  for (let index = 0; index < vector.length; index += 1) {
    vector[index] = (vector[index] as number) * scale;
  }
  return vector;
}
