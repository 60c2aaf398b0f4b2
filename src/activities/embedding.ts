import type { Embedder } from '../models/embedder';

/** @returns the text's vector, or null where it did not come in time or the embedder failed. */
export async function embedWithin(
  embedder: Embedder,
  text: string,
  deadlineMs: number,
): Promise<number[] | null> {
  try {
    const [vector] = await embedder.embed([text], AbortSignal.timeout(deadlineMs));
    return vector === undefined ? null : Array.from(vector);
  } catch {
    return null;
  }
}
