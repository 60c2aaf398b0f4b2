import { APIError } from 'openai';
import { DistillerError } from './distiller';

/** A provider that asks for longer is as good as away; the stand-in should not wait for it. */
const LONGEST_RETRY_AFTER_MS = 600_000;

/**
 * What a provider's failure means, as a code. Nothing of the error goes along: its message, body and
 * stack may repeat the request.
 * @param now decides what a `Retry-After` date is from here
 */
export function providerFailure(error: unknown, now: Date): DistillerError {
  if (error instanceof DistillerError) return error;
  if (!(error instanceof APIError) || typeof error.status !== 'number') {
    return new DistillerError('model_unavailable');
  }
  const after = () => retryAfterMs(error.headers?.get('retry-after') ?? null, now);
  switch (error.status) {
    // No balance left is no quota left: both come back.
    case 402:
    case 429:
      return new DistillerError('model_rate_limited', after());
    case 408:
      return new DistillerError('model_timeout');
    case 409:
      return new DistillerError('model_unavailable');
    case 401:
    case 403:
    case 404:
      // The key, its rights, or the model's name: only who configured it can help.
      return new DistillerError('model_not_configured');
    default:
      return error.status >= 400 && error.status < 500
        ? new DistillerError('model_refused')
        : new DistillerError('model_unavailable', after());
  }
}

/**
 * `Retry-After` in milliseconds from `now`: seconds or an HTTP date (RFC 9110, 10.2.3), at most ten minutes.
 * @returns null where there is none, it cannot be read, or it is over
 */
export function retryAfterMs(header: string | null, now: Date): number | null {
  const value = header?.trim() ?? '';
  const ms = /^\d+(?:\.\d+)?$/.test(value)
    ? Number(value) * 1_000
    : /[a-z]/i.test(value)
      ? Date.parse(value) - now.getTime()
      : Number.NaN;
  return ms >= 1 ? Math.min(Math.ceil(ms), LONGEST_RETRY_AFTER_MS) : null;
}
