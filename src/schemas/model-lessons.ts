import { z } from 'zod';
import { itemsOf, sourcesAmong, wordsOf } from './model-parts';
import { type Fit, fitting } from './model-words';

const MOST_LESSONS = 8;
export const LESSON_LENGTH = { least: 15, most: 240 };

/** One bullet of a wisdom note, and the numbers of the episodes that it rests on. */
export interface ModelLesson {
  text: string;
  sources: number[];
}

/** Types only, as for cards. */
export const MODEL_LESSONS_JSON_SCHEMA = {
  type: 'object',
  properties: {
    lessons: {
      type: 'array',
      description: 'One to eight.',
      items: {
        type: 'object',
        properties: {
          text: { type: 'string', description: 'One lesson, at most 240 characters.' },
          sources: {
            type: 'array',
            items: { type: 'integer' },
            description: 'Numbers of the episodes it rests on.',
          },
        },
        required: ['text', 'sources'],
        additionalProperties: false,
      },
    },
  },
  required: ['lessons'],
  additionalProperties: false,
} as const;

/**
 * The lessons of an answer; one that cites no episode which was shown is left out.
 * @param numbers of the episodes that were shown
 */
export function parseModelLessons(
  object: object,
  numbers: ReadonlySet<number>,
): Fit<{ lessons: ModelLesson[] }> {
  const lesson = z.object({
    text: wordsOf(LESSON_LENGTH.least, LESSON_LENGTH.most),
    sources: sourcesAmong(numbers, 1),
  });
  const lessons = itemsOf(lesson, MOST_LESSONS).refine(
    (found) => found.length > 0,
    'must hold at least one lesson',
  );
  return fitting(z.object({ lessons }), object);
}
