/**
 * Capture: one settled event becomes exactly one card, or a logged reason why not.
 *
 * Id: `capture/<workspace>/<event>`. Started by the outbox; a duplicate start is this same workflow.
 * States: admitted or not → distilled → filed. Nothing may arrive while it runs.
 * Ends: completed, with its record as the result; a step that fails for good is a record too,
 *   `failed` with its code.
 *
 * Without a model admit, distill and file share one fate and are one local activity in one workflow
 * task: about seven events (the start, the task's three, the marker, the upsert, the completion). With
 * a model the local step only admits, distilling is a regular activity on the model queue that leaves
 * its draft in Postgres, and a second local step files it: about fifteen events, and none for a retry,
 * whose count stands in the activity's start. A local step that fails is done again as a regular
 * activity.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  log,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type {
  CapturedAtOnce,
  CaptureEnding,
  CaptureInput,
  CaptureResult,
  FailureDetails,
  ModelUse,
} from '../contracts/messages';
import { SEARCH_ATTRIBUTES, STUCK } from '../contracts/search-attributes';
import { captureDurably, captureLocally, distillByModel, MODEL_TRIES } from './capture-activities';
import { keyword } from './search-attribute-keys';

export async function capture(input: CaptureInput): Promise<CaptureEnding> {
  const model: ModelUse = { outcome: 'none', tries: 0 };
  try {
    return recorded(await carded(input, model), model);
  } catch (error) {
    if (!isCancellation(error) && !(error instanceof ActivityFailure)) throw error;
    const reason = isCancellation(error) ? 'cancelled' : reasonOf(error);
    log.error('the capture was cut short; it is settled with the reason', { reason });
    // Settled even where an operator cancelled it: an accepted event has its card or its reason.
    return await CancellationScope.nonCancellable(async () =>
      recorded(await captureDurably.giveUp({ ...input, reason }), model),
    );
  }
}

/** @param model what it did is noted here, and stays noted where a later step fails. */
async function carded(input: CaptureInput, model: ModelUse): Promise<CaptureResult> {
  const { filed } = await atOnce(input, false);
  if (filed !== null) return filed;
  Object.assign(model, { outcome: 'unanswered', tries: null } satisfies ModelUse);
  try {
    const { workspace, event_id } = input;
    const { tries } = await distillByModel.distillByModel({ workspace, event_id });
    Object.assign(model, { outcome: 'answered', tries: tries ?? null } satisfies ModelUse);
  } catch (error) {
    if (isCancellation(error)) throw error;
    Object.assign(model, { outcome: 'fell_back', tries: triesOf(error) } satisfies ModelUse);
    // After the bounded tries the deterministic stand-in writes the card, marked to be redistilled.
    log.warn('the model gave no card in its tries; the stand-in writes it');
    const { filed: byStandIn } = await atOnce(input, true);
    if (byStandIn === null) throw ApplicationFailure.nonRetryable('the stand-in always files');
    return byStandIn;
  }
  return await localFirst(
    () => captureLocally.fileCard(input),
    () => captureDurably.fileCard(input),
  );
}

async function atOnce(input: CaptureInput, standIn: boolean): Promise<CapturedAtOnce> {
  const request = { ...input, stand_in: standIn };
  return await localFirst(
    () => captureLocally.captureAtOnce(request),
    () => captureDurably.captureAtOnce(request),
  );
}

/** What fails within the workflow task, Postgres being away for instance, is done durably. */
async function localFirst<Result>(
  locally: () => Promise<Result>,
  durably: () => Promise<Result>,
): Promise<Result> {
  try {
    return await locally();
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('a local step failed; going on with a regular activity');
    upsertSearchAttributes([{ key: keyword(SEARCH_ATTRIBUTES.stuck), value: STUCK.retrying }]);
    const result = await durably();
    upsertSearchAttributes([{ key: keyword(SEARCH_ATTRIBUTES.stuck), value: STUCK.recovered }]);
    return result;
  }
}

/** The failure's type: a code of `contracts/failures.ts`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof ActivityFailure)) return 'unknown';
  return error.cause instanceof ApplicationFailure ? (error.cause.type ?? 'unknown') : 'unknown';
}

/** As the last failure says; one that ran out of its time says nothing, but all tries are all tries. */
function triesOf(error: unknown): number | null {
  if (!(error instanceof ActivityFailure)) return null;
  if (error.retryState === 'MAXIMUM_ATTEMPTS_REACHED') return MODEL_TRIES;
  if (!(error.cause instanceof ApplicationFailure)) return null;
  const [said] = (error.cause.details ?? []) as (FailureDetails | undefined)[];
  return said?.tries ?? null;
}

/** The result is the record; the search attributes make it findable among all captures. */
function recorded(result: CaptureResult, model: ModelUse): CaptureEnding {
  upsertSearchAttributes([
    { key: keyword(SEARCH_ATTRIBUTES.disposition), value: result.disposition },
    { key: keyword(SEARCH_ATTRIBUTES.kind), value: result.kind ?? 'none' },
    { key: keyword(SEARCH_ATTRIBUTES.distilledBy), value: result.distilled_by ?? 'none' },
    { key: keyword(SEARCH_ATTRIBUTES.model), value: model.outcome },
  ]);
  return { ...result, model };
}
