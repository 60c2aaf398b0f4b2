import type { Card } from '../contracts/card';
import type { Intent, RecallProfile, Via } from '../contracts/names';
import { VIAS } from '../contracts/names';
import { type Policy, RECALL_ARMS, type RecallArm } from '../contracts/policy';
import type { Dropped, RecalledCard, RecallSection, ScoreTerms } from '../contracts/recall';
import { durationMs } from './durations';
import { evidence, halved } from './evidence';
import { type ComparedVector, fold, foldKey } from './fold';
import type { Relevance } from './fuse';
import { fuse, LEAST_COSINE } from './fuse';
import type { InputFields } from './input-fields';
import { losersAmong } from './losers';
import {
  type MarkedOutdated,
  shownOutdated,
  toldAgain,
  withoutOutdatedValues,
} from './outdated/recalled';
import type { PackCard } from './pack';
import { pack } from './pack';
import { pinnedCompetence, pinnedWarning } from './pinned-warning';
import { epochMs } from './read-time';
import { LESSONS_SHOWN, sectionOf } from './sections';
import { type OtherEnd, stands } from './standing';

/** A card as recall's one read statement returns it: visible now, with its score in each arm. */
export interface Candidate extends Card, Partial<Record<RecallArm, number | null>> {
  via: Via[];
  /** Cosine with the query; null where a vector is missing or the arm was left out. */
  dense: number | null;
  /** BM25 or like it, above 0; null when no term matched. */
  lexical: number | null;
  /** Null folds by shared terms. */
  vector: ComparedVector | null;
  /** Null takes `foldKey`. */
  fold_key: string | null;
  proven_uses: number;
  /** The latest of recorded, used, edited, validated; RFC 3339. */
  touched_at: string;
  /** One of the newest notes of the passes that the reader can see: told whatever the query is about. */
  is_newest_note?: boolean;
  /** Of a call, what it was given: by this a value that has stopped working is told. */
  input_fields?: InputFields;
}

/**
 * An edge with both ends visible to the reader; what a candidate was derived from also where it is only held
 * back or rejected. `derived_from` runs from what was derived, three generations back.
 */
export interface RecallEdge {
  type: 'conflicts' | 'satisfies' | 'derived_from';
  from: string;
  to: string;
}

export type { OtherEnd } from './standing';

export interface RankInput {
  query: string;
  intent: Intent;
  profile: RecallProfile;
  /** Epoch milliseconds: `known_at` where given. */
  now: number;
  /** Epoch milliseconds; bounds `valid_from` and `valid_to`. */
  asOf: number;
  policy: Pick<Policy, 'recall' | 'resolve'>;
  limit: number;
  /** Whether the caller named the limit; then nothing comes on top of it. */
  isLimitAsked?: boolean;
  budgetTokens: number;
  countTokens: (text: string) => number;
  /** The request's filters; the store applied them, here they say what the query is about. */
  filters: { service?: string; operation?: string; [name: string]: unknown };
  candidates: readonly Candidate[];
  edges: readonly RecallEdge[];
  /**
   * Facts of the ends of `conflicts` and `satisfies`, in use or not: a winner counts, retrieved or not, and a
   * loser for what was derived from it.
   */
  others: readonly OtherEnd[];
  explain: boolean;
}

export interface RankOutput {
  sections: RecallSection[];
  /** Best first; with `act` the warning that fits the query before all. */
  cards: RecalledCard[];
  dropped: Dropped[];
  context: string;
  tokens: number;
}

type Scored = Candidate &
  PackCard & {
    fold_key: string;
    terms: ScoreTerms;
    score: number;
    outdated?: MarkedOutdated | null;
  };

/**
 * Recall as a pure function of what the store read (design §4): fuse the arms, score by evidence,
 * filter by policy, resolve conflicts, fold, cut to the limit, and pack by section within the
 * budget. The order of candidates and edges does not matter. Throws nothing of its own; times and
 * `policy.resolve.tie` must be well-formed.
 */
export function rankAndPack(input: RankInput): RankOutput {
  const dropped: Dropped[] = [];
  const explained = (card: Scored) => (input.explain ? { terms: card.terms } : {});
  const drop = (card: Scored, reason: Dropped['reason'], winner?: string) => {
    dropped.push({ id: card.id, reason, ...(winner ? { winner } : {}), ...explained(card) });
  };

  const scored = score(input);
  const allowed = scored.filter((card) => {
    const reason = refusal(card, input);
    if (reason) drop(card, reason);
    return reason === null;
  });

  const conflictFree = withoutLosers(allowed, scored, input, drop);
  const current = withoutOutdatedValues(conflictFree, drop).sort(best);
  const folds = fold(current, toldAgain(current)).map(({ card, folded, others }) => {
    for (const other of others) drop(other, 'folded', card.id);
    return { ...card, folded };
  });

  const first = pinned(folds, input);
  const ranked = first ? [first, ...folds.filter((card) => card !== first)] : folds;
  const chosen = choose(ranked, input, drop);
  const packed = pack(chosen, {
    now: input.now,
    budgetTokens: input.budgetTokens,
    countTokens: input.countTokens,
    first: first?.id ?? null,
  });
  for (const card of packed.left) drop(card, 'budget');

  const left = new Set(packed.left.map((card) => card.id));
  const satisfied = satisfiers(input);
  return {
    sections: packed.sections.map(({ name, title, cards }) => ({
      name,
      title,
      cards: cards.map((card) => card.id),
    })),
    cards: chosen
      .filter((card) => !left.has(card.id))
      .map((card) => recalled(card, satisfied.get(card.id) ?? [], input.explain)),
    dropped: dropped.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    context: packed.context,
    tokens: packed.tokens,
  };
}

