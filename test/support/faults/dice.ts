/** Dice that fall the same way for the same seed (mulberry32), so that a bad run can be run again. */
export class Dice {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** At least 0, below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[this.between(0, list.length - 1)] as T;
  }

  shuffled<T>(list: readonly T[]): T[] {
    const rest = [...list];
    return list.map(() => rest.splice(this.between(0, rest.length - 1), 1)[0] as T);
  }
}

/** The seed of the environment, else a new one; printed, so that a failed run names it. */
export function seedOf(given: string | undefined): number {
  const seed = given === undefined || given === '' ? Date.now() % 2 ** 31 : Number(given);
  if (!Number.isInteger(seed) || seed < 0) throw new Error(`${given} is no seed: give a number`);
  return seed;
}
