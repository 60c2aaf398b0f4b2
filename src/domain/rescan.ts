import {
  RESCAN_PLACES,
  type RescanAt,
  type RescanFindings,
  type RescanPlace,
  type RescanProgress,
} from '../contracts/rescan';

/**
 * Looks until nothing is found, at most this many: what a second look still finds was written meanwhile, or by somebody
 * who was faster than the repair.
 */
export const MOST_ROUNDS = 3;

/** How a rescan begins: it looks at everything before it changes anything. */
export function beginning(dryRun: boolean): RescanProgress {
  return {
    at: { round: 1, step: 'look', place: RESCAN_PLACES[0], batch: 1 },
    after: '',
    dry_run: dryRun,
    rounds: 1,
    found: {},
    dirty: {},
    repaired: 0,
    cards: 0,
    skipped: 0,
    identifiers: 0,
  };
}

/**
 * The batch after this one.
 * @param isMore whether its place goes on
 */
export function nextAt(
  progress: Pick<RescanProgress, 'at' | 'dirty' | 'dry_run'>,
  isMore: boolean,
): RescanAt | null {
  const { at, dirty } = progress;
  if (at === null) return null;
  if (isMore) return { ...at, batch: at.batch + 1 };
  const place = placeAfter(
    at.place,
    at.step === 'look' ? () => true : (one) => isDirty(dirty, one),
  );
  if (place !== null) return { ...at, place, batch: 1 };
  if (at.step === 'repair') {
    return { round: at.round + 1, step: 'look', place: RESCAN_PLACES[0], batch: 1 };
  }
  const first = RESCAN_PLACES.find((one) => isDirty(dirty, one));
  const isOver = first === undefined || progress.dry_run || at.round >= MOST_ROUNDS;
  return isOver ? null : { round: at.round, step: 'repair', place: first, batch: 1 };
}

function placeAfter(
  place: RescanPlace,
  isNext: (place: RescanPlace) => boolean,
): RescanPlace | null {
  const from = RESCAN_PLACES.indexOf(place) + 1;
  return RESCAN_PLACES.slice(from).find(isNext) ?? null;
}

function isDirty(dirty: RescanProgress['dirty'], place: RescanPlace): boolean {
  return (dirty[place] ?? 0) > 0;
}

/** Rows in which the last look found something. */
export function leftOf({ dirty }: Pick<RescanProgress, 'dirty'>): number {
  return Object.values(dirty).reduce((sum, rows) => sum + rows, 0);
}

/** What a look found of all types in all places. */
export function foundIn(found: RescanFindings): number {
  return Object.values(found)
    .flatMap((types) => Object.values(types))
    .reduce((sum, n) => sum + n, 0);
}
