import type { Clock } from '../contracts/clock';
import type { EmbedBatch, EmbedBatchInput } from '../contracts/messages';
import type { Embedder } from '../models/embedder';
import { makesVectors } from '../models/no-embedder';
import type { Database } from '../store/database';
import { countCardsToEmbed, fileLateVector, readCardsToEmbed } from '../store/filing-late-vectors';
import { endPass, notePass, openPass } from '../store/passes';
import { executionOf } from './execution';
import { whileHeartbeating } from './heartbeat';
import { lateVectorsOf } from './late-vectors';

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
        if (!makesVectors(embedder)) return { embedded: 0, linked: 0, remaining: 0 };
        const { workflowId, runId } = executionOf();
        const cards = await database.inWorkspace(workspace, async (tx) => {
          const waiting = await readCardsToEmbed(tx, embedder.id, BATCH);
          const pass = { operationId: operation_id, type: 'embed', workflowId, runId } as const;
          if (waiting.length > 0) await openPass(tx, pass, clock());
          return waiting;
        });
        const texts = cards.map((card) => card.text);
        const vectors = await lateVectorsOf(embedder, texts, signal);
        let embedded = 0;
        let linked = 0;
        for (const [at, card] of cards.entries()) {
          const values = vectors[at];
          if (values === undefined) continue;
          signal.throwIfAborted();
          const vector = { model: embedder.id, dims: values.length, values: Array.from(values) };
          // A transaction a card: on the embedded database everybody shares one session.
          const edges = await database.inWorkspace(workspace, (tx) =>
            fileLateVector(tx, card, vector, { now: clock(), workflowId }),
          );
          if (edges === null) continue;
          embedded += 1;
          linked += edges;
        }
        const remaining = await database.inWorkspace(workspace, async (tx) => {
          const waiting = await countCardsToEmbed(tx);
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
