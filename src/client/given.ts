type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what is undefined: an option that is not given is not there. */
export function given<T extends object>(options: T): Given<T> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given<T>;
}
