import type { Clock } from '../contracts/clock';
import type {
  CardToRedistill,
  PassInput,
  RedistillBatch,
  RedistillCounts,
  RedistillResult,
} from '../contracts/messages';
import type { Embedder } from '../models/embedder';
import type { CardVector } from '../store/card-writes';
import type { Database, Tx } from '../store/database';
import {
  countUselessAnswer,
  dropRewriting,
  readCardsToRedistill,
  readRewriting,
  rewriteCard,
} from '../store/filing-redistilled';
import { endPass, notePass, openPass } from '../store/passes';
import { noteChanges } from '../store/run-changes';
import { embedWithin } from './embedding';
import { executionOf } from './execution';

export interface RedistillDependencies {
  database: Database;
  clock: Clock;
  embedder: Embedder;
}

export interface RedistillActivities {
  /** The next cards that wait for the model, and the pass's row of `runs` where there are any. */
  nextToRedistill(
    input: PassInput & { after: string; done: RedistillCounts },
  ): Promise<RedistillBatch>;
  /**
   * Files the draft that the model left, and notes it in the diff of the run; a card that anybody changed meanwhile
   * stays as it is. A run that was begun before there were diffs names none.
   */
  rewriteCard(
    input: CardToRedistill & { workspace: string; operation_id?: string },
  ): Promise<{ outcome: 'rewritten' | 'kept'; linked: number }>;
  /** Says that the model had no card for this event. */
  countUseless(input: { workspace: string; event_id: string }): Promise<void>;
  endRedistill(input: PassInput & { result: RedistillResult }): Promise<void>;
}

/** A minute or two of a model that answers in a few seconds. */
const BATCH = 20;
/** The card is found by its words meanwhile; what comes later is the `embed` workflow's. */
const EMBEDDING_DEADLINE_MS = 2_000;

export function createRedistillActivities(deps: RedistillDependencies): RedistillActivities {
  const { database, clock, embedder } = deps;
  return {
    nextToRedistill: ({ workspace, operation_id, after, done }) =>
      database.inWorkspace(workspace, async (tx) => {
        const batch = await readCardsToRedistill(tx, after, BATCH);
        if (batch.cards.length + batch.settled > 0) await noteProgress(tx, operation_id, done);
        return batch;
      }),

    rewriteCard: async ({ workspace, operation_id, ...card }) => {
      const rewriting = await database.inWorkspace(workspace, (tx) => readRewriting(tx, card));
      const linked =
        rewriting === null
          ? null
          : await vectorOf(rewriting.text).then((vector) =>
              database.inWorkspace(workspace, async (tx) => {
                const context = { vector, ...executionOf(), now: clock() };
                const links = await rewriteCard(tx, rewriting, card, context);
                if (links !== null) await noteRewriting(tx, operation_id, card, context.now);
                return links;
              }),
            );
      if (linked !== null) return { outcome: 'rewritten', linked };
      const before = await database.inWorkspace(workspace, (tx) =>
        dropRewriting(tx, card.event_id),
      );
      return { outcome: before ? 'rewritten' : 'kept', linked: 0 };
    },

    countUseless: ({ workspace, event_id }) =>
      database.inWorkspace(workspace, (tx) => countUselessAnswer(tx, event_id)),

    endRedistill: ({ workspace, operation_id, result }) =>
      database.inWorkspace(workspace, async (tx) => {
        const { rewritten, kept, useless } = result;
        await endPass(tx, operation_id, { rewritten, kept, useless }, { ...result }, clock());
      }),
  };

  async function noteRewriting(
    tx: Tx,
    operationId: string | undefined,
    { card_id, version }: CardToRedistill,
    now: Date,
  ): Promise<void> {
    if (operationId === undefined) return;
    const change = { change: 'edited', card_id, reason: 'redistilled' } as const;
    const versions = { version_before: version, version_after: version + 1 };
    await noteChanges(tx, operationId, [{ ...change, ...versions }], now);
  }

  async function noteProgress(tx: Tx, operationId: string, done: RedistillCounts): Promise<void> {
    const { workflowId, runId } = executionOf();
    const pass = { operationId, type: 'redistill', workflowId, runId } as const;
    await openPass(tx, pass, clock());
    await notePass(tx, operationId, { ...done });
  }

  async function vectorOf(text: string): Promise<CardVector | null> {
    const values = await embedWithin(embedder, text, EMBEDDING_DEADLINE_MS);
    return values === null ? null : { model: embedder.id, dims: embedder.dims, values };
  }
}
