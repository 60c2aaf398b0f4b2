import { CancelledFailure } from '@temporalio/activity';
import type { Clock } from '../contracts/clock';
import type { EmbedBatch, EmbedBatchInput } from '../contracts/messages';
import type { Embedder } from '../models/embedder';
import type { Database } from '../store/database';
import {
  type CardToEmbed,
  countCardsToEmbed,
  fileLateVector,
  readCardsToEmbed,
} from '../store/filing-late-vectors';
import { endPass, notePass, openPass } from '../store/passes';
import { executionOf } from './execution';
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
  embedBatch(input: EmbedBatchInput): Promise<EmbedBatch>;
}

/** About a second of a small local model, so that a query, which goes before, waits for one at most. */
const BATCH = 32;

export function createEmbedActivities(deps: EmbedDependencies): EmbedActivities {
  const { database, clock, embedder } = deps;
  return {
    embedBatch: ({ workspace, operation_id, done }) =>
      whileHeartbeating(async (signal) => {
        const { workflowId, runId } = executionOf();
        const cards = await database.inWorkspace(workspace, async (tx) => {
          const waiting = await readCardsToEmbed(tx, embedder.id, BATCH);
          const pass = { operationId: operation_id, type: 'embed', workflowId, runId } as const;
          if (waiting.length > 0) await openPass(tx, pass, clock());
          return waiting;
        });
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
            fileLateVector(tx, card, vector, { now: clock(), workflowId }),
          );
          if (edges === null) continue;
          embedded += 1;
          linked += edges;
        }
        const remaining = await database.inWorkspace(workspace, async (tx) => {
          const waiting = await countCardsToEmbed(tx, embedder.id);
          const counts = {
            embedded: done.embedded + embedded,
            linked: done.linked + linked,
            batches: done.batches + 1,
          };
          if (waiting > 0) await notePass(tx, operation_id, counts);
          else await endPass(tx, operation_id, counts, counts, clock());
          return waiting;
        });
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
