import type { Embedder } from '../models/embedder';

/** A query that is late is answered by the other arms (design §4). */
const DEADLINE_MS = 300;
/** Queries kept: an agent asks the same thing at each step of a task. 500 of 384 numbers are 1.5 MB. */
const KEPT = 500;

/** Vectors of queries, with a deadline and a memory. What is kept is in this process only. */
export class QueryEmbedding {
  private readonly kept = new Map<string, readonly number[]>();

  constructor(private readonly embedder: () => Embedder | null) {}

  /** @returns null where there is no embedder, or it was late; the vector is then there next time. */
  async of(query: string): Promise<{ model: string; vector: readonly number[] } | null> {
    const embedder = this.embedder();
    if (embedder === null || query.trim() === '') return null;
    const name = `${embedder.id}\n${query}`;
    const known = this.kept.get(name);
    if (known !== undefined) {
      this.kept.delete(name);
      this.kept.set(name, known);
      return { model: embedder.id, vector: known };
    }
    const made = embedder
      .embed([query], undefined, { priority: 'query' })
      .then(([vector]) => (vector === undefined ? null : this.keep(name, Array.from(vector))))
      .catch(() => null);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), DEADLINE_MS);
    });
    const vector = await Promise.race([made, late]);
    clearTimeout(timer);
    return vector === null ? null : { model: embedder.id, vector };
  }

  private keep(name: string, vector: readonly number[]): readonly number[] {
    this.kept.set(name, vector);
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT && oldest !== undefined) this.kept.delete(oldest);
    return vector;
  }
}
