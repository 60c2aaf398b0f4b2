import type { NewMetric } from '../../../client/metrics';

/** Weeks that the sample tells of. */
export const WEEKS = 13;

export const RESTAURANTS = ['harbor', 'mill', 'garden'] as const;
export type Restaurant = (typeof RESTAURANTS)[number];

/** What is written down of a restaurant at the end of a week, and in what. */
export const UNITS = {
  labor_percent: '%',
  food_waste: 'USD/week',
  voids: 'USD/week',
  covers: 'guests/week',
  average_check: 'USD',
  top_ten_share: '%',
} as const;
export type Kept = keyof typeof UNITS;

/** An action that was taken somewhere, and what it does to a number there: what Cairn has to find out by itself. */
export interface Deed {
  restaurant: Restaurant;
  action: string;
  /** Taken when this week is closed. */
  week: number;
  changes: Kept;
  /** What the number is multiplied by, from the second week after on. */
  by: number;
}

/** An ordinary week. */
const USUAL: Readonly<Record<Restaurant, Readonly<Record<Kept, number>>>> = {
  harbor: {
    labor_percent: 35.5,
    food_waste: 1450,
    voids: 380,
    covers: 1180,
    average_check: 31.4,
    top_ten_share: 61,
  },
  mill: {
    labor_percent: 34.2,
    food_waste: 1720,
    voids: 300,
    covers: 940,
    average_check: 27.8,
    top_ten_share: 66,
  },
  garden: {
    labor_percent: 37,
    food_waste: 1280,
    voids: 340,
    covers: 1040,
    average_check: 34.2,
    top_ten_share: 58,
  },
};

/** Weeks differ from the usual one by up to so much. */
const CHANCE = 0.012;
const SEED = 20_260_105;
const WEEK_MS = 7 * 24 * 3_600_000;

export type Book = Readonly<Record<Restaurant, Readonly<Record<Kept, readonly number[]>>>>;

/** The same three months each time: chance comes from a seed, and all else from what was done. */
export function bookOf(deeds: readonly Deed[]): Book {
  const random = seeded(SEED);
  return mapped(RESTAURANTS, (restaurant) =>
    mapped(Object.keys(UNITS) as Kept[], (kept) =>
      Array.from({ length: WEEKS }, (_, at) => {
        const usual = USUAL[restaurant][kept] * (1 + CHANCE * (2 * random() - 1));
        const done = deeds.filter((one) => one.restaurant === restaurant && one.changes === kept);
        const value = done.reduce((sum, { week, by }) => sum * effect(by, at + 1 - week), usual);
        return kept === 'covers' ? Math.round(value) : Math.round(value * 10) / 10;
      }),
    ),
  );
}

/** Half of it in the first week after, and all of it from the second on. */
function effect(by: number, weeksAfter: number): number {
  if (weeksAfter <= 0) return 1;
  return weeksAfter === 1 ? (1 + by) / 2 : by;
}

export function metricName(restaurant: Restaurant, kept: Kept): string {
  return `sample.${restaurant}.${kept}`;
}

/** When a week, counted from 1, was closed; `end` is the close of the last one. */
export function closeOf(week: number, end: Date): string {
  return new Date(end.getTime() - (WEEKS - week) * WEEK_MS).toISOString();
}

/** The last Monday, 00:00 UTC. */
export function lastClose(now: Date): Date {
  const midnight = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
  const sinceMonday = (midnight.getUTCDay() + 6) % 7;
  return new Date(midnight.getTime() - (sinceMonday * WEEK_MS) / 7);
}

export function metricsOf(book: Book, end: Date): NewMetric[] {
  return RESTAURANTS.flatMap((restaurant) =>
    (Object.keys(UNITS) as Kept[]).flatMap((kept) =>
      book[restaurant][kept].map((value, at) => ({
        name: metricName(restaurant, kept),
        value,
        unit: UNITS[kept],
        at: closeOf(at + 1, end),
      })),
    ),
  );
}

function mapped<K extends string, V>(keys: readonly K[], of: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<K, V>;
}

/** Numbers from 0 to below 1, always the same for a seed (Park and Miller's minimal standard generator, 1988). */
function seeded(seed: number): () => number {
  let state = seed % 2_147_483_647;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return (state - 1) / 2_147_483_646;
  };
}
