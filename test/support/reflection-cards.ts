import type { ReflectionCard } from '../../src/domain/reflection/card';
import { type EpisodeFields, episode, failure } from './episodes';

export type ReflectionFields = EpisodeFields &
  Partial<Pick<ReflectionCard, 'event' | 'task' | 'session'>>;

function placed(
  { event, task, session, ...over }: ReflectionFields,
  make: typeof episode,
): ReflectionCard {
  const card = make(over);
  return {
    ...card,
    event: event === undefined ? `event-of-${card.id}` : event,
    task: task ?? null,
    session: session ?? null,
  };
}

/** A call that worked, of an event of its own. */
export function success(fields: ReflectionFields = {}): ReflectionCard {
  return placed(fields, episode);
}

/** A call that failed, of an event of its own. */
export function warning(fields: ReflectionFields = {}): ReflectionCard {
  return placed(fields, failure);
}

/** Minutes after eight in the morning of 2 March 2026. */
export function minute(at: number): string {
  return new Date(Date.parse('2026-03-02T08:00:00Z') + at * 60_000).toISOString();
}
