import { causeInPile } from '../src/cli/simulate/causes';
import { pile } from '../src/cli/simulate/pile';
import { type Repeat, watched } from '../src/cli/simulate/repeats';
import { tokensOf } from '../src/cli/simulate/tokens';
import { noMemory } from '../src/cli/simulate/world/arms';
import { buildWorld } from '../src/cli/simulate/world/build';
import { MEMORY_TOKENS, SEEDS, WORLD } from '../src/cli/simulate/world/frozen';
import { intervalOf } from '../src/cli/simulate/world/interval';
import type { Measures } from '../src/cli/simulate/world/measures';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { runCommand } from './support/cli';
import { settledBy } from './support/simulated';

const SMALL = { ...WORLD, weeks: 1, agentsATeam: 2, tasksADay: 3 };
const SEED = 11;
const world = buildWorld(SEED, SMALL);
const options = { parameters: SMALL };

it('is the same twice, to the byte, and so is no memory', async () => {
  const [first, again] = [
    await settledBy(SEED, pile(createHashedEmbedder()), options),
    await settledBy(SEED, pile(createHashedEmbedder()), options),
  ];
  expect(again).toEqual(first);
  expect(await settledBy(SEED, noMemory(), options)).toEqual(
    await settledBy(SEED, noMemory(), options),
  );
});

it('pastes whole records of calls, of anybody, that are settled by then, and never above the budget', async () => {
  const arm = pile(createHashedEmbedder());
  const settled = new Set<string>();
  const texts: string[] = [];
  await settledBy(
    SEED,
    {
      ...arm,
      before: async (call, agent, at) => {
        const memory = await arm.before(call, agent, at);
        expect(memory.tokens).toBe(tokensOf(memory.text));
        expect(memory.tokens).toBeLessThanOrEqual(MEMORY_TOKENS);
        const lines = memory.text === '' ? [] : memory.text.split('\n');
        for (const line of lines) expect(settled.has(line)).toBe(true);
        expect(lines.length).toBe(arm.shown().size);
        texts.push(memory.text);
        return memory;
      },
      settled: async (event, at) => {
        if (event.kind === 'service_call') settled.add(JSON.stringify(event));
        await arm.settled(event, at);
      },
    },
    options,
  );
  const agents = (text: string) => new Set(text.match(/"agent":"[^"]+"/g));
  expect(texts.filter((text) => agents(text).size > 1).length).toBeGreaterThan(texts.length / 2);
  // Once there is enough to choose from, the budget is used.
  expect(tokensOf(texts.at(-1) ?? '')).toBeGreaterThan(MEMORY_TOKENS * 0.8);
});

it('tells the cause of each repeated mistake that is counted, and changes none by looking', async () => {
  const bare = await settledBy(SEED, pile(createHashedEmbedder()), options);
  const arm = pile(createHashedEmbedder());
  const repeats: Repeat[] = [];
  const causes: string[] = [];
  const looked = watched(world, arm, async (repeat) => {
    repeats.push(repeat);
    causes.push(causeInPile(repeat, arm.shown).cause);
  });
  const { measures } = await settledBy(SEED, looked, options);
  expect(measures).toEqual(bare.measures);
  expect(repeats.length).toBe(measures.repeatedMistakes);
  expect(repeats.filter(({ first }) => first).length).toBe(measures.repeatedCalls);
  expect(measures.repeatedCalls).toBeGreaterThan(0);
  // A pile hides nothing from anybody.
  const hidden = ['not_shared', 'other_team', 'too_fresh', 'retired', 'not_kept'];
  expect(causes.filter((cause) => hidden.includes(cause))).toEqual([]);
});

it('is one of the arms that the command runs, on the frozen seeds alone', async () => {
  const none = await runCommand(
    ['simulate', '--seeds', '2', '--arms', 'none', '--weeks', '1', '--json'],
    {
      CAIRN_EMBEDDING_MODEL: 'none',
    },
  );
  expect(none.code).toBe(0);
  const report = JSON.parse(none.out);
  expect(report.seeds).toEqual(SEEDS.slice(0, 2));
  const rates = report.runs.map((one: { measures: Measures }) => one.measures.repeatedMistakeRate);
  expect(report.arms.none.repeated_mistake_rate).toEqual(intervalOf(rates));
  expect((await runCommand(['simulate', '--seeds', '12'], {})).code).toBe(2);
  expect((await runCommand(['simulate', '--arms', 'heap'], {})).code).toBe(2);
});
