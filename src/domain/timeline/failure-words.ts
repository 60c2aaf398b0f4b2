import { FAILURES, type FailureType } from '../../contracts/failures';
import type { FollowUpRefusal } from '../../contracts/insight';
import type { DecisionRefusal } from '../../contracts/proposal';
import type { StepFailure } from '../../contracts/timeline';
import type { HistoryFailure } from './history';

/** How the parts of a failure are written: nothing that reads like a sentence is a code. */
const CODE = /^[a-z][a-z0-9_]{0,63}$/;
/** Failures stand in one another: an activity's in its child's. Deeper is none of ours. */
const DEPTH = 10;

const WORDS: Readonly<Record<FailureType | DecisionRefusal | FollowUpRefusal, string>> = {
  store_unavailable: 'the database could not be reached',
  internal_error: 'a fault of the program, or a value that cannot be kept',
  model_rate_limited: 'the model takes no more for now, or its balance is spent',
  model_unavailable: 'the model could not be reached',
  model_timeout: 'the model did not answer in time',
  model_invalid_output: "the model's answer did not have the form that was asked for",
  model_refused: 'the model refused the request',
  model_not_configured:
    'there is no model, or it refuses every request: look at its key and address',
  embedder_elsewhere: 'this worker does not have the embedding model that is asked for',
  event_missing: 'the event is gone',
  draft_missing: 'the draft is gone',
  proposal_missing: 'the proposal is gone',
  erasure_missing: 'the erasure is gone',
  malformed: 'it was no request that can be carried out',
  already_decided: 'it had been decided before',
  stale_version: 'it had another version than the one decided on',
  expired: 'its time was over',
  not_allowed: 'who asked may not do this',
  direct_decisions_off: 'the policy wants decisions through the API',
  world_changed: 'what it would change was no longer as it was proposed',
  key_taken: 'another card has the key in that scope',
  no_action: 'the insight has no such action',
  not_taken: 'the action was not taken',
  already_ended: 'its follow-up had ended',
  not_later: 'the new time is not later than the one that stands',
};

const OTHER_WORDS: Readonly<Record<string, string>> = {
  scope_busy: 'another pass had the scope for too long',
};

/** By Temporal's numbers of its kinds of timeouts. */
const TIMEOUTS: Readonly<Record<number, string>> = {
  1: 'one try took longer than it may',
  2: 'no worker took it in time: is one running?',
  3: 'all tries together took longer than they may',
  4: 'its worker was not heard of any more',
};

export const TIMED_OUT: StepFailure = {
  code: 'timed_out',
  message: 'it took longer than it may',
};
export const TERMINATED: StepFailure = {
  code: 'terminated',
  message: 'somebody ended it in Temporal, without its say',
};

/** The codes that have words. */
export function knownFailures(): string[] {
  return [...Object.keys(FAILURES), ...Object.keys(WORDS), ...Object.keys(OTHER_WORDS)];
}

/** What failed, by its innermost code; a failure's own text is left where it is. */
export function failureOf(failure: HistoryFailure | null | undefined): StepFailure | null {
  if (failure === null || failure === undefined) return null;
  let inner = failure;
  for (let depth = 0; depth < DEPTH && inner.cause; depth += 1) inner = inner.cause;
  if (inner.timeoutFailureInfo) {
    const { timeoutType } = inner.timeoutFailureInfo;
    return { code: TIMED_OUT.code, message: TIMEOUTS[timeoutType ?? 0] ?? TIMED_OUT.message };
  }
  if (inner.canceledFailureInfo) return { code: 'cancelled', message: 'it was told to end' };
  if (inner.terminatedFailureInfo) return TERMINATED;
  return codedFailure(inner.applicationFailureInfo?.type);
}

function codedFailure(type: string | null | undefined): StepFailure {
  const code = type && CODE.test(type) ? type : 'internal_error';
  const words: Readonly<Record<string, string>> = { ...OTHER_WORDS, ...WORDS };
  return { code, message: Object.hasOwn(words, code) ? (words[code] ?? code) : `it says ${code}` };
}
