/**
 * Capture: one settled event becomes exactly one card, or a logged reason why not.
 *
 * Id: `capture/<workspace>/<event>`. Started by the outbox; a duplicate start is this same workflow.
 * States: admitted or not → distilled → filed. Nothing may arrive while it runs.
 * Ends: completed, with its record as the result; a step that fails for good is a record too,
 *   `failed` with its code.
 *
 * Without a model it is one workflow task: three local activities (a WorkflowExecutionStarted, the
 * task's three events, three markers, the upsert and the completion: about ten events). With a model
 * distilling is a regular activity on the model queue (about sixteen events, six more for each retry
 * that the server does not fold). Local steps that fail are done again as regular activities.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  log,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Admission, CaptureInput, CaptureResult, DistillResult } from '../contracts/messages';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes';
import { captureDurably, captureLocally, distillByModel } from './capture-activities';
import { keyword } from './search-attribute-keys';

export async function capture(input: CaptureInput): Promise<CaptureResult> {
  const key = { workspace: input.workspace, event_id: input.event_id };
  try {
    return recorded(await carded(input, key));
  } catch (error) {
    if (!isCancellation(error) && !(error instanceof ActivityFailure)) throw error;
    const reason = isCancellation(error) ? 'cancelled' : reasonOf(error);
    log.error('the capture was cut short; it is settled with the reason', { reason });
    // Settled even where an operator cancelled it: an accepted event has its card or its reason.
    return await CancellationScope.nonCancellable(async () => {
      const { result } = await captureDurably.giveUp({ ...key, reason });
      return recorded(result);
    });
  }
}

async function carded(
  input: CaptureInput,
  key: { workspace: string; event_id: string },
): Promise<CaptureResult> {
  const steps = new Steps();

  const admission = await steps.run<Admission>('admit', key);
  if (admission.decision !== 'admit') return notCarded(input, admission);

  const distilled =
    admission.distiller === 'model'
      ? await modelOrStandIn(steps, key)
      : await steps.run<DistillResult>('distillByRules', key);

  return await steps.run<CaptureResult>('fileCard', {
    ...key,
    operation_id: input.operation_id,
    distilled_by: distilled.distilled_by,
  });
}

/** The failure's type: a code of `contracts/failures.ts`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof ActivityFailure)) return 'unknown';
  return error.cause instanceof ApplicationFailure ? (error.cause.type ?? 'unknown') : 'unknown';
}

/** Local first; after the first local failure, or once they took their share of the task, durable ones. */
class Steps {
  private local = true;
  private elapsedMs = 0;

  async run<Result>(step: 'admit' | 'distillByRules' | 'fileCard', input: object): Promise<Result> {
    if (this.local && this.elapsedMs < LOCAL_SHARE_MS) {
      try {
        const { result, took_ms } = await captureLocally[step](input as never);
        this.elapsedMs += took_ms;
        return result as Result;
      } catch (error) {
        if (isCancellation(error)) throw error;
        log.warn('a local step failed; going on with regular activities', { step });
        this.local = false;
      }
    }
    const { result } = await captureDurably[step](input as never);
    return result as Result;
  }
}

/** Half of the 6 s that local steps may take in all: the next one may itself take 3 s (design §6). */
const LOCAL_SHARE_MS = 3_000;

/** After the bounded tries the deterministic stand-in writes the card, marked to be redistilled. */
async function modelOrStandIn(
  steps: Steps,
  key: { workspace: string; event_id: string },
): Promise<DistillResult> {
  try {
    return await distillByModel.distillByModel(key);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('the model gave no card in its tries; the stand-in writes it');
    return await steps.run<DistillResult>('distillByRules', key);
  }
}

function notCarded(input: CaptureInput, admission: Admission): CaptureResult {
  if (admission.decision === 'admit') throw new Error('an admitted event has a card');
  return {
    event_id: input.event_id,
    operation_id: input.operation_id,
    disposition: admission.decision,
    reason: admission.reason,
    card_id: admission.card_id,
    kind: null,
    sign: null,
    edges: [],
    distilled_by: null,
    embedded: false,
    strikes: null,
  };
}

/** The result is the record; the search attributes make it findable among all captures. */
function recorded(result: CaptureResult): CaptureResult {
  upsertSearchAttributes([
    { key: keyword(SEARCH_ATTRIBUTES.disposition), value: result.disposition },
    { key: keyword(SEARCH_ATTRIBUTES.kind), value: result.kind ?? 'none' },
    { key: keyword(SEARCH_ATTRIBUTES.distilledBy), value: result.distilled_by ?? 'none' },
  ]);
  upsertMemo({ run_id: workflowInfo().runId, card_id: result.card_id ?? '' });
  return result;
}
