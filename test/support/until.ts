/** What `until` waits with, where a test knows better. */
export interface UntilOptions {
  /** Milliseconds until it is given up. Default: 45,000, which is before Jest gives the test up. */
  within?: number;
  /** Milliseconds between two looks. Default: 20. */
  pause?: number;
  /** What was the case instead; asked only where it is given up. */
  otherwise?: () => unknown;
}

/**
 * Looks again and again until there is something to see, and answers that. A test says with it what it
 * waits for; a loop of its own would hang until Jest's clock, and would not say at what.
 *
 * @throws Error with what it waited for, and what was the case instead
 * @example
 * await until('the key is full', async () => (await read(key)).status === 429);
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { within = 45_000, pause = 20, otherwise }: UntilOptions = {},
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const deadline = Date.now() + within;
  for (;;) {
    const seen = await look();
    if (seen) return seen as Exclude<T, false | null | undefined | 0 | ''>;
    if (Date.now() > deadline) {
      const instead = otherwise === undefined ? '' : `: ${JSON.stringify(await otherwise())}`;
      throw new Error(`it did not come to pass in time that ${what}${instead}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
