import { CompleteAsyncError, log } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { permanent, transient } from '../../activities/failure';
import { CairnError } from '../../client/error';
import { isRuntimeRefusal } from '../../contracts/failures';
import { isUnavailable } from '../../store/database';

/**
 * Runs a step, and lets nothing leave it but a code: what Postgres or an answer says quotes values, and Temporal
 * keeps the message and the stack of whatever an activity throws.
 */
export async function leavingCodesOnly<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof CancelledFailure || error instanceof CompleteAsyncError) throw error;
    const failure = error instanceof ApplicationFailure ? error : failureOf(error);
    failure.stack = '';
    throw failure;
  }
}

function failureOf(error: unknown): ApplicationFailure {
  if (error instanceof CairnError) return answered(error);
  return transient(isUnavailable(error) ? 'store_unavailable' : 'internal_error');
}

function answered({ status, code, problem }: CairnError): ApplicationFailure {
  if (status === 0 || status === 429 || status >= 500) return transient('cairn_away');
  // Where to look stands in the worker's log, since it may repeat a name that the caller chose.
  log.warn('Cairn refused what an activity asked for', { code, pointer: problem.pointer });
  return permanent(isRuntimeRefusal(code) ? code : 'refused');
}
