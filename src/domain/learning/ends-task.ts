import type { SettledEvent } from '../../contracts/event';

/** Whether a task is over with this event: it says so, or a delegated task was settled (contract, Events). */
export function endsTask(event: Pick<SettledEvent, 'kind' | 'task' | 'final'>): boolean {
  return event.final === true || (event.kind === 'delegation' && event.task !== undefined);
}
