/** Calls in flight at once: what does not wait for each other need not wait in a line. */
const AT_ONCE = 6;

/** Does all of them, a few at a time, begun in their order. @throws what the first failed with */
export async function inTurns<T>(
  items: readonly T[],
  each: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const turn = async (): Promise<void> => {
    for (const item of rest) await each(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, turn));
}
