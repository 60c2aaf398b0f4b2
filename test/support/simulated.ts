import { type MemoryArm, noMemory } from '../../src/cli/simulate/world/arms';
import type { Measures } from '../../src/cli/simulate/world/measures';
import { type RunOptions, runWorld } from '../../src/cli/simulate/world/run';
import type { SettledEvent } from '../../src/contracts/event';

/** A run of an arm (of no memory by default), and all that it settled, in order. */
export async function settledBy(
  seed: number,
  arm: MemoryArm = noMemory(),
  options: RunOptions = {},
): Promise<{ events: SettledEvent[]; measures: Measures; ends: number[]; clock: number[] }> {
  const events: SettledEvent[] = [];
  const ends: number[] = [];
  const clock: number[] = [];
  const measures = await runWorld(
    seed,
    {
      name: arm.name,
      before: (call, agent, at) => {
        clock.push(at);
        return arm.before(call, agent, at);
      },
      settled: async (event, at) => {
        events.push(event);
        clock.push(at);
        await arm.settled(event, at);
      },
      endOfDay: async (day, at) => {
        ends.push(day);
        clock.push(at);
        await arm.endOfDay(day, at);
      },
    },
    options,
  );
  return { events, measures, ends, clock };
}

/** A memory of the last eight transcripts of the same operation, as raw JSON: a reader's whole diet in small. */
export function lastEight(): MemoryArm {
  const kept = new Map<string, string[]>();
  return {
    name: 'last-eight',
    before: async ({ operation }) => {
      const text = (kept.get(operation) ?? []).join('\n');
      return { text, tokens: text.split(/\s+/).length };
    },
    settled: async (event) => {
      if (event.operation === undefined) return;
      const before = kept.get(event.operation) ?? [];
      kept.set(event.operation, [...before, JSON.stringify(event)].slice(-8));
    },
    endOfDay: async () => undefined,
  };
}
