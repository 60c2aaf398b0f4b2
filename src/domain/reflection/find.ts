import type { LinkPolicy } from '../../contracts/policy';
import { memberOf } from '../consolidation/groups';
import { type Candidate, MOST_FOUND } from './candidate';
import { groupedBy, isWitness, type ReflectionCard, type ReflectionEdge } from './card';
import { factsOf } from './facts';
import { linksOf } from './links';
import { skillsOf } from './procedures';

/**
 * What cards have in common, without a model: facts, procedures and missing links, the best founded of each first
 * and no more than a look may find. Cards of another member, project or set of readers are never put together. The
 * same cards give the same candidates, in whatever order they come.
 */
export function findCandidates(
  cards: readonly ReflectionCard[],
  edges: readonly ReflectionEdge[],
  policy: LinkPolicy,
): Candidate[] {
  const witnesses = cards.filter(isWitness).sort((a, b) => (a.id < b.id ? -1 : 1));
  const groups = [...groupedBy(witnesses, memberOf).values()];
  return groups.flatMap((group) => [
    ...best(factsOf(group, edges), MOST_FOUND.fact),
    ...best(skillsOf(group), MOST_FOUND.skill),
    ...linksOf(group, edges, policy),
  ]);
}

function best<T extends Candidate>(found: readonly T[], most: number): T[] {
  return [...found]
    .sort(
      (a, b) =>
        b.evidence - a.evidence || b.confidence - a.confidence || (a.matter < b.matter ? -1 : 1),
    )
    .slice(0, most);
}
