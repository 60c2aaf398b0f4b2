import type { OutdatedValue } from '../../contracts/recall';
import { isHidden, showValue } from '../distill/arguments';
import { fieldName } from '../distill/changed-fields';
import { literally } from '../literally';
import { ageInWords } from '../read-time';

/** What stands in the place of the value in a card's text. */
export const STRUCK = '[outdated]';
/** Shorter words stand in a text for many things. */
const LEAST_LETTERS = 3;
const MOST_WORDS = 3;

/** `mode audited fails here since 2 days ago` */
export function outdatedNote(
  { field, value, since }: Pick<OutdatedValue, 'field' | 'value' | 'since'>,
  now: number,
): string {
  const from = `since ${ageInWords(since, now)}`;
  if (value === '') return `without ${valueInWords(field, '')} it fails here ${from}`;
  return `${valueInWords(field, value)} fails here ${from}`;
}

/** `mode audited`; the field alone where the value is empty, long, or not to be shown. */
export function valueInWords(field: string, value: string): string {
  const name = plainWords(fieldName(field)) ?? 'one of the inputs';
  const isShown = value !== '' && !isHidden(field.split('.').at(-1) ?? field);
  const shown = isShown ? plainWords(value) : null;
  return shown === null ? name : `${name} ${shown}`;
}

/** It stands outside the quotation, so nothing but a name or a short value may; null for anything else. */
function plainWords(text: string): string | null {
  const isShort = /^[\p{L}\p{N}][\p{L}\p{N}._:/+ -]{0,39}$/u.test(text);
  return isShort && text.split(' ').length <= MOST_WORDS ? text : null;
}

/** A card's text without the value, so that it is not read as what works; unchanged where it is not to be told apart. */
export function withoutOutdated(
  text: string,
  { field, value }: { field: string; value: string | null },
): string {
  if (value === null || value === '') return text;
  const shown = [...new Set([value, showValue(value)])].filter((one) => one !== '').map(literally);
  const named = new RegExp(
    `(${literally(fieldName(field))} )(?:${shown.join('|')})(?![\\p{L}\\p{N}])`,
    'giu',
  );
  if (named.test(text)) return text.replace(named, `$1${STRUCK}`);
  if ((value.match(/\p{L}/gu) ?? []).length < LEAST_LETTERS) return text;
  const bare = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${shown.join('|')})(?![\\p{L}\\p{N}_-])`, 'giu');
  return text.replace(bare, STRUCK);
}