/** Who is about to act reads a warning first, and who plans, whom to ask. */
function pinned<T extends Parameters<typeof pinnedWarning>[0][number] & Scored>(
  ranked: readonly T[],
  { intent, query, filters }: RankInput,
): T | null {
  if (intent === 'act') return pinnedWarning(ranked, query, filters);
  return intent === 'plan' ? pinnedCompetence(ranked, query) : null;
}

function score(input: RankInput): Scored[] {
  const { intent, profile, now, policy } = input;
  const candidates = [...new Map(input.candidates.map((card) => [card.id, card])).values()];
  const relevances = new Map<string, Relevance>(
    fuse(candidates, policy.recall.weights.arms).map((one) => [one.id, one]),
  );
  const satisfied = satisfiers(input);
  const validFrom = new Map(
    [...input.others, ...candidates].map((card) => [card.id, card.valid_from]),
  );
  return candidates.map((card) => {
    const relevance = relevances.get(card.id);
    const standsIn = profile === 'fleet' || isAsked(card);
    const terms = evidence(
      { ...card, relevance: standsIn ? (relevance?.relevance ?? 0) : 0 },
      { intent, profile, now, weights: policy.recall.weights },
    );
    const resolvers = satisfied.get(card.id) ?? [];
    const state = resolvers.length > 0 ? 'resolved' : 'open';
    return {
      ...card,
      fold_key: `${state}:${card.fold_key ?? foldKey(card)}`,
      terms: { ...armTerms(relevance), ...terms },
      score: terms.score ?? 0,
      folded: null,
      resolved_at: latest(resolvers.map((id) => validFrom.get(id))),
      contradicted: false,
    };
  });
}

/** Whether an arm that reads the query brought the card: being new, or long, says nothing of the query. */
function isAsked(card: Candidate): boolean {
  return RECALL_ARMS.some(
    (arm) => arm !== 'recency' && arm !== 'substance' && (card[arm] ?? 0) > 0,
  );
}

/** Where a score means that the card has to do with the query. */
const FINDING_ARMS = [
  'lexical',
  'lexical_context',
  'graph',
  'structured',
  'named',
  'time',
] as const satisfies RecallArm[];

function refusal(card: Scored, input: RankInput): 'policy' | 'not_relevant' | null {
  if (!stands(card, input)) return 'policy';
  if (card.is_newest_note) return null;
  if (Object.values(input.filters).some((value) => value !== undefined)) return null;
  const found = FINDING_ARMS.some((arm) => (card[arm] ?? 0) > 0);
  const isNear = Math.max(card.dense ?? 0, card.dense_context ?? 0) >= LEAST_COSINE;
  return found || isNear || input.query.trim() === '' ? null : 'not_relevant';
}

/** Those of `cards` that lose to nothing that the reader can see; what was retrieved beats, shown or not. */
function withoutLosers(
  cards: readonly Scored[],
  retrieved: readonly Scored[],
  input: RankInput,
  drop: (card: Scored, reason: Dropped['reason'], winner?: string) => void,
): Scored[] {
  const kept = new Map(cards.map((card) => [card.id, card]));
  const ends = new Map<string, OtherEnd>(
    [...input.others, ...retrieved].map((card) => [card.id, card]),
  );
  const { dropped, contradicted } = losersAmong([...kept.keys()], [...ends.values()], input.edges, {
    tieMs: durationMs(input.policy.resolve.tie),
    isInUse: (card) => stands(card, input),
  });
  for (const { id, reason, winner } of dropped) {
    const loser = kept.get(id);
    if (loser) drop(loser, reason, winner);
    kept.delete(id);
  }
  return [...kept.values()].map((card) => {
    if (!contradicted.has(card.id)) return card;
    const terms = halved(card.terms, input.policy.recall.weights);
    return { ...card, contradicted: true, terms, score: terms.score ?? 0 };
  });
}

