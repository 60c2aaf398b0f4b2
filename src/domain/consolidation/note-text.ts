import { clip, finish, oneLine, plain } from '../distill/plain-text';
import { MOST_LESSONS } from './lessons';

/** Of a note; a card holds 2,000 characters. */
export const NOTE_LIMIT = 1_800;
/** A lesson of a model; the stand-in keeps to less. */
const BULLET_LIMIT = 400;
const TOPIC_LIMIT = 60;
/** `Lessons on …, 2026-11-30, from 2000 episodes:` */
const TITLE_LIMIT = TOPIC_LIMIT + 50;

/**
 * A note as it is filed: a title with its topic and day, and a line for each lesson, the first ones where not all fit.
 *
 * @param day `2026-11-30`
 * @param episodes how many it was made from
 */
export function noteText(
  topic: string | null,
  day: string,
  episodes: number,
  lessons: readonly { text: string }[],
): string {
  const about = topic === null ? 'various work' : clip(plain(topic), TOPIC_LIMIT);
  const title = `Lessons on ${about}, ${day}, from ${episodes} episodes:`;
  return [title, ...lessonsThatFit(lessons).map(({ text }) => lineOf(text))].join('\n');
}

/** Those that a note has room for, whatever its title is. */
export function lessonsThatFit<T extends { text: string }>(lessons: readonly T[]): T[] {
  let room = NOTE_LIMIT - TITLE_LIMIT;
  return lessons.slice(0, MOST_LESSONS).filter(({ text }) => {
    const length = lineOf(text).length + 1;
    if (length > room) return false;
    room -= length;
    return true;
  });
}

function lineOf(lesson: string): string {
  return `- ${finish(clip(oneLine(lesson), BULLET_LIMIT))}`;
}
