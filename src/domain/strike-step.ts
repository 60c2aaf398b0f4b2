import type { SettledEvent } from '../contracts/event';

/** What three strikes count by, beside the team. */
export interface StrikeStep {
  workflow: string;
  step: string;
}

/**
 * The step an event belongs to (design §7): its `workflow_step`, else its service and operation;
 * null when it names neither, and then it counts nowhere.
 */
export function stepOf(
  event: Pick<SettledEvent, 'workflow_step' | 'service' | 'operation'>,
): StrikeStep | null {
  if (event.workflow_step) {
    return { workflow: event.workflow_step.workflow, step: event.workflow_step.step };
  }
  if (event.service && event.operation) return { workflow: event.service, step: event.operation };
  return null;
}

/** Whether an outcome is a strike; a block counts as a failure (design §7 files both as warnings). */
export function isStrike(outcome: SettledEvent['outcome']): boolean {
  return outcome === 'failed' || outcome === 'blocked';
}

/** One failure as it counts: each event once, per team and step. */
export interface Strike {
  event_id: string;
  /** RFC 3339; the window is counted from here, not from when we heard of it. */
  occurred_at: string;
}

/**
 * The strikes within `windowMs` up to and including `now` (epoch milliseconds), one an event,
 * oldest first. Source: design §7 "three failures of the same step within the window".
 */
export function strikesInWindow(
  strikes: readonly Strike[],
  now: number,
  windowMs: number,
): Strike[] {
  const byEvent = new Map<string, Strike>();
  for (const strike of strikes) {
    const at = Date.parse(strike.occurred_at);
    if (at <= now && at > now - windowMs) byEvent.set(strike.event_id, strike);
  }
  return [...byEvent.values()].sort(
    (a, b) =>
      Date.parse(a.occurred_at) - Date.parse(b.occurred_at) || compare(a.event_id, b.event_id),
  );
}

/** Whether a window's strikes open a proposal. */
export function isStruckOut(inWindow: readonly Strike[], count: number): boolean {
  return inWindow.length >= count;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
