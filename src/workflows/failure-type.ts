import { ActivityFailure, ApplicationFailure, ChildWorkflowFailure } from '@temporalio/workflow';
import type { FailureType } from '../contracts/failures';

/** The code of a failure, from under what Temporal wrapped it in; null where time ran out or nobody took it. */
export function failureTypeOf(error: unknown): FailureType | null {
  if (error instanceof ActivityFailure || error instanceof ChildWorkflowFailure) {
    return failureTypeOf(error.cause);
  }
  return error instanceof ApplicationFailure ? ((error.type as FailureType) ?? null) : null;
}
