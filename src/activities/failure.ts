import { ApplicationFailure } from '@temporalio/common';
import {
  FAILURES,
  type FailureType,
  RUNTIME_FAILURES,
  type RuntimeFailureType,
} from '../contracts/failures';

const EVERY_FAILURE = { ...FAILURES, ...RUNTIME_FAILURES };

/** A failure that says its code and nothing else: messages end up in histories. */
export function permanent(type: FailureType | RuntimeFailureType): ApplicationFailure {
  return ApplicationFailure.create({
    message: type,
    type,
    nonRetryable: !EVERY_FAILURE[type].retryable,
  });
}

/**
 * A failure that another try may mend.
 * @param nextRetryDelay milliseconds until that try; the retry policy decides where it is left out
 */
export function transient(
  type: FailureType | RuntimeFailureType,
  nextRetryDelay?: number,
): ApplicationFailure {
  return ApplicationFailure.create({
    message: type,
    type,
    nonRetryable: !EVERY_FAILURE[type].retryable,
    ...(nextRetryDelay === undefined ? {} : { nextRetryDelay }),
  });
}

/** A failure that may be mended, and was not in as many tries as it is worth: it is not tried again. */
export function exhausted(type: FailureType): ApplicationFailure {
  return ApplicationFailure.create({ message: type, type, nonRetryable: true });
}
