import type { Card } from '../contracts/card';
import { stem } from './stem';
import { tokensOf } from './tokens';

/**
 * Words that carry no meaning of their own in a question or a card. Negations stay: "not found" is
 * what a warning is about.
 */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after again all also am an and any are as at be because been before being between both but by ' +
    'can could did do does doing during each for from further had has have having he her here hers him his ' +
    'how i if in into is it its just let me more most my of off on once only or other our ours out over own ' +
    'please same she should so some such than that the their theirs them then there these they this those ' +
    'through to too under until up us very was we were what when where which while who whom whose why will ' +
    'with would you your yours'
  ).split(' '),
);

/**
 * Terms of a text and how often each occurs: words without stop words, stemmed when they are plain
 * Latin letters, identifiers whole and in parts. Cards and queries go through the same function;
 * that is all that makes a posting match.
 *
 * @example lexicalTerms('Booked JFK to SFO') // Map { 'book' → 1, 'jfk' → 1, 'sfo' → 1 }
 */
export function lexicalTerms(text: string): Map<string, number> {
  const terms = new Map<string, number>();
  for (const token of tokensOf(text)) {
    if (STOP_WORDS.has(token)) continue;
    const term = isWord(token) ? stem(token) : token;
    terms.set(term, (terms.get(term) ?? 0) + 1);
  }
  return terms;
}

/** Number of terms, repeats counted: the document length of BM25. */
export function termCount(terms: ReadonlyMap<string, number>): number {
  let count = 0;
  for (const occurrences of terms.values()) count += occurrences;
  return count;
}

function isWord(token: string): boolean {
  return /^[a-z]+$/.test(token);
}

/** What is known of a card when its text is indexed and embedded. */
export type IndexedCard = Pick<Card, 'summary'> & {
  agent?: string | null;
  team?: string | null;
  key?: string | null;
  subject?: string | null;
  topic?: string | null;
  hints?: Partial<Pick<Card['hints'], IndexedHint>>;
};
type IndexedHint = 'service' | 'operation' | 'task_type' | 'workflow' | 'step' | 'keywords';

/**
 * The text that is indexed and embedded for a card: who and what first, then the summary. Without
 * who and what, dense recall@10 fell from .493 to .300 (retrieval.md, rule 4). Metadata is the
 * caller's and never part of it.
 */
export function cardIndexText(card: IndexedCard): string {
  const hints = card.hints ?? {};
  const labels = [
    card.agent,
    card.team,
    hints.service,
    hints.operation,
    hints.task_type,
    hints.workflow,
    hints.step,
    card.subject,
    card.topic,
    card.key,
    ...keywordsBeside(card),
  ].filter((label): label is string => typeof label === 'string' && label !== '');
  const who = [...new Set(labels)].join(' ');
  return who === '' ? card.summary : `${who}: ${card.summary}`;
}

/**
 * Those of a call tell its inputs, and stand first for it. Those of a text are its own words, which would
 * only count twice.
 */
function keywordsBeside({ summary, hints = {} }: IndexedCard): readonly string[] {
  const keywords = hints.keywords ?? [];
  if (hints.service || hints.operation) return keywords;
  const said = lexicalTerms(summary);
  return keywords.filter((word) => [...lexicalTerms(word).keys()].some((term) => !said.has(term)));
}

/** BM25's usual constants; measured with them in retrieval.md. */
export const BM25_K1 = 1.2;
export const BM25_B = 0.75;

export interface Bm25Corpus {
  /** Documents that could be found. */
  documents: number;
  /** Mean `termCount` of them. */
  averageLength: number;
  /** Documents that hold the term. */
  documentFrequency: (term: string) => number;
}

/** Rarity of a term, above 0 even for one that every document holds. Robertson and Zaragoza, 2009. */
export function inverseDocumentFrequency(documents: number, documentFrequency: number): number {
  const held = Math.min(Math.max(0, documentFrequency), Math.max(0, documents));
  return Math.log(1 + (Math.max(0, documents) - held + 0.5) / (held + 0.5));
}

/** The share of one term: rarity × saturated frequency. Never negative, rising with `frequency`. */
export function bm25Term(
  frequency: number,
  idf: number,
  length: number,
  averageLength: number,
): number {
  if (frequency <= 0) return 0;
  const relative = averageLength > 0 ? length / averageLength : 1;
  const norm = BM25_K1 * (1 - BM25_B + BM25_B * relative);
  return (idf * frequency * (BM25_K1 + 1)) / (frequency + norm);
}

/**
 * BM25 of a document for a query: the sum over the query's terms, each once, of `bm25Term`. The
 * store computes the same sum in SQL over the postings; this is its reference.
 */
export function bm25(
  query: ReadonlyMap<string, number>,
  document: ReadonlyMap<string, number>,
  corpus: Bm25Corpus,
): number {
  const length = termCount(document);
  let score = 0;
  for (const term of query.keys()) {
    const frequency = document.get(term) ?? 0;
    if (frequency === 0) continue;
    const idf = inverseDocumentFrequency(corpus.documents, corpus.documentFrequency(term));
    score += bm25Term(frequency, idf, length, corpus.averageLength);
  }
  return score;
}
