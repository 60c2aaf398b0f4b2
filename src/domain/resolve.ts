import type { Card } from '../contracts/card';
import type { DropReason } from '../contracts/recall';
import { TRUST_RANK } from './policy';
import { epochMs } from './read-time';

/** As much of a card as a conflict is decided by. */
export type ConflictCard = Pick<Card, 'id' | 'sign' | 'status' | 'valid_from' | 'trust'> & {
  /** As stored, not as decayed: an answer must not change its side by itself. */
  confidence: number;
};

/** Two cards that cannot both be right; the order of the ends does not matter. */
export interface Conflict {
  from: string;
  to: string;
}

export interface Verdict {
  winner: ConflictCard;
  loser: ConflictCard;
  /** No rule decided it: it is a contradiction for a person, and the winner only shows meanwhile. */
  open: boolean;
}

export interface Resolution {
  /** Of the cards asked about, those that may be shown. */
  kept: string[];
  /** The others, each with the card that beats it. */
  dropped: { id: string; reason: DropReason; winner: string }[];
  /** Of the cards asked about, the ends of open contradictions: their scores are halved. */
  contradicted: string[];
  /** For each loser, asked about or not, the cards that beat it, the one that is named first. */
  winnersOver: Map<string, string[]>;
}

/** Stored confidences closer than this are the same (design §7). */
export const CONFIDENCE_TIE = 0.01;

/**
 * Decides one conflict (design §7): the newer by more than the tie, then a proven success (worked
 * and validated) over a failure, then the higher stored confidence beyond 0.01; else it is open, and
 * the more trusted shows, then the more confident, the newer, the first by id.
 *
 * @param tieMs `resolve.tie` in milliseconds
 */
export function verdict(a: ConflictCard, b: ConflictCard, tieMs: number): Verdict {
  const newer = epochMs(a.valid_from) - epochMs(b.valid_from);
  if (Math.abs(newer) > tieMs) return decided(a, b, newer > 0);
  if (isProven(a) && b.sign === 'failed') return decided(a, b, true);
  if (isProven(b) && a.sign === 'failed') return decided(a, b, false);
  const confident = a.confidence - b.confidence;
  // A hair above the tie, or 0.81 − 0.80 would count as a difference in floating point.
  if (Math.abs(confident) > CONFIDENCE_TIE + 1e-9) return decided(a, b, confident > 0);
  return { ...decided(a, b, shows(a, b) < 0), open: true };
}

/**
 * Which of the cards asked about may be shown, so that no two of them are ends of one conflict
 * (design §11.4). A card is dropped when it loses to any card the reader can see, itself shown or
 * not. Losses can form a circle, because "newer by more than an hour" does not carry over: of a
 * circle that nothing outside it beats, the one that would show in an open contradiction is kept.
 * The result does not depend on the order of the arguments.
 *
 * @param asked ids that are candidates for the answer
 * @param cards facts of those and of the other, visible ends of their conflicts; a conflict with an
 *   end that is not among them is not seen
 * @param gone facts of ends that are not in use any more, or do not hold. None of them beats another; one
 *   that was rejected has lost to every end that is in use, any other to one that would have beaten it
 */
export function resolve(
  asked: readonly string[],
  cards: readonly ConflictCard[],
  conflicts: readonly Conflict[],
  tieMs: number,
  gone: readonly ConflictCard[] = [],
): Resolution {
  const { losses, contradicted } = lossesOf(cards, conflicts, tieMs, gone);
  const ids = [...new Set(asked)].sort();
  return {
    kept: ids.filter((id) => !losses.has(id)),
    dropped: ids.flatMap((id) => {
      const [first] = losses.get(id) ?? [];
      if (first === undefined) return [];
      const reason = first.open ? 'open_contradiction' : 'conflict';
      return [{ id, reason, winner: first.winner.id }];
    }),
    contradicted: ids.filter((id) => contradicted.has(id)),
    winnersOver: new Map(
      [...losses].map(([id, lost]) => [id, lost.map(({ winner }) => winner.id)]),
    ),
  };
}

