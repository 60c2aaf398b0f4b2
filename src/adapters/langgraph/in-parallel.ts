/** Calls of one batch that are under way at a time. */
const AT_ONCE = 8;

/** What each makes of its item, in the order of the items. @throws the first that fails */
export async function inParallel<T, R>(
  items: readonly T[],
  make: (item: T) => Promise<R>,
): Promise<R[]> {
  const made: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) made[at] = await make(items[at] as T);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work));
  return made;
}
