import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from './dice';
import type { Stack } from './stack';

export interface RoundOptions {
  /** Milliseconds that all is well before a kill, least and most. */
  calm: readonly [number, number];
  /** Milliseconds that a killed part stays away, least and most. */
  away: readonly [number, number];
  /** Told before each kill. */
  say(line: string): void;
}

/** The name of a part, or every part at once. */
export type Victim = string;
export const ALL = 'all';

/** Kills what is named and starts it again after a while. */
export async function round(
  stack: Stack,
  victim: Victim,
  dice: Dice,
  options: RoundOptions,
): Promise<void> {
  await sleep(dice.between(...options.calm));
  const away = dice.between(...options.away);
  options.say(`SIGKILL ${victim}, away for ${away} ms`);
  if (victim === ALL) {
    await stack.killAll();
    await sleep(away);
    // What depends on another may come up first: a supervisor knows no order.
    await Promise.all(dice.shuffled(stack.parts).map((part) => part.start()));
    return;
  }
  const part = stack.parts.find(({ name }) => name === victim);
  if (part === undefined) throw new Error(`the stack has no ${victim}`);
  await part.kill();
  await sleep(away);
  await part.start();
}

/** Each part once and all at once, in an order of the dice. */
export function everyVictim(stack: Stack, dice: Dice): Victim[] {
  return dice.shuffled([...stack.parts.map((part) => part.name), ALL]);
}
