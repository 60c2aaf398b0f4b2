import { queryOf } from './query';
import { tokensOf } from './tokens';
import type { MemoryArm } from './world/arms';
import { MEMORY_TOKENS } from './world/frozen';

/** As much of an embedder as the pile needs: vectors of unit length, one a text. */
export interface TextEmbedder {
  readonly id: string;
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}

interface Kept {
  event: string;
  line: string;
  tokens: number;
  vector: Float32Array;
}

/** The plain pile, and what it pasted last, by event. */
export interface Pile extends MemoryArm {
  shown(): ReadonlySet<string>;
}

/**
 * Everything that the fleet did, as it was reported: the raw JSON of each settled call beside its vector. Before a
 * call those nearest to the query by cosine are pasted, nearest first, each that still has room. The search is exact.
 */
export function pile(embedder: TextEmbedder): Pile {
  const kept: Kept[] = [];
  let shown: ReadonlySet<string> = new Set();
  return {
    name: 'pile',
    shown: () => shown,
    before: async (call) => {
      const [query] = await embedder.embed([queryOf(call)]);
      if (query === undefined) throw new Error('the embedder answered without a vector');
      const nearest = kept
        .map((one) => ({ one, cosine: dot(one.vector, query) }))
        .sort((a, b) => b.cosine - a.cosine);
      const pasted: Kept[] = [];
      let tokens = 0;
      for (const { one } of nearest) {
        // With its line break.
        if (tokens + one.tokens + 1 > MEMORY_TOKENS) continue;
        tokens += one.tokens + 1;
        pasted.push(one);
      }
      shown = new Set(pasted.map(({ event }) => event));
      const text = pasted.map(({ line }) => line).join('\n');
      return { text, tokens: tokensOf(text) };
    },
    settled: async (event) => {
      if (event.kind !== 'service_call') return;
      const line = JSON.stringify(event);
      const [vector] = await embedder.embed([line]);
      if (vector === undefined) throw new Error('the embedder answered without a vector');
      kept.push({ event: event.event_id, line, tokens: tokensOf(line), vector });
    },
    endOfDay: async () => undefined,
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
