import type { LinkPolicy } from '../../contracts/policy';
import { EDGES_PER_TYPE, link } from '../link';
import type { LinkCandidate as Compared } from '../link-confidence';
import { isWarning } from '../link-confidence';
import { epochMs } from '../read-time';
import { cosine } from '../similarity';
import { type LinkCandidate, MOST_FOUND } from './candidate';
import { callOf, type ReflectionCard, type ReflectionEdge, weigh } from './card';

/** Below it two cards are alike in nothing that another card could not say as well. */
const LEAST_CONFIDENT = 0.8;
/** What answers a warning is worth more than what only agrees with it. */
const RANK = { satisfies: 0, constrains: 1, supports: 2 } as const;
type Drawn = keyof typeof RANK;

/**
 * Pairs of similar cards that have no edge between them, by the rules of filing: more of them are compared than a
 * new card is with, and late vectors are there by now. A warning that is resolved is not resolved again, and no card
 * gets more edges of a type than filing gives it. Contradictions are filing's alone to find: they need the order in
 * which things came.
 *
 * @param cards of one member and one set of readers
 */
export function linksOf(
  cards: readonly ReflectionCard[],
  edges: readonly ReflectionEdge[],
  policy: LinkPolicy,
): LinkCandidate[] {
  const joined = new Set(edges.map(({ from, to }) => pairOf(from, to)));
  const resolved = new Set(edges.flatMap(({ type, to }) => (type === 'satisfies' ? [to] : [])));
  const given = new Map<string, number>();
  const has = (card: string, type: string) => given.get(`${type} ${card}`) ?? 0;
  const add = (card: string, type: string) => given.set(`${type} ${card}`, has(card, type) + 1);
  for (const { type, from } of edges) add(from, type);

  const found = pairsOf(cards)
    .filter(([one, other]) => !joined.has(pairOf(one.id, other.id)))
    .flatMap(([one, other]) => drawn(one, other, policy))
    .sort(
      (a, b) =>
        RANK[a.link as Drawn] - RANK[b.link as Drawn] || b.confidence - a.confidence || order(a, b),
    );
  const chosen: LinkCandidate[] = [];
  for (const candidate of found) {
    if (chosen.length === MOST_FOUND.link) break;
    const { from, to, link: type } = candidate;
    if (type === 'satisfies' && resolved.has(to)) continue;
    if (has(from, type) >= EDGES_PER_TYPE[type]) continue;
    if (type === 'satisfies') resolved.add(to);
    add(from, type);
    chosen.push(candidate);
  }
  return chosen;
}

function drawn(one: ReflectionCard, other: ReflectionCard, policy: LinkPolicy): LinkCandidate[] {
  const [newer, older] =
    epochMs(one.valid_from) >= epochMs(other.valid_from) ? [one, other] : [other, one];
  const made = link(compared(newer, null), compared(older, similarityOf(newer, older)), policy);
  if (made === null || !(made.type in RANK) || made.confidence < LEAST_CONFIDENT) return [];
  return [
    {
      type: 'link',
      link: made.type as Drawn,
      from: newer.id,
      to: older.id,
      text: made.reason,
      matter: `${made.type} ${newer.id} ${older.id}`,
      sources: [newer.id, older.id],
      ...weigh([newer, older]),
      confidence: made.confidence,
    },
  ];
}

/** Those that share a call, a step or a task type; of others no rule draws anything that says more. */
function pairsOf(cards: readonly ReflectionCard[]): [ReflectionCard, ReflectionCard][] {
  const sorted = [...cards].sort((a, b) => (a.id < b.id ? -1 : 1));
  return sorted.flatMap((one, at) =>
    sorted
      .slice(at + 1)
      .filter((other) => isNear(one, other))
      .map((other): [ReflectionCard, ReflectionCard] => [one, other]),
  );
}

function isNear(one: ReflectionCard, other: ReflectionCard): boolean {
  const call = callOf(one);
  if (call !== null && call === callOf(other)) return true;
  const [a, b] = [one.hints, other.hints];
  if (a.step !== null && a.step === b.step && a.workflow === b.workflow) return true;
  return a.task_type !== null && a.task_type === b.task_type && isWarning(one) !== isWarning(other);
}

function similarityOf(one: ReflectionCard, other: ReflectionCard): number | null {
  if (one.vector === null || other.vector === null) return null;
  return one.vector.model === other.vector.model
    ? cosine(one.vector.values, other.vector.values)
    : null;
}

function compared(card: ReflectionCard, similarity: number | null): Compared {
  const { id, kind, sign, summary, subject, key, topic, input_fields, valid_from, scope } = card;
  const { service, operation, workflow, step, task_type, keywords, error_signature } = card.hints;
  return {
    ...{ id, kind, sign, summary, subject, key, topic, input_fields, valid_from, scope },
    ...{ service, operation, workflow, step, task_type, keywords, error_signature },
    value: null,
    similarity,
  };
}

function pairOf(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}

function order(a: LinkCandidate, b: LinkCandidate): number {
  return a.matter < b.matter ? -1 : 1;
}
