/** Control characters, and those that turn or hide text: bidi marks, zero width, line separators. */
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/**
 * A card's text as data inside a prompt: one line, in which nothing can end the quotation it stands
 * in, open a heading, a fence, a tag or a chat role, or hide from a person who reads it. Words stay,
 * so a planted instruction is seen for what it is.
 */
export function neutralText(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(HIDDEN, '')
    .replace(/[«»]/gu, '"')
    .replace(/[`´]/gu, "'")
    .replace(/~{3,}/gu, '~')
    .replace(/</gu, '‹')
    .replace(/>/gu, '›')
    .replace(/#{2,}/gu, '#')
    .replace(/-{3,}/gu, '–')
    .replace(/={3,}/gu, '=')
    .replace(/\*{3,}/gu, '*')
    .replace(/\[(\/?)(INST|SYS)\]/giu, '($1$2)')
    .replace(/ {2,}/gu, ' ')
    .trim();
}
