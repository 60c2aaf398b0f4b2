import type { Embedder } from './embedder';
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

/**
 * The configured endpoint → all-MiniLM-L6-v2 on this machine → the hashed stand-in.
 *
 * A configured endpoint that does not answer is an error and no reason to go on: another embedder
 * cannot read the vectors that are stored, and would begin to write all of them anew.
 *
 * @throws {EmbedderError} the configured endpoint does not answer
 */
export async function chooseEmbedder(choice: EmbedderChoice): Promise<Embedder> {
  if (choice.endpoint !== undefined) return createOpenAiEmbedder(choice.endpoint);
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
