import { CancelledFailure, Context, heartbeat } from '@temporalio/activity';

/** A quarter of the shortest heartbeat timeout, 20 s: three may be lost before a worker counts as dead. */
const HEARTBEAT_MS = 5_000;

/**
 * Runs a long call so that a dead worker is noticed and a cancellation reaches the call: only an
 * activity that heartbeats hears of it.
 * @throws {CancelledFailure} once cancelled, whatever the call made of its signal
 */
export async function whileHeartbeating<Result>(
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = Context.current().cancellationSignal;
  heartbeat();
  const beat = setInterval(() => heartbeat(), HEARTBEAT_MS);
  try {
    return await call(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw signal.reason instanceof CancelledFailure
      ? signal.reason
      : new CancelledFailure('cancelled');
  } finally {
    clearInterval(beat);
  }
}
