import type { CardVector } from '../store/card-writes';
import type { ApiDependencies } from './app';

/** A person waits for the answer; what is late is embedded by the `embed` workflow. */
const DEADLINE_MS = 300;

/** A text and its vector, made before the transaction: none is open across a model call. */
export interface EmbeddedText {
  text: string;
  vector: CardVector | null;
}

/** `vector` is null where there is no embedder, or it was late or failed. */
export async function embedText(deps: ApiDependencies, text: string): Promise<EmbeddedText> {
  const embedder = deps.embedder();
  if (embedder === null) return { text, vector: null };
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const [values] = await embedder.embed([text], signal, { priority: 'query' });
    if (values === undefined) return { text, vector: null };
    const vector = { model: embedder.id, dims: embedder.dims, values: Array.from(values) };
    return { text, vector };
  } catch {
    return { text, vector: null };
  }
}

/** The vector where it is of this very text; the card may have changed since it was made. */
export function vectorFor(embedded: EmbeddedText | null, text: string): CardVector | null {
  return embedded !== null && embedded.text === text ? embedded.vector : null;
}
