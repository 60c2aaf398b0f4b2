import type { Embedder } from '../../src/models/embedder';
import { EmbedderError, normalize } from '../../src/models/embedder';
import { hashedVector } from '../../src/models/hashed-embedder';
import { insertCard } from '../../src/store/card-writes';
import type { Database } from '../../src/store/database';
import { plainCard } from './plain-card';

/** An embedder with a name and a size of its own, and places to break in. */
export interface TestEmbedder extends Embedder {
  /** Texts that were asked for, the failed ones included. */
  asked: string[];
  down: boolean;
  /** Refused for good, as an endpoint answers 400. */
  refuses: RegExp | null;
  /** Runs when a batch was taken and before its vectors come back; told which batch, from 1. */
  meanwhile: (batch: number) => Promise<void>;
}

/** The real stand-in, folded to `dims` numbers: a model of its own, whose vectors compare with nothing else. */
export function createTestEmbedder(id: string, dims = 1024): TestEmbedder {
  let batches = 0;
  const embedder: TestEmbedder = {
    id,
    dims,
    asked: [],
    down: false,
    refuses: null,
    meanwhile: async () => undefined,
    embed: async (texts) => {
      embedder.asked.push(...texts);
      if (embedder.down) throw new EmbedderError('down: TEXT-OF-A-CARD');
      const { refuses } = embedder;
      if (refuses !== null && texts.some((text) => refuses.test(text))) {
        throw new EmbedderError('refused: TEXT-OF-A-CARD', { status: 400 });
      }
      batches += 1;
      await embedder.meanwhile(batches);
      return texts.map((text) => folded(hashedVector(text), dims));
    },
    close: async () => undefined,
  };
  return embedder;
}

function folded(vector: Float32Array, dims: number): Float32Array {
  const short = new Float32Array(dims);
  for (const [at, value] of vector.entries()) {
    // Another sign and place for each number, so that two sizes have nothing in common.
    short[(at * 7) % dims] = (short[(at * 7) % dims] as number) + value;
  }
  return normalize(short);
}

/** The text of the `at`th card; its number is in no other. */
export function shelfText(at: number): string {
  return `Shelf number${at} of the archive holds the folders of harvest${at * 7}.`;
}

/** Cards as filing leaves them, a second apart, the last the newest. @returns their ids, oldest first */
export async function plantCards(
  database: Database,
  workspace: string,
  texts: readonly string[],
  embedder: Embedder | null,
  startAt = Date.UTC(2026, 2, 2, 8),
): Promise<string[]> {
  const ids: string[] = [];
  for (const [at, text] of texts.entries()) {
    const card = plainCard(text, new Date(startAt + at * 1_000));
    const [values] = embedder === null ? [] : await embedder.embed([text]);
    const vector =
      embedder === null || values === undefined
        ? null
        : { model: embedder.id, dims: values.length, values: Array.from(values) };
    await database.inWorkspace(workspace, (tx) => insertCard(tx, card, vector, []));
    ids.push(card.id);
  }
  return ids;
}
