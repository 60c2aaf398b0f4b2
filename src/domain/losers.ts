import type { DropReason } from '../contracts/recall';
import { type Conflict, type ConflictCard, resolve } from './resolve';

/** How far a card is followed to what it came of: its sources, theirs, and theirs. */
export const GENERATIONS = 3;

/** An edge `derived_from`: the first came of the second. */
export interface Derivation {
  from: string;
  to: string;
}

export interface LoserEdge {
  type: string;
  from: string;
  to: string;
}

/**
 * Which of the cards asked about must not be shown beside the others that the reader can see: those that
 * lose a conflict (design §7), and those that came of a loser.
 *
 * @param ends facts of the cards asked about and of the other ends of the edges `conflicts`
 * @param isInUse whether a card may be shown, or beat another
 */
export function losersAmong<T extends ConflictCard>(
  asked: readonly string[],
  ends: readonly T[],
  edges: readonly LoserEdge[],
  { tieMs, isInUse }: { tieMs: number; isInUse: (end: T) => boolean },
): { dropped: { id: string; reason: DropReason; winner: string }[]; contradicted: Set<string> } {
  const ofType = (type: string): Conflict[] => edges.filter((edge) => edge.type === type);
  const [inUse, gone] = [ends.filter(isInUse), ends.filter((end) => !isInUse(end))];
  const resolved = resolve(asked, inUse, ofType('conflicts'), tieMs, gone);
  const derived = cameOfLosers(resolved.kept, ofType('derived_from'), resolved.winnersOver);
  return {
    dropped: [
      ...resolved.dropped,
      ...derived.map(({ id, winner }) => ({ id, reason: 'derived_from_loser' as const, winner })),
    ],
    contradicted: new Set(resolved.contradicted),
  };
}

/**
 * Which of the cards asked about hold what lost a conflict: those that came of a loser, at most three
 * generations back. Not one that beat the loser itself, nor one that came of a winner as well: it weighed
 * both sides. The result does not depend on the order of the arguments.
 *
 * @param winnersOver for each loser who beat it, the one to be named first
 * @returns each such card with the winner over the nearest of its losers
 */
export function cameOfLosers(
  asked: readonly string[],
  derivations: readonly Derivation[],
  winnersOver: ReadonlyMap<string, readonly string[]>,
): { id: string; winner: string }[] {
  if (derivations.length === 0 || winnersOver.size === 0) return [];
  const parents = new Map<string, string[]>();
  for (const { from, to } of derivations) parents.set(from, [...(parents.get(from) ?? []), to]);
  return [...new Set(asked)].sort().flatMap((id) => {
    const sources = sourcesOf(id, parents);
    for (const source of sources) {
      const winners = winnersOver.get(source) ?? [];
      const [winner] = winners;
      if (winner !== undefined && !winners.some((one) => one === id || sources.has(one))) {
        return [{ id, winner }];
      }
    }
    return [];
  });
}

/** The nearest first, those of one generation by id; never the card itself. */
function sourcesOf(id: string, parents: ReadonlyMap<string, readonly string[]>): Set<string> {
  const sources = new Set<string>();
  let here: readonly string[] = [id];
  for (let generation = 1; generation <= GENERATIONS; generation += 1) {
    const next = new Set(here.flatMap((one) => parents.get(one) ?? []));
    here = [...next].filter((one) => one !== id && !sources.has(one)).sort();
    for (const one of here) sources.add(one);
  }
  return sources;
}