/** What each loser lost: settled before open, then the winner that stands best, whatever the order. */
function lossesOf(
  cards: readonly ConflictCard[],
  conflicts: readonly Conflict[],
  tieMs: number,
  gone: readonly ConflictCard[],
): { losses: Map<string, Verdict[]>; contradicted: Set<string> } {
  const facts = new Map(cards.map((card) => [card.id, card]));
  const goneFacts = new Map(gone.map((card) => [card.id, card]));
  const beatenBy = new Map<string, Verdict[]>();
  const lostByGone = new Map<string, Verdict[]>();
  const contradicted = new Set<string>();
  for (const { from, to } of conflicts) {
    if (from === to) continue;
    const [a, b] = [facts.get(from), facts.get(to)];
    if (a && b) {
      const result = verdict(a, b, tieMs);
      add(beatenBy, result);
      if (result.open) contradicted.add(a.id).add(b.id);
    } else {
      const [winner, loser] = [a ?? b, goneFacts.get(a ? to : from)];
      const loss = winner && loser ? lossOfGone(winner, loser, tieMs) : null;
      if (loss) add(lostByGone, loss);
    }
  }
  for (const id of sparedOfCircles(beatenBy, facts)) beatenBy.delete(id);
  const losses = new Map([...beatenBy, ...lostByGone]);
  for (const lost of losses.values()) {
    lost.sort((x, y) => Number(x.open) - Number(y.open) || shows(x.winner, y.winner));
  }
  return { losses, contradicted };
}

function add(losses: Map<string, Verdict[]>, loss: Verdict): void {
  losses.set(loss.loser.id, [...(losses.get(loss.loser.id) ?? []), loss]);
}

function lossOfGone(winner: ConflictCard, loser: ConflictCard, tieMs: number): Verdict | null {
  if (loser.status === 'rejected') return { winner, loser, open: false };
  const result = verdict(winner, loser, tieMs);
  return result.winner === winner ? result : null;
}

function sparedOfCircles(
  beatenBy: ReadonlyMap<string, Verdict[]>,
  facts: ReadonlyMap<string, ConflictCard>,
): Set<string> {
  const spared = new Set<string>();
  const above = new Map<string, Set<string>>();
  for (const id of beatenBy.keys()) above.set(id, reach(id, beatenBy));
  for (const [id, beaters] of above) {
    // A circle nothing outside beats: everything above the card has the card above it.
    if (!beaters.has(id)) continue;
    if (![...beaters].every((other) => above.get(other)?.has(id))) continue;
    const circle = [...beaters]
      .map((other) => facts.get(other))
      .filter((card) => card !== undefined);
    const [best] = circle.sort(shows);
    if (best?.id === id) spared.add(id);
  }
  return spared;
}

/** Every card that beats the card, directly or by beating one that does. */
function reach(id: string, beatenBy: ReadonlyMap<string, Verdict[]>): Set<string> {
  const seen = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { winner } of beatenBy.get(next) ?? []) {
      if (!seen.has(winner.id)) {
        seen.add(winner.id);
        open.push(winner.id);
      }
    }
  }
  return seen;
}

function isProven(card: ConflictCard): boolean {
  return card.sign === 'worked' && card.status === 'validated';
}

function decided(a: ConflictCard, b: ConflictCard, aWins: boolean): Verdict {
  return { winner: aWins ? a : b, loser: aWins ? b : a, open: false };
}

/** Which shows first: more trusted, more confident, newer, by id. A total order. */
function shows(a: ConflictCard, b: ConflictCard): number {
  return (
    TRUST_RANK[b.trust] - TRUST_RANK[a.trust] ||
    b.confidence - a.confidence ||
    epochMs(b.valid_from) - epochMs(a.valid_from) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}
