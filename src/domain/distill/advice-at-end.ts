import { ERROR_FAMILIES } from '../../contracts/names';
import { advice } from './error-family';

const literal = (text: string) => text.replace(/[.?]/g, '\\$&');
const BY_FAMILY = ERROR_FAMILIES.map((family) => advice(family, '')).filter((one) => one !== '');
const BY_KIND = [
  '(?:Check|See|Look) .{1,60} before (?:retrying|reporting|closing|refusing|answering|giving up)\\.',
  'Try other words or a wider search\\.',
  'Next time, (?:(?!\\. ).)*',
];
const ADVICE = new RegExp(
  `(?<=[.!?…”"’')\\]]) ((?:${[...BY_FAMILY.map(literal), ...BY_KIND].join('|')}))$`,
);

/**
 * A failure's text without the sentence of advice that rules put at its end, and that sentence. A reason that ends in
 * a figure, `at most 20. Check the input before retrying.`, is not told apart from it by where sentences end.
 */
export function adviceAtEnd(text: string): { bare: string; advice: string } {
  const found = ADVICE.exec(text);
  return found === null
    ? { bare: text, advice: '' }
    : { bare: text.slice(0, found.index), advice: found[1] ?? '' };
}
