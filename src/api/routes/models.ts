import type { LanguageModel, Models } from '../../contracts/overview';
import type { Embedder } from '../../models/embedder';
import { makesVectors } from '../../models/no-embedder';
import { modelsSchema } from '../../schemas/overview';
import { reembeddingRun, vectorsByModel } from '../../store/model-standing';
import type { ApiDependencies, App } from '../app';

/** Where the endpoint is not named, it is that of OpenAI. */
const DEFAULT_ENDPOINT = 'api.openai.com';

export function modelRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/models',
    {
      schema: {
        summary: 'By which models cards are worded and found',
        description:
          'As this server is configured; workers that run elsewhere go by their own environment. No key and ' +
          'nothing of an address but its host is shown. `vectors` counts cards by the model of their vectors, and ' +
          '`reembedding` names the run that replaces those of another model.',
        tags: ['operate'],
        response: { 200: modelsSchema },
      },
    },
    async (request): Promise<Models> => {
      const { languageModel = null } = deps;
      const found = await deps.database.inWorkspace(
        request.caller.context.workspace,
        async (tx) => ({
          vectors: await vectorsByModel(tx),
          reembedding: await reembeddingRun(tx),
        }),
      );
      return {
        distiller: shown(languageModel, languageModel?.small),
        writer: shown(languageModel, languageModel?.model),
        embedder: standing(deps.embedder()),
        ...found,
      };
    },
  );
}

function shown(
  configured: { baseUrl: string | null } | null,
  model: string | undefined,
): LanguageModel {
  if (configured === null || model === undefined) {
    return { kind: 'rules', model: null, endpoint: null };
  }
  return { kind: 'model', model, endpoint: hostOf(configured.baseUrl) };
}

/** An address may hold a name and a password, or a key in its query. */
function hostOf(baseUrl: string | null): string | null {
  if (baseUrl === null) return DEFAULT_ENDPOINT;
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : null;
}

function standing(embedder: Embedder | null): Models['embedder'] {
  if (embedder === null) return { id: null, dimensions: null, state: 'loading' };
  if (!makesVectors(embedder)) return { id: null, dimensions: null, state: 'absent' };
  return { id: embedder.id, dimensions: embedder.dims || null, state: 'ready' };
}
