/**
 * Re-embed: every card gets a vector of another model, and recall changes over to it once none lacks one.
 *
 * Id: `reembed/<workspace>/<model>`. Started where a process starts with another embedder than the vectors
 * have, and by the sweep where that was missed; a start while it runs is this same workflow. Nothing may
 * arrive while it runs.
 * States: begin → embed, batch after batch by cursor over all cards, the newest first, retired and
 * restorable ones included → cut, in one transaction, or embed once more for what came late → link, what
 * was filed meanwhile with what it could not be compared with → clear, the vectors of other models in
 * batches. Until the cut both models are searched, and filing writes the new one. What is done stands
 * in Postgres; the cursor only saves looking at it again.
 * Ends: completed with its counts; `partial` as soon as another model has taken its place, whose workflow
 * uses what there is. While the embedder is away the one step in hand is tried again and again, which
 * adds no events. A text that the embedder refuses for good holds up no other.
 *
 * Six events a step (a task's three, an activity's three), three more where it pauses. It continues as
 * new after 100 steps, about 600 events, or when the server suggests it.
 */
import {
  continueAsNew,
  setWorkflowOptions,
  sleep,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  ReembedCounts,
  ReembedInput,
  ReembedPass,
  ReembedResult,
} from '../contracts/messages';
import { passOperationId } from '../contracts/workflow-ids';
import { closing, reembedding } from './reembed-activities';
import { movesOn } from './versioning';

/** What a run is started with; all but workspace and model is what it hands on to its next run. */
export interface ReembedRun extends ReembedInput {
  at?: Progress;
  /** Steps until it continues as new; lowered by tests. */
  steps_a_run?: number;
}

/** Where it stands between two steps. */
interface Progress {
  stage: 'begin' | 'embed' | 'cut' | 'link' | 'clear' | 'over';
  from: string | null;
  since: string | null;
  /** The last card that was looked at in this stage. */
  after: string;
  /** Of the walk in hand. */
  found: number;
  superseded: boolean;
  done: ReembedCounts;
}

/** 3,200 cards; a history of 600 events still replays in a blink. */
const STEPS_A_RUN = 100;
/** A walk that found nothing while cards lack vectors lost them to edits; editors are given time. */
const AFTER_NOTHING = '5s';

setWorkflowOptions(movesOn, reembed);

export async function reembed(input: ReembedRun): Promise<ReembedResult> {
  const { workspace, model, steps_a_run: limit = STEPS_A_RUN } = input;
  const operation_id = passOperationId(workflowInfo().firstExecutionRunId);
  let at = input.at ?? BEGINNING;

  for (let step = 1; at.stage !== 'over'; step += 1) {
    at = await next(at, { workspace, model, operation_id, done: at.done });
    if (at.stage !== 'over' && (step >= limit || workflowInfo().continueAsNewSuggested)) {
      await continueAsNew<typeof reembed>({ ...input, at });
    }
  }

  const result: ReembedResult = {
    status: at.superseded ? 'partial' : 'completed',
    stopped_by: at.superseded ? 'superseded' : null,
    model_from: at.from,
    model_to: model,
    ...at.done,
  };
  await closing.endReembed({ workspace, operation_id, result });
  upsertMemo({ run_id: workflowInfo().runId, ...result });
  return result;
}

const BEGINNING: Progress = {
  stage: 'begin',
  from: null,
  since: null,
  after: '',
  found: 0,
  superseded: false,
  done: { embedded: 0, rounds: 0, batches: 0, linked: 0, cleared: 0 },
};

async function next(at: Progress, pass: ReembedPass): Promise<Progress> {
  const { stage, done } = at;
  switch (stage) {
    case 'begin': {
      const { state, from, since } = await reembedding.beginReembed(pass);
      if (state === 'superseded') return superseded(at);
      if (state === 'served') return { ...at, stage: 'over' };
      if (state === 'clearing') return { ...at, stage: 'clear' };
      return walking({ ...at, from, since });
    }
    case 'embed': {
      const batch = await reembedding.reembedBatch({ ...pass, after: at.after });
      if (batch.state === 'superseded') return superseded(at);
      const counted = {
        ...at,
        found: at.found + batch.embedded,
        done: { ...done, embedded: done.embedded + batch.embedded, batches: done.batches + 1 },
      };
      return batch.next === null ? { ...counted, stage: 'cut' } : { ...counted, after: batch.next };
    }
    case 'cut': {
      const { outcome } = await reembedding.cutOver(pass);
      if (outcome === 'superseded') return superseded(at);
      if (outcome === 'cut') return { ...at, stage: 'link', after: '' };
      if (at.found === 0) await sleep(AFTER_NOTHING);
      return walking(at);
    }
    case 'link': {
      if (at.since === null) return { ...at, stage: 'clear', after: '' };
      const { after, since } = at;
      const batch = await reembedding.linkReembedded({ ...pass, after, since });
      const counted = { ...at, done: { ...done, linked: done.linked + batch.linked } };
      return batch.next === null
        ? { ...counted, stage: 'clear', after: '' }
        : { ...counted, after: batch.next };
    }
    case 'clear': {
      const batch = await reembedding.clearVectors({ ...pass, after: at.after });
      if (batch.state === 'superseded') return superseded(at);
      const counted = { ...at, done: { ...done, cleared: done.cleared + batch.cleared } };
      return batch.next === null
        ? { ...counted, stage: 'over' }
        : { ...counted, after: batch.next };
    }
    case 'over':
      return at;
    default:
      return stage satisfies never;
  }
}

/** From the newest card on. */
function walking(at: Progress): Progress {
  const done = { ...at.done, rounds: at.done.rounds + 1 };
  return { ...at, stage: 'embed', after: '', found: 0, done };
}

function superseded(at: Progress): Progress {
  return { ...at, stage: 'over', superseded: true };
}
