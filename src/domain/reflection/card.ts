import { type CardStatus, RECALLED_STATUSES } from '../../contracts/names';
import { CONFIDENCE_DECIMALS } from '../confidence';
import { compareText, type Episode } from '../consolidation/episode';
import { epochMs } from '../read-time';

/** A card as a reflection reads it: what it says, and what it came from. */
export interface ReflectionCard extends Episode {
  /** The event that it was made of; null where somebody wrote it down. */
  event: string | null;
  task: string | null;
  session: string | null;
}

/** An edge between two cards that were read, as far as it decides what is found. */
export interface ReflectionEdge {
  type: string;
  from: string;
  to: string;
}

/** What a finding rests on. */
export interface Weight {
  /** Different events: two cards of one event are one piece of evidence. */
  evidence: number;
  /** Different agents. */
  agents: number;
  /** 0–1. */
  confidence: number;
}

/** Beyond it lies what a person said. */
const MOST_CONFIDENT = 0.95;
/** What each piece of evidence beyond the second one adds. */
const PER_EVIDENCE = 0.02;

/**
 * Whether a card is one that findings may rest on: of settled work, in use, without a flag and without a key.
 * What passes have written is not among them, so that no finding rests on a finding.
 */
export function isWitness(card: ReflectionCard): boolean {
  return (
    card.tier === 'episodic' &&
    card.writer !== 'system' &&
    (RECALLED_STATUSES as readonly CardStatus[]).includes(card.status) &&
    card.key === null &&
    card.flags.length === 0
  );
}

/**
 * How much a finding weighs: the mean of its cards' stored confidences, 0.02 more for each piece of evidence beyond
 * the second, at most 0.95.
 *
 * @param share 0–1, of the cards that could have agreed those that do
 */
export function weigh(cards: readonly ReflectionCard[], share = 1): Weight {
  const evidence = eventsOf(cards);
  const agents = new Set(cards.flatMap(({ agent }) => (agent === null ? [] : [agent])));
  const mean =
    cards.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, cards.length);
  const sure = Math.min(MOST_CONFIDENT, mean + PER_EVIDENCE * Math.max(0, evidence - 2));
  const confidence = Number((sure * share).toFixed(CONFIDENCE_DECIMALS));
  return { evidence, agents: agents.size, confidence };
}

/** Oldest first, by id where two are of one time. */
export function byTime(a: ReflectionCard, b: ReflectionCard): number {
  return epochMs(a.valid_from) - epochMs(b.valid_from) || compareText(a.id, b.id);
}

/** `slack.read_channel_messages`; null of a card without a call. */
export function callOf({ hints }: Pick<ReflectionCard, 'hints'>): string | null {
  const { service, operation } = hints;
  return service === null || operation === null ? null : `${service}.${operation}`;
}

/** In the order in which the keys first come. */
export function groupedBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string | null,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Different events that cards were made of. */
export function eventsOf(cards: readonly ReflectionCard[]): number {
  return new Set(cards.flatMap(({ event }) => (event === null ? [] : [event]))).size;
}
