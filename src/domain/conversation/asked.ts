import type { DetailKind, MessageRole } from '../../contracts/conversation';
import { namesIn } from '../entity-text';
import { inverseDocumentFrequency, lexicalTerms } from '../terms';
import { COURTESIES } from './courtesies';

/** A detail that shares words with what is asked. */
export interface FoundDetail {
  n: number;
  k: number;
  kind: DetailKind;
  text: string;
  role: MessageRole;
  /** Who said it; null where the role is all that is known. */
  name: string | null;
  /** RFC 3339. */
  at: string;
  terms: readonly string[];
  near: readonly string[];
}

/** A word of the message before counts as much less, a hit in the neighbourhood a little. */
const NEAR_SHARE = 0.45;
const NEIGHBOUR_SHARE = 0.25;
/** Of whom the question names. */
const SPEAKER_FACTOR = 1.5;
const LENGTH_FREE = 10;
/** Of the day, the speaker and the marks of a line. */
const LINE_TOKENS = 13;
const READ_LIMIT = 4_000;
const MOST_TERMS = 60;
/** Of the best score; what is below it is only somewhat alike. */
const LEAST_SHARE = 0.2;

/** The words by which details are looked for. */
export function questionTerms(question: string): string[] {
  const terms = [...lexicalTerms(question.slice(0, READ_LIMIT)).keys()];
  return terms.filter((term) => !COURTESIES.has(term)).slice(0, MOST_TERMS);
}

/**
 * The details that answer best to a question, in the order in which they were said, as many as there is room for. What
 * is rare in the conversation weighs most; what was said by whom the question names, or beside another hit, weighs more.
 *
 * @param options.total details of the whole conversation
 * @param options.df how many of them hold each word; counted among those found where it is absent
 * @param options.count o200k tokens of a text
 */
export function detailsAsked<Detail extends FoundDetail>(
  question: string,
  found: readonly Detail[],
  options: {
    total: number;
    df?: Readonly<Record<string, number>>;
    budgetTokens: number;
    count: (text: string) => number;
  },
): Detail[] {
  const asked = new Set(questionTerms(question));
  const held = options.df === undefined ? heldBy(found) : new Map(Object.entries(options.df));
  const total = Math.max(options.total, found.length);
  const weights = new Map(
    [...asked].map((term) => [term, inverseDocumentFrequency(total, held.get(term) ?? 0)]),
  );
  const names = new Set(namesIn(question, true).map(({ name }) => name));
  const scored = found.map((detail) => ({ detail, score: scoreOf(detail, weights, names) }));
  const best = new Map<number, number>();
  for (const { detail, score } of scored) {
    best.set(detail.n, Math.max(best.get(detail.n) ?? 0, score));
  }
  const ranked = scored
    .map(({ detail, score }) => ({
      detail,
      score:
        score +
        NEIGHBOUR_SHARE * Math.max(best.get(detail.n - 1) ?? 0, best.get(detail.n + 1) ?? 0),
    }))
    .sort((a, b) => b.score - a.score || a.detail.n - b.detail.n || a.detail.k - b.detail.k);
  const kept: Detail[] = [];
  let left = options.budgetTokens;
  for (const { detail, score } of ranked) {
    if (score <= 0 || score < LEAST_SHARE * (ranked[0]?.score ?? 0)) break;
    const cost = options.count(detail.text) + LINE_TOKENS;
    if (cost > left) continue;
    left -= cost;
    kept.push(detail);
  }
  return kept.sort((a, b) => a.n - b.n || a.k - b.k);
}

function heldBy(found: readonly FoundDetail[]): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  for (const { terms } of found) {
    for (const term of terms) held.set(term, (held.get(term) ?? 0) + 1);
  }
  return held;
}

function scoreOf(
  detail: FoundDetail,
  weights: ReadonlyMap<string, number>,
  names: ReadonlySet<string>,
): number {
  let own = 0;
  for (const term of detail.terms) own += weights.get(term) ?? 0;
  let near = 0;
  for (const term of detail.near) near += weights.get(term) ?? 0;
  const length = 1 + 0.02 * Math.max(0, detail.terms.length - LENGTH_FREE);
  const speaks = detail.name !== null && names.has(detail.name.toLowerCase());
  return ((own + NEAR_SHARE * near) / length) * (speaks ? SPEAKER_FACTOR : 1);
}
