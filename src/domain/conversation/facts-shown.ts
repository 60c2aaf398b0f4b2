import type { CardFlag, CardStatus, Sign, Trust, Via } from '../../contracts/names';
import { losersAmong } from '../losers';
import { epochMs } from '../read-time';
import type { RecallEdge } from '../recall-pipeline';
import { type OtherEnd, stands } from '../standing';

/** At most so many facts stand in a context (design §7). */
export const MOST_FACTS = 20;

/** A knowledge card about the subject that the reader may see now. */
export interface FactCard {
  id: string;
  version: number;
  summary: string;
  sign: Sign;
  status: CardStatus;
  trust: Trust;
  flags: CardFlag[];
  confidence: number;
  valid_from: string;
  valid_to: string | null;
  expires_at: string | null;
  recorded_at: string;
  via: Via[];
}

export interface FactsRead {
  candidates: readonly FactCard[];
  edges: readonly RecallEdge[];
  /** The other ends of the edges that the reader may see. */
  others: readonly OtherEnd[];
}

export interface ShownFact extends FactCard {
  /** One end of a contradiction that nobody has decided. */
  contradicted: boolean;
}

/**
 * The facts that a context shows: none that loses a conflict, by the same rules as in recall, and of one text one.
 * Of more than there is room for the validated go before the rest, and the newest of each. They are shown in the
 * order in which they were recorded, so that a new one comes after those that are in a prompt already.
 *
 * @param tieMs `resolve.tie` in milliseconds
 */
export function factsShown(
  { candidates, edges, others }: FactsRead,
  { now, tieMs }: { now: number; tieMs: number },
): ShownFact[] {
  const isInUse = (card: OtherEnd & { expires_at?: string | null }) =>
    stands(card, { asOf: now, now });
  const standing = candidates.filter(isInUse);
  const ends = new Map<string, OtherEnd>(
    [...others, ...candidates].map((card) => [card.id, card] as const),
  );
  const asked = standing.map(({ id }) => id);
  const { dropped, contradicted } = losersAmong(asked, [...ends.values()], edges, {
    tieMs,
    isInUse,
  });
  const losers = new Set(dropped.map(({ id }) => id));
  const chosen = onceEach(standing.filter(({ id }) => !losers.has(id)).sort(preferred));
  return chosen
    .slice(0, MOST_FACTS)
    .sort((a, b) => epochMs(a.recorded_at) - epochMs(b.recorded_at) || (a.id < b.id ? -1 : 1))
    .map((card) => ({ ...card, contradicted: contradicted.has(card.id) }));
}

function preferred(a: FactCard, b: FactCard): number {
  return (
    Number(b.status === 'validated') - Number(a.status === 'validated') ||
    epochMs(b.recorded_at) - epochMs(a.recorded_at) ||
    (a.id < b.id ? 1 : -1)
  );
}

function onceEach(facts: readonly FactCard[]): FactCard[] {
  const told = new Set<string>();
  return facts.filter(({ summary }) => {
    const words = summary.replace(/\s+/gu, ' ').trim().toLowerCase();
    if (told.has(words)) return false;
    told.add(words);
    return true;
  });
}