/** The first `limit`, of lessons only the newest few (design §4), the rest filled up. */
function choose<T extends Scored>(
  ranked: readonly T[],
  { limit, isLimitAsked = false }: Pick<RankInput, 'limit' | 'isLimitAsked'>,
  drop: (card: Scored, reason: Dropped['reason'], winner?: string) => void,
): T[] {
  let chosen = ranked.slice(0, limit);
  let rest = ranked.slice(limit);
  for (;;) {
    const lessons = chosen.filter((card) => sectionOf(card) === 'lessons');
    if (lessons.length <= LESSONS_SHOWN) break;
    const given = givenUp(lessons);
    if (!given) break;
    drop(given, 'older_lesson');
    const next = rest.find((card) => sectionOf(card) !== 'lessons');
    chosen = [...chosen.filter((card) => card !== given), ...(next ? [next] : [])];
    rest = rest.filter((card) => card !== next);
  }
  const injected = rest.filter((card) => card.is_newest_note);
  for (const card of rest) if (!injected.includes(card)) drop(card, 'limit');
  const told = withNotes(chosen, injected, drop);
  return isLimitAsked ? withinLimit(told, injected, limit, drop) : told;
}

/**
 * The lesson of too many that goes: beside the newest notes of the passes the others compete by relevance, and the
 * least relevant goes; where there are no such notes, the oldest.
 * @param lessons best first
 */
function givenUp<T extends Scored>(lessons: readonly T[]): T | undefined {
  const others = lessons.filter((card) => !card.is_newest_note);
  if (others.length > 0 && others.length < lessons.length) return others.at(-1);
  return [...lessons].sort(
    (a, b) => epochMs(a.valid_from) - epochMs(b.valid_from) || (a.id < b.id ? -1 : 1),
  )[0];
}

/** Below it a caller who names a limit wants the cards that fit, and nothing else. */
const LEAST_WITH_NOTES = 5;

/** Of a limit that was named the newest notes take the last places; of a small one none. */
function withinLimit<T extends Scored>(
  told: readonly T[],
  injected: readonly T[],
  limit: number,
  drop: (card: Scored, reason: Dropped['reason'], winner?: string) => void,
): T[] {
  const notes = limit < LEAST_WITH_NOTES ? [] : injected;
  const fitting = told.filter((card) => !injected.includes(card));
  const kept = [...fitting.slice(0, Math.max(0, limit - notes.length)), ...notes];
  for (const card of told) if (!kept.includes(card)) drop(card, 'limit');
  return kept;
}

/** The newest notes come on top of the limit, where the budget has room; a lesson that only fits gives way to them. */
function withNotes<T extends Scored>(
  chosen: readonly T[],
  injected: readonly T[],
  drop: (card: Scored, reason: Dropped['reason'], winner?: string) => void,
): T[] {
  const lessons = [...chosen, ...injected].filter((card) => sectionOf(card) === 'lessons');
  const others = lessons.filter((card) => !card.is_newest_note);
  const room = LESSONS_SHOWN - (lessons.length - others.length);
  const given = others.slice(Math.max(0, room));
  for (const card of given) drop(card, 'older_lesson');
  return [...chosen, ...injected].filter((card) => !given.includes(card));
}

/** The later successes of each warning that still stand, in the order of their ids. */
function satisfiers(input: RankInput): Map<string, string[]> {
  const standing = new Set(
    [...input.others, ...input.candidates]
      .filter((card) => stands(card, input))
      .map((card) => card.id),
  );
  const byWarning = new Map<string, Set<string>>();
  for (const edge of input.edges) {
    if (edge.type !== 'satisfies' || !standing.has(edge.from)) continue;
    byWarning.set(edge.to, (byWarning.get(edge.to) ?? new Set()).add(edge.from));
  }
  return new Map([...byWarning].map(([id, ids]) => [id, [...ids].sort()]));
}

function armTerms(relevance: Relevance | undefined): ScoreTerms {
  return Object.fromEntries(
    Object.entries(relevance?.arms ?? {}).map(([arm, value]) => [`z_${arm}`, value]),
  );
}

function latest(times: readonly (string | undefined)[]): string | null {
  return times.reduce<string | null>(
    (last, time) =>
      time !== undefined && (last === null || epochMs(time) > epochMs(last)) ? time : last,
    null,
  );
}

function best(a: Scored, b: Scored): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function recalled(card: Scored, resolvedBy: readonly string[], explain: boolean): RecalledCard {
  const {
    vector: _vector,
    fold_key: _key,
    proven_uses: _uses,
    touched_at: _touched,
    resolved_at: _resolved,
    contradicted: _contradicted,
    is_newest_note: _newest,
    input_fields: _inputs,
    outdated,
    via,
    folded,
    terms,
    ...shown
  } = card;
  const vias = VIAS.filter((way) => via.includes(way));
  for (const arm of RECALL_ARMS) delete shown[arm];
  return {
    ...shown,
    via: vias[0] ?? 'own',
    vias,
    ...(folded ? { folded } : {}),
    ...(resolvedBy.length > 0 ? { resolved_by: [...resolvedBy] } : {}),
    ...(outdated ? { outdated: shownOutdated(outdated) } : {}),
    ...(explain ? { terms } : {}),
  };
}
