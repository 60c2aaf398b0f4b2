import { clip, finish, sentences } from '../distill/plain-text';
import { outdatedAmong } from '../outdated/outdated';
import { epochMs } from '../read-time';
import { changedLesson } from './changed-lesson';
import { compareText, type Episode } from './episode';
import {
  dayOf,
  type Failure,
  failureLesson,
  failuresOf,
  isResolved,
  lastAt,
} from './failure-lesson';
import type { PlannedGroup } from './groups';
import { routineLessons } from './routine-lesson';

/** Bullets of a note. */
export const MOST_LESSONS = 8;
/** Of the bullets, those that are kept for what worked. */
const FOR_SUCCESS = 2;
const PROVEN_LIMIT = 240;

/** One bullet, and the sources that it rests on. */
export interface Lesson {
  text: string;
  sources: string[];
}

/**
 * The lessons of a group without a model: what fails how often and what to do about it, what proved useful, what
 * works; what has changed first, then repeated failures, then those that were resolved, then single ones, then what worked. What is out of date
 * is told as a change alone. The same cards
 * give the same lessons, in whatever order they come.
 */
export function lessonsOf(group: Pick<PlannedGroup, 'sources'>): Lesson[] {
  const outdated = outdatedAmong(group.sources);
  const done = [...worksOf(group.sources)].sort(([a], [b]) => compareText(a, b));
  const changed = done
    .flatMap(([label, cards]) => changedLesson(label, cards, outdated) ?? [])
    .slice(0, MOST_LESSONS - FOR_SUCCESS);
  const works = done
    .map(([label, cards]) => [label, cards.filter(({ id }) => !outdated.has(id))] as const)
    .filter(([, cards]) => cards.length > 0);
  const failures = works.flatMap(([label, cards]) => failuresOf(label, cards)).sort(mostUseful);
  const room = MOST_LESSONS - changed.length;
  const proven = provenLessons(works);
  const told = failures
    .slice(0, Math.max(0, room - FOR_SUCCESS - proven.length))
    .map(lessonOfFailure);
  const routine = routineLessons(works, room - told.length - proven.length);
  const rest = failures.slice(told.length, room - proven.length - routine.length);
  return [...changed, ...told, ...rest.map(lessonOfFailure), ...proven, ...routine];
}

function lessonOfFailure(failure: Failure): Lesson {
  // It counts what did not fail as well.
  const cards = [...failure.failed, ...failure.worked, ...failure.neutral];
  return { text: failureLesson(failure), sources: cards.map(({ id }) => id) };
}

/** Cards of one work: a service and operation, a workflow's step, or what else names it. */
function worksOf(cards: readonly Episode[]): Map<string, Episode[]> {
  const works = new Map<string, Episode[]>();
  for (const card of [...cards].sort(byTime)) {
    const label = labelOf(card);
    works.set(label, [...(works.get(label) ?? []), card]);
  }
  return works;
}

export function labelOf({ hints, topic }: Pick<Episode, 'hints' | 'topic'>): string {
  const { service, operation, workflow, step, task_type } = hints;
  if (service !== null && operation !== null) return `${service}.${operation}`;
  if (workflow !== null && step !== null) return `Step ${step} of ${workflow}`;
  if (service !== null) return `Work with ${service}`;
  return `Work on ${task_type ?? topic ?? 'other matters'}`;
}

function mostUseful(a: Failure, b: Failure): number {
  const repeated = (failure: Failure) => (failure.failed.length > 1 ? failure.failed.length : 0);
  return (
    repeated(b) - repeated(a) ||
    Number(isResolved(b)) - Number(isResolved(a)) ||
    epochMs(lastAt(b)) - epochMs(lastAt(a)) ||
    compareText(a.label, b.label) ||
    compareText(a.told.mark, b.told.mark)
  );
}

/** What somebody was helped by is told in its own words, or it would be lost with its card. */
function provenLessons(works: readonly (readonly [string, readonly Episode[]])[]): Lesson[] {
  return works
    .flatMap(([label, cards]) => cards.map((card) => ({ label, card })))
    .filter(({ card: { use_count, sign } }) => use_count > 0 && sign !== 'failed')
    .sort((a, b) => b.card.use_count - a.card.use_count || byTime(b.card, a.card))
    .slice(0, FOR_SUCCESS)
    .map(({ label, card }) => {
      const often =
        card.use_count === 1 ? 'Proved useful' : `Proved useful ${card.use_count} times`;
      // A note on several operations says of which it tells.
      const about = works.length === 1 ? often : `${often} (${label})`;
      const uses = `${about}, on ${dayOf(card.valid_from)}`;
      const words = sentences(card.summary).join(' ');
      return { text: `${uses}: ${finish(clip(words, PROVEN_LIMIT))}`, sources: [card.id] };
    });
}

function byTime(a: Episode, b: Episode): number {
  return epochMs(a.valid_from) - epochMs(b.valid_from) || compareText(a.id, b.id);
}
