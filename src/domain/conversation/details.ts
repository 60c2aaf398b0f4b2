import type { DetailKind, MessageRole } from '../../contracts/conversation';
import { looksLikeInstruction } from '../distill/instruction-like';
import { lexicalTerms } from '../terms';
import { clausesOf } from './clauses';
import { COURTESIES } from './courtesies';
import { datesIn, withDates } from './dates-in';
import { ITEM_WEIGHT, type Item, itemsOf } from './items-of';

/** As much of a message as its details are made from. */
export interface DetailMessage {
  role: MessageRole;
  name: string | null;
  content: string;
  /** RFC 3339; relative dates are read on it. */
  at: string;
}

/** A clause that a summary must not lose. */
export interface DetailClause {
  kind: DetailKind;
  /** In the words of the message, with what a relative date comes to behind it. */
  text: string;
  /** As they stand in `text`. */
  items: string[];
  /** How much it would be missed; for the order in which room is given out. */
  weight: number;
}

/** Of one message. A table of a thousand rows is not kept row by row. */
const MOST = 60;
/** Content words of a clause that names nothing concrete and is worth finding all the same. */
const TELLING_TERMS = 3;
/** Of one in which somebody speaks of themselves: "I love dogs". */
const TELLING_OF_SELF = 1;
/** Of a decision or an open item: "Agreed!" says nothing to whoever reads it later. */
const LEAST_SETTLED = 2;
const OF_SELF =
  /(?<!\p{L})(?:I|I['’]\p{L}{1,2}|[Mm]y|[Ww]e|[Ww]e['’]\p{L}{1,2}|[Oo]ur|[Ii]ch|[Mm]eine?|[Ww]ir|[Yy]o|[Mm]i|[Jj]e|[Mm]on|[Mm]a)(?!\p{L})/u;

/** What somebody settled on. Ordinary words only, of some languages. */
const DECIDED =
  /\b(?:(?:have |has |'ve )?(?:decided|agreed (?:to|on|that|with)|chosen|settled on|opted|committed to)|(?:we|i|they|he|she|you|team)(?:'ll| will| shall| are going to|'re going to| am going to|'m going to)? (?:go|going|went) (?:with|for|ahead)|(?:we|i)(?:'ll| will) (?:use|take|choose|pick|switch to|stick (?:to|with))|(?:we|i) (?:chose|picked|confirmed|approved|rejected|declined)|let(?:'s|’s| us) (?:go with|go for|use|take the|stick (?:to|with)|switch|drop)|decision(?: is|:)|(?:is|was|are|were|been) (?:decided|agreed|approved|rejected|confirmed|settled|chosen|cancelled|canceled)|from now on|final(?:ly)? (?:choice|answer|decision)|go(?:ing)? ahead with|made up (?:my|our) mind|haben (?:uns |wir )?(?:entschieden|beschlossen|vereinbart)|wir nehmen|beschlossen|hemos decidido|decidimos|acordamos|vamos a usar|(?:nous avons|on a) (?:décidé|choisi)|abbiamo deciso|decidimos)\b|決定|决定|決め(?:た|ました)|決まり/iu;

/** What is still to be done, answered or decided. */
const OPEN =
  /\b(?:to-?do|action item|next steps?|follow(?:ing)?[- ]up|still (?:need(?:s|ed)? (?:to|a)|to be|waiting|pending|open|missing|unclear|unresolved)|not yet|(?:is|are|remains?|still) (?:pending|open|outstanding|unresolved|undecided|unclear|missing)|pending:|waiting (?:for|on)|awaiting|need(?:s)? to (?:be |check|confirm|decide|find|ask|send|call|book|fix|review|finish|update|get back)|have yet to|has yet to|remind me (?:to|about|that|on)|don(?:'|’)t forget|let me know (?:if|when|whether|what|which|by)|get back to (?:you|me|us)|to be (?:decided|confirmed|determined|done|clarified)|tb[dc]|open (?:question|item|issue|point)s?|by (?:tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next week|end of)|(?:i|we)(?:'ll| will) (?:check|confirm|find out|look into|send|ask|call|let you|get back|follow)|noch (?:offen|zu|nicht)|steht (?:noch )?aus|müssen (?:wir )?noch|pendiente|falta|queda por|reste à|en attente|à faire|da fare|in sospeso)\b|まだ|未定|待(?:办|辦|定)|要确认/iu;

/** A question asks, and tells nothing: what is concrete in it is kept, the rest is not. */
const QUESTION = /[?？]["”’')\]]*$/u;
/** Of a question these are a request's own data. */
const STRONG = new Set(['contact', 'address', 'code', 'money', 'date', 'time', 'number', 'quoted']);

/**
 * The clauses of a message that name something concrete, decide, or leave open, and those that say enough to be asked
 * about, at most sixty, in order. What speaks to its reader as a planted instruction does is none of them. Pure, linear
 * in the text, and in any language: names go by capitals where the script has them.
 */
export function detailsOf(message: DetailMessage): DetailClause[] {
  const { role, content, at } = message;
  const told: DetailClause[] = [];
  for (const clause of clausesOf(content)) {
    const detail = detailIn(clause, at);
    if (detail === null) continue;
    if (looksLikeInstruction(clause, role === 'tool' ? 'result' : 'request')) continue;
    told.push(role === 'user' ? { ...detail, weight: detail.weight * 1.25 } : detail);
  }
  return strongest(told);
}

function detailIn(clause: string, at: string): DetailClause | null {
  const dates = datesIn(clause, at);
  const items = itemsOf(clause, dates);
  const asks = QUESTION.test(clause);
  const isStrong = items.some((item) => STRONG.has(item.kind));
  if (asks && !isStrong && items.length < 2) return null;
  const terms = [...lexicalTerms(clause).keys()].filter((term) => !COURTESIES.has(term)).length;
  const kind = kindOf(clause, asks, terms);
  if (kind === 'concrete' && !isStrong && !tells(clause, items, terms)) return null;
  return {
    kind,
    text: withDates(clause, dates),
    items: items.map(({ text }) => text),
    weight: weightOf(items, terms) * (asks ? 0.6 : 1),
  };
}

/** "Thanks, Anna!" names somebody and says nothing. */
function tells(clause: string, items: readonly Item[], terms: number): boolean {
  if (items.some(({ text }) => /\s/.test(text))) return true;
  const beside = terms - items.length;
  const least = OF_SELF.test(clause) ? TELLING_OF_SELF : TELLING_TERMS;
  return items.length > 0 ? beside >= 1 : terms >= least;
}

function kindOf(clause: string, asks: boolean, terms: number): DetailKind {
  if (terms < LEAST_SETTLED) return 'concrete';
  if (DECIDED.test(clause) && !asks) return 'decision';
  return OPEN.test(clause) ? 'open' : 'concrete';
}

/** What is concrete, and a little for what is said about it. */
function weightOf(items: readonly Item[], terms: number): number {
  const heaviest = items.map(({ kind }) => ITEM_WEIGHT[kind]).sort((a, b) => b - a);
  const concrete = heaviest.reduce((sum, weight, at) => sum + weight / (at + 1), 0);
  return concrete + Math.min(terms, 10) / 10;
}

function strongest(details: readonly DetailClause[]): DetailClause[] {
  if (details.length <= MOST) return [...details];
  const least = [...details].sort((a, b) => rank(b) - rank(a)).slice(0, MOST);
  const kept = new Set(least);
  return details.filter((detail) => kept.has(detail));
}

function rank({ kind, weight }: DetailClause): number {
  return kind === 'concrete' ? weight : weight + 10;
}
