import type { Embedder } from '../models/embedder';
import { makesVectors } from '../models/no-embedder';
import type { ServedModels } from '../store/served-models';
import type { ApiDependencies } from './app';

/** A query that is late is answered by the other arms (design §4). */
const DEADLINE_MS = 300;

export interface QueryVector {
  model: string;
  vector: readonly number[];
}

/**
 * The query's vector, or null where there is no embedder or it was late. The embedder remembers what it
 * made, so a late vector is there next time.
 */
export async function embedQuery(
  embedder: Embedder | null,
  query: string,
): Promise<QueryVector | null> {
  if (embedder === null || query.trim() === '') return null;
  const made = embedder.embed([query], undefined, { priority: 'query' }).then(
    ([vector]) =>
      vector === undefined ? null : { model: embedder.id, vector: Array.from(vector) },
    () => null,
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), DEADLINE_MS);
  });
  try {
    return await Promise.race([made, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Who embeds a query while vectors of one model, or of two, are searched. */
export interface QueryEmbedders {
  /** Of the model that cards have or are getting. Null where there is no embedder, or not yet. */
  newer: Embedder | null;
  /** Of the model that it replaces, for cards without a vector of the newer. Null at all other times. */
  older: Embedder | null;
  /** The older model's vectors are there and nobody can embed the query for them: name `dense` as degraded. */
  cannot: boolean;
}

/**
 * The model under way comes first, else this process's own; the served one is the older where it is
 * another. So a process whose embedder is not the workspace's, while others are being replaced or for good,
 * searches both all the same.
 */
export function queryEmbedders(
  deps: Pick<ApiDependencies, 'embedder' | 'otherEmbedder'>,
  { serving, shadow }: ServedModels,
): QueryEmbedders {
  const own = deps.embedder();
  if (own === null || !makesVectors(own)) return { newer: null, older: null, cannot: false };
  const of = (model: string) => (model === own.id ? own : (deps.otherEmbedder?.(model) ?? null));
  const newer = shadow ?? own.id;
  if (serving === null || serving === newer)
    return { newer: of(newer), older: null, cannot: false };
  const older = of(serving);
  return { newer: of(newer), older, cannot: older === null };
}
