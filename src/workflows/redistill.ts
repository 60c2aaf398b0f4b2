/**
 * Redistill: cards that the stand-in wrote while the model was away get the model's words.
 *
 * Id: `redistill/<workspace>/late`, one a workspace. Started by the sweep where cards wait and a model is
 * configured; a start while it runs is this same workflow. Nothing may arrive while it runs.
 * States: batch after batch by cursor; of each card: the model leaves a draft → the draft takes the place
 * of the stand-in's words, unless anybody changed the card meanwhile. The first card goes alone and shows
 * whether the model is back.
 * Ends: completed with its counts; `partial` as soon as the model is away for one card, which has had all
 * its tries by then, or where several in a row failed. What still waits is the next run's: the sweep starts
 * one a quarter of an hour later. A card whose answer was useless in three runs keeps the stand-in's words;
 * a fault of ours costs it no try.
 *
 * About twelve events a card (two activities, and a workflow task after each) and six a batch of twenty.
 * It continues as new after 5 batches, about 1,300 events, or when the server suggests it.
 */
import {
  continueAsNew,
  isCancellation,
  log,
  setWorkflowOptions,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { FailureType } from '../contracts/failures';
import type {
  CardToRedistill,
  PassInput,
  RedistillCounts,
  RedistillInput,
  RedistillResult,
} from '../contracts/messages';
import { passOperationId } from '../contracts/workflow-ids';
import { FAILED_IN_A_ROW, meaningOf } from '../domain/redistilling';
import { distillByModel } from './capture-activities';
import { failureTypeOf } from './failure-type';
import { rewriting } from './redistill-activities';
import { movesOn } from './versioning';

/** What a run is started with; all but the workspace is what it hands on to its next run. */
export interface RedistillRun extends RedistillInput {
  done?: RedistillCounts;
  /** The last event that was looked at. */
  after?: string;
  /** Batches until it continues as new; lowered by tests. */
  batches_a_run?: number;
}

/** 100 cards. */
const BATCHES_A_RUN = 5;
/** Calls at once: half of the model slots of one worker, the other half being for what happens now. */
const LANES = 2;

setWorkflowOptions(movesOn, redistill);

export async function redistill(input: RedistillRun): Promise<RedistillResult> {
  const { workspace, batches_a_run: limit = BATCHES_A_RUN } = input;
  const pass = {
    workspace,
    operation_id: passOperationId(workflowInfo().firstExecutionRunId),
  };
  const tally = new Tally(input.done);
  let after = input.after ?? '';

  for (let batch = 1; ; batch += 1) {
    const found = await rewriting.nextToRedistill({ ...pass, after, done: tally.counts });
    tally.counts.kept += found.settled;
    await rewriteAll(pass, found.cards, tally);
    if (tally.stoppedBy !== null || found.next === null) break;
    after = found.next;
    if (batch >= limit || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof redistill>({ ...input, after, done: tally.counts });
    }
  }

  const result: RedistillResult = {
    status: tally.stoppedBy === null ? 'completed' : 'partial',
    stopped_by: tally.stoppedBy,
    ...tally.counts,
  };
  await rewriting.endRedistill({ ...pass, result });
  upsertMemo({ run_id: workflowInfo().runId, ...result });
  return result;
}

async function rewriteAll(
  pass: PassInput,
  cards: readonly CardToRedistill[],
  tally: Tally,
): Promise<void> {
  const queue = [...cards];
  const lane = async (most: number): Promise<void> => {
    for (let taken = 0; taken < most && tally.stoppedBy === null; taken += 1) {
      const card = queue.shift();
      if (card === undefined) return;
      await rewriteOne(pass, card, tally);
    }
  };
  await lane(1);
  await Promise.all(Array.from({ length: LANES }, () => lane(Number.POSITIVE_INFINITY)));
}

async function rewriteOne(pass: PassInput, card: CardToRedistill, tally: Tally): Promise<void> {
  const { workspace } = pass;
  const key = { workspace, event_id: card.event_id };
  try {
    await distillByModel.distillByModel(key);
  } catch (error) {
    if (isCancellation(error)) throw error;
    const type = failureTypeOf(error);
    const meaning = meaningOf(type);
    log.warn('the model gave no card in its tries', { step: type ?? 'timeout' });
    if (meaning === 'useless') await rewriting.countUseless(key);
    tally.failed(meaning, type);
    return;
  }
  const { outcome } = await rewriting.rewriteCard({ ...pass, ...card });
  tally.succeeded(outcome);
}

/** Counts, and the decision to stop. */
class Tally {
  readonly counts: RedistillCounts;
  stoppedBy: string | null = null;
  private failedInARow = 0;

  constructor(done: RedistillCounts = { rewritten: 0, kept: 0, useless: 0 }) {
    this.counts = { ...done };
  }

  succeeded(outcome: 'rewritten' | 'kept'): void {
    this.counts[outcome] += 1;
    this.failedInARow = 0;
  }

  failed(meaning: ReturnType<typeof meaningOf>, type: FailureType | null): void {
    if (meaning === 'away') {
      this.stoppedBy ??= type ?? 'model_timeout';
    } else if (meaning === 'gone') {
      this.counts.kept += 1;
    } else {
      this.counts[meaning === 'ours' ? 'kept' : 'useless'] += 1;
      this.failedInARow += 1;
      if (this.failedInARow >= FAILED_IN_A_ROW) this.stoppedBy ??= type ?? 'model_refused';
    }
  }
}
