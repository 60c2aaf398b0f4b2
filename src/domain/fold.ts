import type { Card } from '../contracts/card';
import type { Folded } from '../contracts/recall';
import { epochMs } from './read-time';
import { overlap } from './similarity';
import { lexicalTerms } from './terms';

/** cards.md: near-identical is the same service, operation, sign and signature, and this alike. */
export const FOLD_SIMILARITY = 0.9;

/** As much of a card's vector as folding asks for; the numbers stay in the store. */
export interface ComparedVector {
  /**
   * Ids of the cards with a vector of the same embedder and a cosine of at least `FOLD_SIMILARITY`,
   * at least of those with the same fold key and an operation or a service. Both cards name each other.
   */
  near: ReadonlySet<string>;
}

/** What folding compares. */
export interface FoldCard {
  id: string;
  summary: string;
  valid_from: string;
  /** Of `foldKey`; cards of different keys are never folded. */
  fold_key: string;
  /** Null where it has none that can be compared. */
  vector: ComparedVector | null;
}

export interface Fold<T> {
  card: T;
  /** Only where at least one other card was folded into it. */
  folded: Folded | null;
  /** The cards that `card` stands for. */
  others: T[];
}

/**
 * What two cards must share to be folded: kind, sign, service, operation and error signature; and,
 * so that a fact never hides another, the key and the subject. Facts that name no operation, and insights,
 * are folded only when they are the same text: two notes of one service are alike and tell of different work.
 */
export function foldKey(
  card: Pick<Card, 'kind' | 'sign' | 'hints' | 'key' | 'subject' | 'summary'>,
): string {
  const { service, operation, error_signature } = card.hints;
  const isWork = (service !== null || operation !== null) && card.kind !== 'insight';
  const work = isWork ? null : card.summary.trim();
  return JSON.stringify([
    card.kind,
    card.sign,
    service,
    operation,
    error_signature,
    card.key,
    card.subject,
    work,
  ]);
}

/**
 * Folds near-identical cards into the best of them. `ranked` is best first; each card joins the
 * first one before it that has its key and is similar enough (`isNear`, or shared terms where a
 * vector is missing), so nothing is folded into a card that is itself folded. Keeps the order.
 *
 * @param toldAgain cards that another one of `ranked` stands for, whatever their words: their id with its
 */
export function fold<T extends FoldCard>(
  ranked: readonly T[],
  toldAgain: ReadonlyMap<string, string> = new Map(),
): Fold<T>[] {
  const folds: Fold<T>[] = [];
  const known = new Map<string, ReadonlySet<string>>();
  const termsOf = (card: FoldCard) => {
    const terms = known.get(card.id) ?? new Set(lexicalTerms(card.summary).keys());
    known.set(card.id, terms);
    return terms;
  };
  for (const card of ranked.filter(({ id }) => !toldAgain.has(id))) {
    const into = folds.find(
      (one) => one.card.fold_key === card.fold_key && isNear(one.card, card, termsOf),
    );
    if (into) into.others.push(card);
    else folds.push({ card, folded: null, others: [] });
  }
  for (const card of ranked) {
    const standsFor = toldAgain.get(card.id);
    if (standsFor === undefined) continue;
    folds
      .find((one) => [one.card, ...one.others].some(({ id }) => id === standsFor))
      ?.others.push(card);
  }
  return folds.map((one) => ({ ...one, folded: foldedOf([one.card, ...one.others]) }));
}

function foldedOf(cards: readonly FoldCard[]): Folded | null {
  const [first, ...others] = cards;
  if (!first || others.length === 0) return null;
  const last = others.reduce(
    (latest, card) => (epochMs(card.valid_from) > epochMs(latest.valid_from) ? card : latest),
    first,
  );
  return { count: cards.length, last_at: last.valid_from };
}

function isNear(
  a: FoldCard,
  b: FoldCard,
  termsOf: (card: FoldCard) => ReadonlySet<string>,
): boolean {
  if (a.summary === b.summary) return true;
  if (a.vector && b.vector) return a.vector.near.has(b.id);
  return overlap(termsOf(a), termsOf(b)) >= FOLD_SIMILARITY;
}
