import { createHash } from 'node:crypto';
import { noMemory, oracle } from '../src/cli/simulate/world/arms';
import { buildWorld } from '../src/cli/simulate/world/build';
import { MEMORY_TOKENS, SEEDS, WORLD } from '../src/cli/simulate/world/frozen';
import { answer } from '../src/cli/simulate/world/service';
import { planTasks } from '../src/cli/simulate/world/tasks';
import { parseEvent } from '../src/schemas/event';
import { lastEight, settledBy } from './support/simulated';

const [SEED, OTHER] = SEEDS;

/**
 * What is settled in each frozen world without memory, and with the last eight transcripts of an operation.
 * A digest that differs says that the world, its words or its reader changed: every result from before is void.
 */
const FROZEN: Readonly<Record<(typeof SEEDS)[number], string>> = {
  11: 'bed898777ef433e4',
  23: 'def527172e533aa0',
  37: 'b459ce335ec6cd72',
  41: 'bd1039a12d1880b8',
  59: 'c81b848418d4371e',
};

it.each(SEEDS)('seed %i settles to the byte what it settled when it was frozen', async (seed) => {
  const runs = [await settledBy(seed), await settledBy(seed, lastEight())];
  const text = JSON.stringify(runs.map(({ events, measures }) => ({ events, measures })));
  expect(createHash('sha256').update(text).digest('hex').slice(0, 16)).toBe(FROZEN[seed]);
});

it('has the seeds and parameters that were frozen', () => {
  expect(SEEDS).toEqual([11, 23, 37, 41, 59]);
  expect([WORLD.weeks, WORLD.tasksADay, WORLD.retries, MEMORY_TOKENS]).toEqual([4, 6, 2, 1_000]);
});

it('gives the same bytes and measures twice, and others for another seed', async () => {
  const first = await settledBy(SEED);
  const again = await settledBy(SEED);
  const other = await settledBy(OTHER);
  expect(JSON.stringify(again.events)).toBe(JSON.stringify(first.events));
  expect(again.measures).toEqual(first.measures);
  expect(JSON.stringify(other.events)).not.toBe(JSON.stringify(first.events));
});

it('asks the same calls of every arm, at the same hour of the same day', async () => {
  const asked = async (memory: ReturnType<typeof noMemory>) => {
    const calls: string[] = [];
    await settledBy(SEED, {
      ...memory,
      before: (call, agent, at) => {
        calls.push(JSON.stringify(call));
        return memory.before(call, agent, at);
      },
    });
    return calls;
  };
  const without = await asked(noMemory());
  expect(await asked(oracle(buildWorld(SEED, WORLD)))).toEqual(without);
  expect(without.length).toBeGreaterThan(1_000);
});

it('does not let the luck of a call hang on what came before it', () => {
  const world = buildWorld(SEED, WORLD);
  const calls = planTasks(world).flatMap((task) => task.calls);
  const answers = (order: typeof calls) =>
    new Map(
      order.map((call) => {
        const operation = world.operations.find((one) => one.operation === call.operation);
        if (operation === undefined) throw new Error('planned for no operation');
        return [call.id, JSON.stringify(answer(SEED, operation, call, new Map(), 0))];
      }),
    );
  const [forth, back] = [answers(calls), answers([...calls].reverse())];
  for (const { id } of calls) expect(back.get(id)).toBe(forth.get(id));
});

it('settles events that the API takes, under ids of their own, on a clock that only goes forward', async () => {
  const { events, ends, clock } = await settledBy(SEED);
  for (const event of events) expect(parseEvent(event)).toHaveProperty('event');
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
  expect(ends).toEqual(Array.from({ length: WORLD.weeks * WORLD.daysAWeek }, (_, day) => day));
  expect([...clock].sort((a, b) => a - b)).toEqual(clock);
  const tasks = new Set(events.map(({ task }) => task));
  expect(events.filter(({ final }) => final).length).toBe(tasks.size);
  expect(new Set(events.map(({ agent }) => agent)).size).toBe(6);
  expect(new Set(events.map(({ team }) => team)).size).toBe(2);
});
