import type { Cursor, ReflectionBatch } from '../../contracts/reflection';
import type { Episode } from '../consolidation/episode';
import { memberOf } from '../consolidation/groups';
import { worstCost } from './budget';
import { callOf, groupedBy } from './card';

/** A card that was selected for a look. */
export interface PlannedCard extends Cursor {
  /** Not looked at before. */
  fresh: boolean;
  card: Episode;
}

/** What a model is shown of at once; a stand-in takes more, and compares each with each. */
const CARDS_A_LOOK = { model: 60, rules: 300 } as const;
const MOST_BATCHES = 100;
/** Of a card's text as a model reads it, with the marks in front of it. */
const LINE = { text: 300, marks: 120 } as const;

/**
 * Batches of cards of one member and one set of readers, those of one call together. A batch without a card that
 * nobody has looked at is none, nor is one of a single card. The batch with the card that waits longest comes first,
 * so that a budget that ends early moves the reading on all the same.
 *
 * @param known what a model is shown beside the cards, by member; null where the rules look
 */
export function batchesOf(
  cards: readonly PlannedCard[],
  known: ReadonlyMap<string, readonly string[]> | null,
): { batches: ReflectionBatch[]; left: boolean } {
  const size = known === null ? CARDS_A_LOOK.rules : CARDS_A_LOOK.model;
  const looks = [...groupedBy(cards, ({ card }) => memberOf(card)).values()]
    .flatMap((group) => chunks([...group].sort(byCall), size))
    .filter((look) => look.length > 1 && look.some(({ fresh }) => fresh))
    .sort((a, b) => compareCursors(oldestFresh(a), oldestFresh(b)));
  const batches = looks.slice(0, MOST_BATCHES).map((look, at) => ({
    n: at + 1,
    cards: look.map(({ card: { id, version } }) => ({ id, version })),
    cost: known === null ? null : worstCost([...look.map(lineOf), ...knownTo(look, known)]),
  }));
  return { batches, left: looks.length > batches.length };
}

/**
 * Where the reading has come to once the first 0, 1, 2 … batches are done: before the first card that nobody has
 * looked at by then. Null where that is the very first one.
 */
export function cursorsOf(
  cards: readonly PlannedCard[],
  batches: readonly ReflectionBatch[],
  left: boolean,
): (Cursor | null)[] {
  const fresh = cards.filter((one) => one.fresh).sort(compareCursors);
  const planned = new Map(batches.flatMap(({ n, cards: of }) => of.map(({ id }) => [id, n])));
  return [0, ...batches.map(({ n }) => n)].map((done) => {
    const waits = fresh.findIndex(({ id, card }) => {
      const batch = planned.get(id);
      return batch === undefined ? left && hasCompany(card, cards) : batch > done;
    });
    const last = waits === -1 ? fresh.at(-1) : fresh[waits - 1];
    return last === undefined ? null : { id: last.id, at: last.at };
  });
}

function hasCompany(card: Episode, cards: readonly PlannedCard[]): boolean {
  return cards.some((other) => other.card !== card && memberOf(other.card) === memberOf(card));
}

function knownTo(
  look: readonly PlannedCard[],
  known: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const [first] = look;
  return first === undefined ? [] : (known.get(memberOf(first.card)) ?? []);
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}

function byCall(a: PlannedCard, b: PlannedCard): number {
  const [one, other] = [callOf(a.card) ?? '', callOf(b.card) ?? ''];
  return one === other ? compareCursors(a, b) : one < other ? -1 : 1;
}

function oldestFresh(look: readonly PlannedCard[]): Cursor | undefined {
  return look.filter(({ fresh }) => fresh).sort(compareCursors)[0];
}

function compareCursors(a: Cursor | undefined, b: Cursor | undefined): number {
  const [one, other] = [`${a?.at} ${a?.id}`, `${b?.at} ${b?.id}`];
  return one < other ? -1 : one > other ? 1 : 0;
}

function lineOf({ card }: PlannedCard): string {
  return card.summary.slice(0, LINE.text) + ' '.repeat(LINE.marks);
}
