import type { EmbeddingOptions, Options } from '../config/options';
import type { Clock } from '../contracts/clock';
import type { Distiller } from './distiller';
import type { Embedder } from './embedder';
import { chooseEmbedder } from './embedder-choice';
import { createNoEmbedder } from './no-embedder';
import { createOpenAiDistiller } from './openai-distiller';
import type { EmbeddingEndpoint } from './openai-embedder';
import { remembering } from './remembering-embedder';

/** The language model of the environment, or null: then the stand-in distills. */
export function configuredDistiller(options: Options, clock: Clock): Distiller | null {
  if (options.model === null) return null;
  const { apiKey, baseUrl, small } = options.model;
  return createOpenAiDistiller({ apiKey, baseUrl, model: small, clock });
}

/**
 * The embedder of the environment: an endpoint, else the model on this machine, else the stand-in.
 * @throws a sentence where the endpoint refuses the key or the model
 */
export async function configuredEmbedder(
  options: Options,
  locateModel: () => Promise<string>,
  say: (line: string) => void,
): Promise<Embedder> {
  if (options.noEmbedding) {
    say('CAIRN_EMBEDDING_MODEL=none: recall goes by words, not by meaning');
    return createNoEmbedder();
  }
  const chosen = await chooseEmbedder({
    ...(options.embeddingEndpoint === null
      ? {}
      : { endpoint: endpointOf(options.embeddingEndpoint) }),
    locateModel,
    say,
  });
  return remembering(chosen);
}

function endpointOf(named: EmbeddingOptions): EmbeddingEndpoint {
  const { apiKey, baseUrl, model } = named;
  return { apiKey, model, ...(baseUrl === null ? {} : { baseUrl }) };
}
