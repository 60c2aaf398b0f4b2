import type { EmbeddingOptions, Options } from '../config/options';
import type { Clock } from '../contracts/clock';
import type { Distiller } from './distiller';
import type { Embedder } from './embedder';
import { chooseEmbedder } from './embedder-choice';
import type { FixDrafter } from './fix-drafter';
import { createHashedEmbedder, HASHED_ID } from './hashed-embedder';
import { createMiniLmEmbedder, MINILM_ID } from './minilm-embedder';
import { createNoEmbedder } from './no-embedder';
import { createOpenAiDistiller } from './openai-distiller';
import { createOpenAiEmbedder, type EmbeddingEndpoint, OPENAI_PREFIX } from './openai-embedder';
import { createOpenAiFixDrafter } from './openai-fix-drafter';
import { OtherEmbedders } from './other-embedders';
import { remembering } from './remembering-embedder';

/** The language model of the environment, or null: then the stand-in distills. */
export function configuredDistiller(options: Options, clock: Clock): Distiller | null {
  if (options.model === null) return null;
  const { apiKey, baseUrl, small } = options.model;
  return createOpenAiDistiller({ apiKey, baseUrl, model: small, clock });
}

/** The same model for configuration fixes, or null: then the template words them. */
export function configuredFixDrafter(options: Options, clock: Clock): FixDrafter | null {
  if (options.model === null) return null;
  const { apiKey, baseUrl, small } = options.model;
  return createOpenAiFixDrafter({ apiKey, baseUrl, model: small, clock });
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

/**
 * Embedders by the ids of their models, for queries while vectors of two models are searched: those of this
 * machine always, those of an endpoint where one is configured, whatever model is named for it now.
 */
export function configuredOthers(
  options: Options,
  locateModel: () => Promise<string>,
): OtherEmbedders {
  const endpoint = options.embeddingEndpoint ?? options.model;
  return new OtherEmbedders((model) => {
    if (model === HASHED_ID) return createHashedEmbedder();
    if (model === MINILM_ID) {
      return locateModel().then(async (modelPath) =>
        remembering(await createMiniLmEmbedder({ modelPath })),
      );
    }
    if (!model.startsWith(OPENAI_PREFIX) || endpoint === null) return null;
    const named = { ...endpoint, model: model.slice(OPENAI_PREFIX.length) };
    return remembering(createOpenAiEmbedder(endpointOf(named)));
  });
}

function endpointOf(named: EmbeddingOptions): EmbeddingEndpoint {
  const { apiKey, baseUrl, model } = named;
  return { apiKey, model, ...(baseUrl === null ? {} : { baseUrl }) };
}
