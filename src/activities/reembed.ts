import type { Clock } from '../contracts/clock';
import type {
  PassInput,
  ReembedBatch,
  ReembedBegun,
  ReembedCleared,
  ReembedCounts,
  ReembedCut,
  ReembedLinked,
  ReembedPass,
  ReembedResult,
} from '../contracts/messages';
import type { Embedder } from '../models/embedder';
import { writeAudit } from '../store/audit';
import type { Database, Tx } from '../store/database';
import {
  clearOtherVectors,
  fileReembedded,
  linkReembedded,
  readCardsToLink,
  readCardsToReembed,
} from '../store/filing-reembedded';
import { endPass, notePass, openPass } from '../store/passes';
import { claimModel, cutOver, isServed, isShadow } from '../store/served-models';
import { executionOf } from './execution';
import { transient } from './failure';
import { whileHeartbeating } from './heartbeat';
import { lateVectorsOf } from './late-vectors';

export interface ReembedDependencies {
  database: Database;
  clock: Clock;
  embedder: Embedder;
}

/** Each may be tried again: what is done is found done. */
export interface ReembedActivities {
  beginReembed(input: ReembedPass): Promise<ReembedBegun>;
  /** Gives the next cards their vectors of the model, beside those that they have. */
  reembedBatch(input: ReembedPass & { after: string }): Promise<ReembedBatch>;
  /** Switches, where nothing is missing. */
  cutOver(input: ReembedPass): Promise<ReembedCut>;
  /** Draws the edges that filing could not see meanwhile. */
  linkReembedded(input: ReembedPass & { after: string; since: string }): Promise<ReembedLinked>;
  /** Deletes the next vectors of other models. */
  clearVectors(input: ReembedPass & { after: string }): Promise<ReembedCleared>;
  endReembed(input: PassInput & { result: ReembedResult }): Promise<void>;
}

/** About a second of a small local model, so that a query, which goes before, waits for one at most. */
const BATCH = 32;
/** A transaction each: on the embedded database everybody shares one session. */
const LINKED_AT_ONCE = 32;
/** Of both models together: some tens of milliseconds of that session. */
const LOOKED_AT_TO_CLEAR = 1_000;

export function createReembedActivities(deps: ReembedDependencies): ReembedActivities {
  const { database, clock, embedder } = deps;

  const requireModel = (model: string): void => {
    // While processes are replaced there are two embedders; the worker with the right one is asked next.
    if (embedder.id !== model) throw transient('embedder_elsewhere');
  };

  return {
    beginReembed: ({ workspace, model, operation_id }) =>
      whileHeartbeating(async () => {
        requireModel(model);
        const { workflowId, runId } = executionOf();
        return await database.inWorkspace(workspace, async (tx) => {
          const now = clock();
          const { state, from, since } = await claimModel(tx, model, 'workflow', now);
          const pass = { operationId: operation_id, type: 'reembed', workflowId, runId } as const;
          if (state === 'shadowing' || state === 'clearing') await openPass(tx, pass, now);
          return { state, from, since };
        });
      }),

    reembedBatch: ({ workspace, model, operation_id, after, done }) =>
      whileHeartbeating(async (signal) => {
        const now = clock();
        const batch = await database.inWorkspace(workspace, async (tx) =>
          (await isShadow(tx, model))
            ? await readCardsToReembed(tx, { model, after, limit: BATCH, now })
            : null,
        );
        if (batch === null) return { state: 'superseded', embedded: 0, next: null };
        requireModel(model);
        const texts = batch.cards.map(({ text }) => text);
        const made = await lateVectorsOf(embedder, texts, signal);
        signal.throwIfAborted();
        const vectors = batch.cards.flatMap(({ id, version }, at) => {
          const values = made[at];
          return values === undefined ? [] : [{ id, version, values: Array.from(values) }];
        });
        const embedded = await database.inWorkspace(workspace, async (tx) => {
          const filed =
            vectors.length === 0 ? 0 : await fileReembedded(tx, model, vectors, clock());
          await note(tx, operation_id, { ...done, embedded: done.embedded + filed });
          return filed;
        });
        return { state: 'embedded', embedded, next: batch.next };
      }),

    cutOver: ({ workspace, model }) =>
      whileHeartbeating(async () => {
        const { workflowId } = executionOf();
        const outcome = await database.inWorkspace(workspace, async (tx) => {
          const before = await isServed(tx, model);
          const cut = await cutOver(tx, model, clock());
          // An earlier try, whose commit was not heard of, has said so.
          if (cut === 'cut' && !before) await auditCut(tx, workflowId);
          return cut;
        });
        return { outcome };
      }),

    linkReembedded: ({ workspace, model, after, since }) =>
      whileHeartbeating(async (signal) => {
        const { workflowId } = executionOf();
        const request = { model, after, since, limit: LINKED_AT_ONCE };
        const { cards, next } = await database.inWorkspace(workspace, (tx) =>
          readCardsToLink(tx, request),
        );
        let linked = 0;
        for (const card of cards) {
          signal.throwIfAborted();
          linked += await database.inWorkspace(workspace, (tx) =>
            linkReembedded(tx, card, model, { now: clock(), workflowId }),
          );
        }
        return { linked, next };
      }),

    clearVectors: ({ workspace, model, operation_id, after, done }) =>
      whileHeartbeating(() =>
        database.inWorkspace(workspace, async (tx) => {
          if (!(await isServed(tx, model))) return { state: 'superseded', cleared: 0, next: null };
          const page = { model, after, limit: LOOKED_AT_TO_CLEAR, now: clock() };
          const { cleared, next } = await clearOtherVectors(tx, page);
          await note(tx, operation_id, { ...done, cleared: done.cleared + cleared });
          return { state: 'cleared', cleared, next };
        }),
      ),

    endReembed: ({ workspace, operation_id, result }) =>
      database.inWorkspace(workspace, async (tx) => {
        const { embedded, rounds, batches, linked, cleared } = result;
        const counts = { embedded, rounds, batches, linked, cleared };
        await endPass(tx, operation_id, counts, { ...result }, clock());
      }),
  };

  async function auditCut(tx: Tx, workflowId: string): Promise<void> {
    await writeAudit(tx, {
      at: clock(),
      actor: { kind: 'system', id: 'reembed' },
      action: 'embeddings.cut_over',
      target: { type: 'workspace', id: tx.workspace },
      changed: ['embedding_model'],
      channel: 'workflow',
      workflowId,
    });
  }
}

async function note(tx: Tx, operationId: string, counts: ReembedCounts): Promise<void> {
  await notePass(tx, operationId, { ...counts });
}
