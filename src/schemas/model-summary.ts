import { z } from 'zod';
import type { SummaryParts } from '../domain/conversation/summary-text';
import { itemsOf, wordsOf } from './model-parts';
import { type Fit, fitting } from './model-words';

const MOST_LINES = 200;
const LINE = { least: 2, most: 400 };

const LINES = { type: 'array', items: { type: 'string' } } as const;

/** Types only, as for cards. */
export const MODEL_SUMMARY_JSON_SCHEMA = {
  type: 'object',
  properties: {
    decisions: { ...LINES, description: 'What was decided, a line each.' },
    details: { ...LINES, description: 'What was concrete, a line each, with who said it when.' },
    open_items: { ...LINES, description: 'What is still to be done, answered or decided.' },
    story: { ...LINES, description: 'What happened, in as few lines as will do.' },
  },
  required: ['decisions', 'details', 'open_items', 'story'],
  additionalProperties: false,
} as const;

/** The parts of a summary; lines that are none, or speak to their reader, are left out. A text is a list of one. */
export function parseModelSummary(object: object): Fit<SummaryParts> {
  const line = wordsOf(LINE.least, LINE.most);
  const lines = z.preprocess(splitText, itemsOf(line, MOST_LINES, 'taken'));
  // Where there is nothing to tell a part may be absent; a summary without details is none.
  const others = z.preprocess(
    (value) => splitText(value ?? []),
    itemsOf(line, MOST_LINES, 'taken'),
  );
  const summary = z
    .object({ decisions: others, details: lines, open_items: others, story: others })
    .transform(({ open_items: open, ...parts }): SummaryParts => ({ ...parts, open }))
    .refine(
      (parts) => Object.values(parts).some((part) => part.length > 0),
      'must hold at least one line',
    );
  return fitting(summary, object);
}

function splitText(value: unknown): unknown {
  return typeof value === 'string' ? value.split('\n').filter((text) => text.trim() !== '') : value;
}
