import type { z } from 'zod';
import { cleanText } from '../domain/clean-text';
import { firstIssue } from './event';

/** What a model said as what was asked for, or the rule it breaks: a place and a rule, never a value. */
export type Fit<T> = { value: T } | { problem: string };

export function fitting<T>(schema: z.ZodType<T>, value: unknown): Fit<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data };
  const { pointer, detail } = firstIssue(parsed.error);
  return { problem: `${pointer === '' ? 'the answer' : pointer.slice(1)} ${detail}` };
}

export function oneLine(text: string): string {
  return cleanText(text).replace(CONTROL_OR_SPACE, ' ').trim();
}

/** One line of words: no mark-up that a page or a chat would act on, and nothing that hides or turns text. */
export function plainWords(text: string): string {
  return oneLine(
    text
      .slice(0, READ_LIMIT)
      .replace(/<!--.{0,4000}?-->/gs, ' ')
      .replace(/<\/?[a-z][^<>]{0,400}>/gi, ' ')
      .replace(/!?\[([^[\]]{0,400})\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,400}\)/g, '$1')
      .replace(/`{3,}\w{0,20}/g, ' ')
      .replace(/\*\*([^*]{1,400})\*\*/g, '$1')
      .replace(/^[#>]+ /gm, '')
      .replace(HIDDEN, ''),
  );
}

/** Of one text of a model; what is longer is refused for its length all the same. */
const READ_LIMIT = 4_000;
const HIDDEN =
  /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

const CONTROL_OR_SPACE = /[\s\p{Cc}]+/gu;

/** Not through the middle of a character, which Postgres would refuse. */
export function cut(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
}

/** A field name in quotes with its colon, or so many braces and quotes that no sentence needs them. */
export function isDump(text: string): boolean {
  if (/["'][\w .-]{1,60}["']\s*:\s*(?:["'[{\d-]|true|false|null)/.test(text)) return true;
  const marks = text.match(/[{}[\]"\\|<>]/g)?.length ?? 0;
  return marks >= 12 && marks / text.length > 0.08;
}
