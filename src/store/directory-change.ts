/** What a PUT did. `changed` names the fields that moved; empty where nothing did. */
export interface Put<T> {
  resource: T;
  created: boolean;
  changed: string[];
}

/** A change of some fields: one left out stays, null empties. */
export type Change<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The fields that are given, without those left out. */
export function given<T extends object>(change: Change<T>): Partial<T> {
  return Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}

/** The names of the given fields that differ from what is stored. */
export function changedFields<T extends object>(before: T, change: Change<T>): string[] {
  return Object.entries(given(change))
    .filter(([field, value]) => JSON.stringify(before[field as keyof T]) !== JSON.stringify(value))
    .map(([field]) => field);
}
