import { sentences } from '../distill/plain-text';

/** Of one message; what is longer was pasted, and its beginning tells what it is. */
const READ_LIMIT = 32_000;
const LINE_LIMIT = 4_000;
/** A longer sentence is taken apart at its joints. */
const LONGEST = 260;
const SHORTEST_PART = 40;

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028\u2029\u202a-\u202e\u2060\ufeff]+/g;
const BULLET = /^(?:[-*•–>]|\d{1,3}[.)])\s+/u;
const MARKUP = /\*{2,}|`+|^#{1,6}\s+/gu;
/** A full stop, a semicolon or a dash; else a comma before a word that begins a clause. */
const JOINTS =
  /;\s+|\s[–—]\s|,\s+(?=(?:and|but|so|then|which|because|while|or|und|aber|y|pero|et|mais)\s)/giu;

/** A message in clauses: its lines, their sentences, and the parts of those that are long. In order, nothing twice. */
export function clausesOf(content: string): string[] {
  const clauses: string[] = [];
  for (const line of content.slice(0, READ_LIMIT).split('\n')) {
    const text = line
      .slice(0, LINE_LIMIT)
      .replace(CONTROL, ' ')
      .replace(MARKUP, '')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(BULLET, '');
    if (text === '') continue;
    for (const sentence of sentences(text)) clauses.push(...partsOf(sentence));
  }
  return [...new Set(clauses)];
}

function partsOf(sentence: string): string[] {
  if (sentence.length <= LONGEST) return [sentence];
  const parts: string[] = [];
  let from = 0;
  for (const joint of sentence.matchAll(JOINTS)) {
    if (joint.index - from < SHORTEST_PART) continue;
    parts.push(sentence.slice(from, joint.index));
    from = joint.index + joint[0].length;
  }
  parts.push(sentence.slice(from));
  return parts.flatMap((part) => cut(part.trim()));
}

/** What has no joint is cut between words, so that nothing of it is lost. */
function cut(part: string): string[] {
  const pieces: string[] = [];
  let rest = part;
  while (rest.length > 2 * LONGEST) {
    const space = rest.lastIndexOf(' ', LONGEST);
    const at = space > LONGEST / 2 ? space : LONGEST;
    pieces.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}
