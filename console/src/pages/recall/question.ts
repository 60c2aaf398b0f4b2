import type { Intent, RecallProfile } from '../../../../src/contracts/names';
import type { RecallFilters, RecallRequest } from '../../../../src/contracts/recall';
import type { Search } from '../../app/search';

/** What the lab keeps in its address: the question, and in what the second answer differs. */
export const QUESTION = [
  'q',
  'agent',
  'intent',
  'profile',
  'as_of',
  'known_at',
  'about',
  'kind',
  'sign',
  'service',
  'operation',
  'limit',
  'budget',
  'compare',
  'with',
  'asked',
] as const;

export type Question = Search<(typeof QUESTION)[number]>;

/** In what the second answer differs from the first; `with` says to what. */
export const COMPARISONS = {
  profile: 'the other profile',
  agent: 'another agent',
  as_of: 'another moment',
  intent: 'another intent',
} as const;
export type Comparison = keyof typeof COMPARISONS;

export interface Asked {
  agent: string | undefined;
  body: RecallRequest;
}

export function askedBy(question: Question): Asked {
  const { q = '', agent, limit, budget } = question;
  const filters: RecallFilters = {};
  if (question.kind !== undefined) filters.kind = question.kind as never;
  if (question.sign !== undefined) filters.sign = question.sign as never;
  if (question.service !== undefined) filters.service = question.service;
  if (question.operation !== undefined) filters.operation = question.operation;
  const body: RecallRequest = { query: q, explain: true };
  if (Object.keys(filters).length > 0) body.filters = filters;
  if (question.intent !== undefined) body.intent = question.intent as Intent;
  if (question.profile !== undefined) body.profile = question.profile as RecallProfile;
  if (question.as_of !== undefined) body.as_of = question.as_of;
  if (question.known_at !== undefined) body.known_at = question.known_at;
  if (question.about !== undefined) body.about = question.about;
  if (limit !== undefined) body.limit = Number(limit);
  if (budget !== undefined) body.budget_tokens = Number(budget);
  return { agent, body };
}

/** The same question with one thing changed; null where nothing is compared. */
export function otherOf(question: Question): { asked: Asked; label: string; first: string } | null {
  const { compare, with: to } = question;
  if (compare === 'profile') {
    const first = question.profile ?? 'fleet';
    const profile = to ?? (first === 'fleet' ? 'episodic' : 'fleet');
    return { asked: askedBy({ ...question, profile }), label: `profile ${profile}`, first };
  }
  if (to === undefined) return null;
  const first = question[compare as Comparison] ?? (compare === 'agent' ? 'as myself' : 'as asked');
  if (compare === 'agent') {
    return { asked: askedBy({ ...question, agent: to }), label: `as ${to}`, first };
  }
  if (compare === 'as_of') {
    return { asked: askedBy({ ...question, as_of: to }), label: `as of ${to}`, first };
  }
  if (compare === 'intent') {
    return { asked: askedBy({ ...question, intent: to }), label: `intent ${to}`, first };
  }
  return null;
}
