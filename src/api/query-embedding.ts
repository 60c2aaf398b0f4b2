import type { Embedder } from '../models/embedder';

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
