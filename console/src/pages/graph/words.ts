import type { GraphNode } from '../../../../src/contracts/graph';
import { KIND_FORMS } from './forms';

/** What a card's edges say of it. */
export function standingWords({ open_conflict, satisfied }: GraphNode): string {
  if (open_conflict) return 'Open contradiction';
  return satisfied ? 'Answered by a later success' : '—';
}

/** A card as one hears it on the way over the map. */
export function spoken(node: GraphNode, edges: number): string {
  const standing = standingWords(node);
  const said = [
    `${KIND_FORMS[node.kind].label}, ${node.sign}: ${node.summary}`,
    `${edges} of ${node.degree} edges shown`,
  ];
  return [...said, ...(standing === '—' ? [] : [standing])].join('. ');
}

/** `1 card`, `2,000 cards`. */
export function counted(count: number, thing: string): string {
  return `${count.toLocaleString()} ${thing}${count === 1 ? '' : 's'}`;
}
