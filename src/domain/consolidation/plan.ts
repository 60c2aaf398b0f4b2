import type { Policy } from '../../contracts/policy';
import { type Episode, isMergeable, isSource } from './episode';
import { groupsOf, type PlannedGroup } from './groups';
import { mergesOf, type PlannedMerge } from './merges';
import { proofsAmong } from './proofs';

export interface PlanOptions {
  policy: Pick<Policy['consolidation'], 'max_retire_share' | 'min_cards'>;
  /** Cards of the scope that are in use, of every kind. */
  activeCards: number;
  /** Start of the pass's day in the workspace's zone, RFC 3339: what was recorded since is tomorrow's. */
  before: string;
}

export interface ConsolidationPlan {
  groups: PlannedGroup[];
  merges: PlannedMerge[];
}

/**
 * What a pass does with the episodes of one scope: which become a note, and which are merged. It retires at most
 * the set share of the scope's cards, notes first. The order of the episodes changes nothing.
 */
export function planConsolidation(
  episodes: readonly Episode[],
  { policy, activeCards, before }: PlanOptions,
): ConsolidationPlan {
  const most = mostRetired(activeCards, policy);
  const sources = episodes.filter((card) => isSource(card, before));
  const groups = groupsOf(sources, most, proofsAmong(sources));
  const told = new Set(groups.flatMap((group) => group.sources.map(({ id }) => id)));
  const rest = episodes.filter((card) => isMergeable(card, before) && !told.has(card.id));
  const retired = groups.reduce((sum, group) => sum + group.retires.length, 0);
  return { groups, merges: mergesOf(rest, before, most - retired) };
}

/** The share of the cards in use; a scope with few of them is not held to it. */
export function mostRetired(
  activeCards: number,
  { max_retire_share: share, min_cards: few }: PlanOptions['policy'],
): number {
  if (activeCards < few) return Number.POSITIVE_INFINITY;
  return Math.floor(activeCards * share + 1e-9);
}
