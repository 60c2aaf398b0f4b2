/** Waits, or rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const aborted = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, ms);
    signal?.addEventListener('abort', aborted, { once: true });
  });
}

/** Doubles from `first` to `last`; a fifth of it is chance, so that many clients do not come back at once. */
export function backoff(attempt: number, first: number, last: number): number {
  const whole = Math.min(last, first * 2 ** attempt);
  return whole * (0.8 + 0.2 * Math.random());
}

/**
 * `Retry-After` in milliseconds: seconds, or a date.
 *
 * @returns undefined where there is none that can be read
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
