import type { DetailKind } from '../../contracts/conversation';
import { lexicalTerms } from '../terms';
import { type DetailMessage, detailsOf } from './details';

/** A detail as the table has it. */
export interface DetailRow {
  n: number;
  /** Counts the details of its message, from 0. */
  k: number;
  kind: DetailKind;
  text: string;
  items: string[];
  /** Its words, to be found by. */
  terms: string[];
  /** The words of the message before, which it may be the answer to. */
  near: string[];
}

const MOST_TERMS = 80;
const MOST_NEAR = 40;
/** Of the message before; a question stands at its end as often as not. */
const NEAR_READ = 1_200;

/** The details of a message as rows. @param before what was said right before it; null where nothing was */
export function detailRows(
  message: DetailMessage & { n: number },
  before: string | null,
): DetailRow[] {
  const near = before === null ? [] : [...lexicalTerms(ends(before)).keys()].slice(-MOST_NEAR);
  return detailsOf(message).map(({ kind, text, items }, k) => {
    const terms = [...lexicalTerms(text).keys()].slice(0, MOST_TERMS);
    const own = new Set(terms);
    return { n: message.n, k, kind, text, items, terms, near: near.filter((one) => !own.has(one)) };
  });
}

function ends(text: string): string {
  if (text.length <= NEAR_READ) return text;
  return `${text.slice(0, NEAR_READ / 2)} ${text.slice(-NEAR_READ / 2)}`;
}
