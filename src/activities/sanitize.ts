import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type {
  ActivityExecuteInput,
  ActivityInboundCallsInterceptor,
  Next,
} from '@temporalio/worker';
import type { FailureType } from '../contracts/failures';
import type { FailureDetails } from '../contracts/messages';
import { isUnavailable } from '../store/database';
import type { Log } from '../telemetry/logger';

/** With a backoff from one second: two minutes, enough for a race or a restart to pass. */
const TRIES = 8;

/**
 * Keeps content out of histories: a database error quotes values, a provider's error quotes prompts,
 * and Temporal stores message and stack of whatever an activity throws. What leaves here is a code.
 * The error itself goes to the log by its kind and Postgres code, which hold no content either.
 */
export function sanitizingInterceptor(
  log: Log,
  onFailure: (activity: string, type: string) => void = () => {},
): ActivityInboundCallsInterceptor {
  return {
    async execute(
      input: ActivityExecuteInput,
      next: Next<ActivityInboundCallsInterceptor, 'execute'>,
    ): Promise<unknown> {
      try {
        return await next(input);
      } catch (error) {
        if (error instanceof CancelledFailure || isCompleteAsync(error)) throw error;
        const { activityType, attempt } = activityInfo();
        if (error instanceof ApplicationFailure) {
          onFailure(activityType, error.type ?? 'unknown');
          throw leaving(error, attempt);
        }
        log.warn({ err: kindOf(error) }, 'an activity failed; it will be tried again');
        const type: FailureType = isUnavailable(error) ? 'store_unavailable' : 'internal_error';
        // An outage ends; what fails for its own reasons does so again, and somebody has to be told.
        const nonRetryable = type === 'internal_error' && attempt >= TRIES;
        onFailure(activityType, type);
        throw leaving({ message: type, type, nonRetryable }, attempt);
      }
    },
  };
}

/** Made anew of what may leave: its code, when to come back, and which try it was; no stack, no cause. */
function leaving(
  failure: Pick<ApplicationFailure, 'message' | 'type' | 'nonRetryable'> &
    Partial<Pick<ApplicationFailure, 'nextRetryDelay'>>,
  tries: number,
): ApplicationFailure {
  const { message, type, nonRetryable, nextRetryDelay } = failure;
  const details: FailureDetails = { tries };
  const made = ApplicationFailure.create({
    message,
    nonRetryable: nonRetryable ?? false,
    details: [details],
    ...(type == null ? {} : { type }),
    ...(nextRetryDelay == null ? {} : { nextRetryDelay }),
  });
  made.stack = '';
  return made;
}

function isCompleteAsync(error: unknown): boolean {
  return error instanceof Error && error.name === 'CompleteAsyncError';
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name;
}
