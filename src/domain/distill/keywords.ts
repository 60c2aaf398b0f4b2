import type { SettledEvent } from '../../contracts/event';
import { contactTokens } from './contact-tokens';
import { looksLikeInstruction } from './instruction-like';
import { nameWords } from './operation-name';
import { plain } from './plain-text';

export const MOST_KEYWORDS = 12;
const STOP = new Set(
  (
    'the a an and or of to in on for with by from at as is was were be been it its this that these those he she they them ' +
    'their his her you your i we our my me us not no yes did do does done had has have was will would can could should may ' +
    'must so if then than but about into after before over under out up down what which who when where how why all any ' +
    'some each more most other please hi hello hey there just also get set one two it was failed worked gave found nothing ' +
    'asked read searched sent called look using use name names check before retrying customer agent there’s i’d like need ' +
    'help want make know without through same such only very been being because while during none null true false'
  ).split(' '),
);

/**
 * At most twelve distinctive lower-case words and ids: the operation's nouns, the ids and names of
 * the input, the tokens of its addresses, then what is left of the summary.
 */
export function keywordsOf(
  event: SettledEvent,
  fields: Readonly<Record<string, string>>,
  summary: string,
): string[] {
  const out = new Set<string>();
  const add = (word: string) => {
    const clean = word
      .toLowerCase()
      .replace(/^[^\p{L}\p{N}#]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '');
    if (
      out.size < MOST_KEYWORDS &&
      clean.length > 1 &&
      clean.length <= 40 &&
      !STOP.has(clean) &&
      !/^[\d.,]{1,2}$/.test(clean)
    )
      out.add(clean);
  };
  const operation = typeof event.operation === 'string' ? event.operation : '';
  const named = nameWords(operation);
  for (const word of named.slice(named.length > 1 ? 1 : 0)) add(word);
  for (const [path, value] of Object.entries(fields)) {
    if (out.size >= 8) break;
    if (
      /word\.\d+$/.test(path) ||
      value.length > 32 ||
      /@/.test(value) ||
      looksLikeInstruction(value)
    )
      continue;
    if (/^(?:true|false|null|none|yes|no|\d{1,2})$/i.test(value)) continue;
    if (/\s/.test(value)) plain(value).split(' ').slice(0, 3).forEach(add);
    else add(value);
  }
  for (const token of contactTokens(event)) add(token);
  const words = plain(summary).split(/[\s,;:“”"()→…]+/u);
  for (const word of words.filter((word) => /\p{N}/u.test(word) && /\p{L}/u.test(word))) add(word);
  for (const word of words) if (word.length > 3) add(word);
  return [...out];
}
