/** A card as far as it decides which of several that say the same is to stay. */
export interface DuplicateCard {
  id: string;
  version: number;
  use_count: number;
  confidence: number;
  /** RFC 3339. */
  valid_from: string;
}

/** Two cards that are alike enough to be one. */
export interface AlikePair {
  one: string;
  other: string;
}

/** One stays, and takes the place of the others. */
export interface DuplicateGroup {
  keep: DuplicateCard;
  merge: DuplicateCard[];
}

/**
 * Groups of near-duplicates: the best card of all, with those that are like it, and so on with what is left. Each
 * card of a group is like the one that stays; being like one that goes is not enough. The best is the most used, then
 * the most confident, then the newest. No card is in two groups, and the order of the arguments does not matter.
 */
export function duplicateGroups(
  cards: readonly DuplicateCard[],
  pairs: readonly AlikePair[],
): DuplicateGroup[] {
  const alike = new Map<string, Set<string>>();
  for (const { one, other } of pairs) {
    alike.set(one, (alike.get(one) ?? new Set()).add(other));
    alike.set(other, (alike.get(other) ?? new Set()).add(one));
  }
  const best = [...cards].sort(bestFirst);
  const taken = new Set<string>();
  const groups: DuplicateGroup[] = [];
  for (const keep of best) {
    if (taken.has(keep.id)) continue;
    const merge = best.filter(({ id }) => !taken.has(id) && alike.get(keep.id)?.has(id));
    if (merge.length === 0) continue;
    for (const { id } of [keep, ...merge]) taken.add(id);
    groups.push({ keep, merge });
  }
  return groups;
}

function bestFirst(a: DuplicateCard, b: DuplicateCard): number {
  return (
    b.use_count - a.use_count ||
    b.confidence - a.confidence ||
    Date.parse(b.valid_from) - Date.parse(a.valid_from) ||
    (a.id < b.id ? -1 : 1)
  );
}
