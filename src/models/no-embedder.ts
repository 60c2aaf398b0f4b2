import type { Embedder } from './embedder';

const NO_EMBEDDER = 'none';

/**
 * Makes no vectors: recall goes by words, structure and the graph. The cards keep waiting for theirs, so
 * an embedder that is configured later makes them all.
 */
export function createNoEmbedder(): Embedder {
  return { id: NO_EMBEDDER, dims: 0, embed: async () => [], close: async () => {} };
}

/** Whether waiting for a vector makes sense; also where the embedder is away and its dims are not known. */
export function makesVectors(embedder: Pick<Embedder, 'id'>): boolean {
  return embedder.id !== NO_EMBEDDER;
}
