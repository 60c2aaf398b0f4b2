import { type Embedder, EmbedderError } from './embedder';
import { createHashedEmbedder } from './hashed-embedder';
import { createMiniLmEmbedder } from './minilm-embedder';
import { createOpenAiEmbedder, type EmbeddingEndpoint } from './openai-embedder';

export interface EmbedderChoice {
  /** Set where an embedding model is configured. */
  readonly endpoint?: EmbeddingEndpoint;
  /**
   * Answers the path of `model.onnx`: from the cache, or fetched once. An argument, since only
   * `embedded/fetch.ts` downloads.
   */
  readonly locateModel: () => Promise<string>;
  /** Told what people should know: which stand-in is used and why, or that the thread died. */
  readonly say: (line: string) => void;
}

/** A start waits no longer for an endpoint's first answer; a local one that is up needs a second. */
const PROBE_MS = 3_000;

/**
 * The configured endpoint → all-MiniLM-L6-v2 on this machine → the hashed stand-in.
 *
 * A configured endpoint that is away is taken all the same, and asked again with each text: another
 * embedder cannot read the vectors that are stored, and would begin to write all of them anew.
 *
 * @throws a sentence where the endpoint refuses the key or the model: that does not mend itself
 */
export async function chooseEmbedder(choice: EmbedderChoice): Promise<Embedder> {
  if (choice.endpoint !== undefined) return await endpointEmbedder(choice.endpoint, choice.say);
  try {
    return await createMiniLmEmbedder({
      modelPath: await choice.locateModel(),
      onRestart: (reason) => choice.say(`The embedding model died and was restarted: ${reason}`),
    });
  } catch (error) {
    choice.say(
      `No embedding model: recall goes by words and spelling, not by meaning (${
        error instanceof Error ? error.message : String(error)
      })`,
    );
    return createHashedEmbedder();
  }
}

async function endpointEmbedder(
  endpoint: EmbeddingEndpoint,
  say: (line: string) => void,
): Promise<Embedder> {
  const embedder = createOpenAiEmbedder(endpoint);
  try {
    await embedder.embed(['dimensions'], AbortSignal.timeout(PROBE_MS));
  } catch (error) {
    const { status, fault } = error instanceof EmbedderError ? error : silence();
    if (fault === 'settings') throw new Error(wrongSettings(endpoint, status));
    say(
      `The embedding endpoint gives no vectors (${status === undefined ? 'no answer' : `status ${status}`}): ` +
        'recall goes by words until it does, and cards get their vectors then',
    );
  }
  return embedder;
}

function silence(): EmbedderError {
  return new EmbedderError('the embedding endpoint did not answer in time');
}

function wrongSettings({ model }: EmbeddingEndpoint, status: number | undefined): string {
  return status === 404
    ? `The embedding endpoint knows no model ${model} (status 404): correct CAIRN_EMBEDDING_MODEL or OPENAI_BASE_URL.`
    : `The embedding endpoint refuses the key (status ${status}): correct OPENAI_API_KEY.`;
}
