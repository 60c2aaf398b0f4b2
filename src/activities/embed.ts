import { CancelledFailure } from '@temporalio/activity';
import type { Clock } from '../contracts/clock';
import type { EmbedBatch, EmbedInput } from '../contracts/messages';
import type { Embedder } from '../models/embedder';
import type { Database } from '../store/database';
import {
  type CardToEmbed,
  countCardsToEmbed,
  fileLateVector,
  readCardsToEmbed,
} from '../store/filing-late-vectors';
import { transient } from './failure';
import { whileHeartbeating } from './heartbeat';

export interface EmbedDependencies {
  database: Database;
  clock: Clock;
  embedder: Embedder;
}

export interface EmbedActivities {
  /**
   * Embeds and links the next cards that wait. What it has done it never does again, so a try that
   * broke off costs the vectors in hand and nothing else.
   */
  embedBatch(input: EmbedInput): Promise<EmbedBatch>;
}

/** About a second of a small local model, so that a query, which goes before, waits for one at most. */
const BATCH = 32;

export function createEmbedActivities(deps: EmbedDependencies): EmbedActivities {
  const { database, clock, embedder } = deps;
  return {
    embedBatch: ({ workspace }) =>
      whileHeartbeating(async (signal) => {
        const cards = await database.inWorkspace(workspace, (tx) =>
          readCardsToEmbed(tx, embedder.id, BATCH),
        );
        const vectors = cards.length === 0 ? [] : await vectorsOf(embedder, cards, signal);
        let embedded = 0;
        let linked = 0;
        for (const [at, card] of cards.entries()) {
          const values = vectors[at];
          if (values === undefined) continue;
          signal.throwIfAborted();
          const vector = { model: embedder.id, dims: embedder.dims, values: Array.from(values) };
          // A transaction a card: on the embedded database everybody shares one session.
          const edges = await database.inWorkspace(workspace, (tx) =>
            fileLateVector(tx, card, vector, clock()),
          );
          if (edges === null) continue;
          embedded += 1;
          linked += edges;
        }
        const remaining = await database.inWorkspace(workspace, (tx) =>
          countCardsToEmbed(tx, embedder.id),
        );
        return { embedded, linked, remaining };
      }),
  };
}

async function vectorsOf(
  embedder: Embedder,
  cards: readonly CardToEmbed[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  try {
    return await embedder.embed(
      cards.map((card) => card.text),
      signal,
    );
  } catch (error) {
    throw error instanceof CancelledFailure ? error : transient('model_unavailable');
  }
}
