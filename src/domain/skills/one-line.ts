import { cleanText } from '../clean-text';

/** A part of a skill as it is kept: one line, without control characters, its spaces single. */
export function oneLine(text: string): string {
  return cleanText(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}
