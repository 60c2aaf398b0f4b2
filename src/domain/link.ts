import type { EdgeType } from '../contracts/names';
import type { LinkPolicy } from '../contracts/policy';
import type { InputComparison } from './alike-inputs';
import { compareInputs } from './alike-inputs';
import { attributeOf } from './attribute';
import { whatChanged } from './input-changes';
import type { LinkCandidate, LinkCard } from './link-confidence';
import { hasFields, isWarning, linkConfidence } from './link-confidence';
import { epochMs } from './read-time';
import { textSimilarity } from './similarity';

export type { LinkCandidate, LinkCard } from './link-confidence';

/** `derived_from` is lineage that distilling knows; the other five are decided here. */
export type LinkType = Exclude<EdgeType, 'derived_from'>;

/** An edge to write. It runs from the newer card. */
export interface PlannedEdge {
  type: LinkType;
  from: string;
  to: string;
  confidence: number;
  /** Plain words, incl. what changed: `payment amount 304 → 608`. */
  reason: string;
}

/** The relation of a new card to one candidate, before it is laid on the newer one. */
export interface Link {
  type: LinkType;
  confidence: number;
  reason: string;
}

/**
 * Edges of one type a new card may get: a card of a busy operation would else support fifty others.
 * What resolves or contradicts is bounded only by the candidates there can be (design §7: 50).
 */
export const EDGES_PER_TYPE: Readonly<Record<LinkType, number>> = {
  supports: 3,
  constrains: 3,
  satisfies: 50,
  conflicts: 50,
  supersedes: 50,
};

/**
 * Decides the edge between a new card and a candidate by design §7, or null.
 *
 * - the same key and subject: `supersedes` in the same scope (a note's next version, contract
 *   "Notes"), else `conflicts` when the values differ;
 * - the same attribute of the same subject with another value: `conflicts`;
 * - the same service and operation, or step, and opposite outcomes: a later success with inputs alike
 *   enough `satisfies` the warning, a later failure of the same thing with alike inputs `conflicts`;
 * - any other warning and approach: `constrains`; the same sign: `supports`.
 *
 * Similarity alone never makes `satisfies` or `conflicts`. Everything but a key has to reach
 * `policy.threshold`.
 */
export function link(card: LinkCard, candidate: LinkCandidate, policy: LinkPolicy): Link | null {
  if (card.id === candidate.id || card.kind === 'competence' || candidate.kind === 'competence') {
    return null;
  }
  const keyed = byKey(card, candidate);
  if (keyed) return keyed;
  const decided = byAttribute(card, candidate) ?? byOutcome(card, candidate, policy);
  if (!decided) return null;
  const confidence = linkConfidence(card, candidate, policy.weights);
  return confidence >= policy.threshold ? { ...decided, confidence } : null;
}

/** The edges of a new card, strongest first within a type, at most `EDGES_PER_TYPE` of each. */
export function linkAll(
  card: LinkCard,
  candidates: readonly LinkCandidate[],
  policy: LinkPolicy,
): PlannedEdge[] {
  const edges = new Map<string, PlannedEdge & { at: number }>();
  for (const candidate of candidates) {
    const found = link(card, candidate, policy);
    if (!found) continue;
    const decided = isOldMistake(card, candidate, found, candidates) ? asWarning(found) : found;
    const [newer, older] = inOrder(card, candidate);
    const known = edges.get(candidate.id);
    if (known && known.confidence >= decided.confidence) continue;
    const ends = { from: newer.id, to: older.id };
    edges.set(candidate.id, { ...decided, ...ends, at: epochMs(candidate.valid_from) });
  }
  const counts = new Map<LinkType, number>();
  return [...edges.values()]
    .sort(
      (a, b) =>
        b.confidence - a.confidence ||
        b.at - a.at ||
        compare(a.from, b.from) ||
        compare(a.to, b.to),
    )
    .filter(({ type }) => {
      const count = (counts.get(type) ?? 0) + 1;
      counts.set(type, count);
      return count <= EDGES_PER_TYPE[type];
    })
    .map(({ at: _at, ...edge }) => edge);
}

/**
 * Whether a later failure only repeats a mistake that the success had already answered: an earlier
 * warning is more like it than the success is. 304 paid for 608 fails, 608 works, 304 fails again:
 * the success still holds.
 */
function isOldMistake(
  card: LinkCard,
  candidate: LinkCandidate,
  found: Link,
  candidates: readonly LinkCandidate[],
): boolean {
  if (found.type !== 'conflicts' || card.sign === candidate.sign) return false;
  const [failure, success] = inOrder(card, candidate);
  const alike = comparisonOf(failure, success).alike;
  return candidates.some(
    (earlier) =>
      isWarning(earlier) &&
      isSameWork(earlier, failure) &&
      epochMs(earlier.valid_from) < epochMs(success.valid_from) &&
      comparisonOf(failure, earlier).alike > alike,
  );
}

function asWarning(found: Link): Link {
  return { ...found, type: 'constrains', reason: `${found.reason}, as before that success` };
}

type Decided = Pick<Link, 'type' | 'reason'>;

function byKey(card: LinkCard, candidate: LinkCandidate): Link | null {
  if (card.key === null || card.key !== candidate.key || card.subject !== candidate.subject) {
    return null;
  }
  const sameScope =
    card.scope.type === candidate.scope.type && card.scope.id === candidate.scope.id;
  if (sameScope) {
    return { type: 'supersedes', confidence: 1, reason: `a newer value under the key ${card.key}` };
  }
  const same =
    (card.value ?? card.summary).trim() === (candidate.value ?? candidate.summary).trim();
  return same
    ? { type: 'supports', confidence: 1, reason: `the same value under the key ${card.key}` }
    : { type: 'conflicts', confidence: 1, reason: `another value under the key ${card.key}` };
}

function byAttribute(card: LinkCard, candidate: LinkCandidate): Decided | null {
  if (card.kind !== 'knowledge' || candidate.kind !== 'knowledge') return null;
  if (card.subject === null || card.subject !== candidate.subject) return null;
  const one = attributeOf(card.summary, card.subject);
  const other = attributeOf(candidate.summary, card.subject);
  if (!one || !other || one.name !== other.name || one.value === other.value) return null;
  return { type: 'conflicts', reason: `another value for the same subject's ${one.name}` };
}

function byOutcome(card: LinkCard, candidate: LinkCandidate, policy: LinkPolicy): Decided | null {
  const [newer, older] = inOrder(card, candidate);
  const warns = [isWarning(newer), isWarning(older)] as const;
  if (warns[0] !== warns[1]) return opposite(newer, older, policy);
  if (card.sign !== candidate.sign) return null;
  return { type: 'supports', reason: `${sameWords(newer, older)}, both ${newer.sign}` };
}

function opposite(newer: LinkCard, older: LinkCard, policy: LinkPolicy): Decided | null {
  const isLater = epochMs(newer.valid_from) > epochMs(older.valid_from);
  if (isLater && isSameWork(newer, older)) {
    const inputs = comparisonOf(newer, older);
    const changed = whatChanged(older.input_fields, newer.input_fields);
    if (newer.sign === 'worked' && inputs.nearThing && inputs.alike >= policy.alike.satisfies) {
      const reason = `${sameWords(newer, older)}: it worked later, ${changed}`;
      return { type: 'satisfies', reason };
    }
    if (
      older.sign === 'worked' &&
      inputs.sameThing &&
      inputs.alike >= policy.alike.conflicts &&
      isOneRecord(newer, older)
    ) {
      const reason = `${sameWords(newer, older)}: it worked and failed later, ${changed}`;
      return { type: 'conflicts', reason };
    }
  }
  const approach = isWarning(newer) ? older : newer;
  if (!isApproach(approach)) return null;
  return { type: 'constrains', reason: `a warning about ${sameWords(newer, older)}` };
}

/**
 * Inputs of two cards; where neither has fields, the first sentences, which say what was attempted,
 * stand for them (only ever asked about the same service and operation, or step).
 */
function comparisonOf(newer: LinkCard, older: LinkCard): InputComparison {
  if (hasFields(newer) || hasFields(older)) {
    return compareInputs(newer.input_fields, older.input_fields);
  }
  const alike = textSimilarity(firstSentence(newer.summary), firstSentence(older.summary));
  return { alike, sameThing: true, nearThing: true };
}

function isSameWork(a: LinkCard, b: LinkCard): boolean {
  const operation = a.service !== null && a.operation !== null;
  const step = a.workflow !== null && a.step !== null;
  return (
    (operation && a.service === b.service && a.operation === b.operation) ||
    (step && a.workflow === b.workflow && a.step === b.step)
  );
}

/** Two delegations are two agents' records: that one failed says nothing against the other. */
function isOneRecord(a: LinkCard, b: LinkCard): boolean {
  if (a.kind !== 'delegation' && b.kind !== 'delegation') return true;
  return a.scope.type === b.scope.type && a.scope.id === b.scope.id;
}

function isApproach(card: LinkCard): boolean {
  switch (card.kind) {
    case 'experience':
    case 'delegation':
    case 'skill_lesson':
    case 'convention':
      return true;
    case 'constraint':
      return card.sign === 'worked';
    case 'knowledge':
    case 'insight':
    case 'competence':
      return false;
    default:
      return card.kind satisfies never;
  }
}

function sameWords(a: LinkCard, b: LinkCard): string {
  if (a.service !== null && a.service === b.service) {
    return a.operation !== null && a.operation === b.operation
      ? `the same operation ${a.service}.${a.operation}`
      : `the same service ${a.service}`;
  }
  if (a.workflow !== null && a.workflow === b.workflow && a.step !== null && a.step === b.step) {
    return `the same step ${a.workflow}/${a.step}`;
  }
  if (a.subject !== null && a.subject === b.subject) return 'the same subject';
  if (a.task_type !== null && a.task_type === b.task_type)
    return `the same task type ${a.task_type}`;
  return 'similar work';
}

/** Newer first by what was true when; of the same moment, the card that is being filed. */
function inOrder(card: LinkCard, candidate: LinkCard): [newer: LinkCard, older: LinkCard] {
  return epochMs(candidate.valid_from) > epochMs(card.valid_from)
    ? [candidate, card]
    : [card, candidate];
}

function firstSentence(text: string): string {
  return text.split(/(?<=[.!?])\s/u, 1)[0] ?? text;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
