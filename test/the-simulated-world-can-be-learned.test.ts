import { oracle } from '../src/cli/simulate/world/arms';
import { buildWorld } from '../src/cli/simulate/world/build';
import { SEEDS, WORLD } from '../src/cli/simulate/world/frozen';
import { planTasks } from '../src/cli/simulate/world/tasks';
import { settledBy } from './support/simulated';

describe.each(SEEDS)('the world of seed %i', (seed) => {
  const world = buildWorld(seed, WORLD);
  const rules = world.operations.flatMap((operation) => operation.rules);

  it('makes an agent without memory repeat its mistakes', async () => {
    const { measures } = await settledBy(seed);
    expect(measures.repeatedMistakeRate).toBeGreaterThan(0.5);
    expect(measures.opportunities).toBeGreaterThan(1_000);
    expect(measures.promptTokens).toBe(0);
    expect(measures.repeatedMistakes).toBeLessThanOrEqual(measures.ruleFailures);
    expect(measures.ruleFailures + measures.flakyFailures).toBe(measures.failures);
    for (const count of Object.values(measures.repeatedByKind)) expect(count).toBeGreaterThan(0);
  });

  it('lets an agent that knows the rules fail by chance alone', async () => {
    const { measures } = await settledBy(seed, oracle(world));
    expect(measures.ruleFailures).toBe(0);
    expect(measures.flakyFailures).toBeGreaterThan(0);
    expect(measures.taskSuccess).toBeGreaterThan(0.98);
    expect(measures.contradictionsShown).toBe(0);
  });

  it('changes some rules while it runs, and no rule after', () => {
    const changed = rules.filter(({ versions }) => versions.length > 1);
    expect(changed.length).toBeGreaterThan(3);
    expect(changed.length).toBeLessThan(rules.length);
    for (const { versions } of changed) {
      const [before, after] = versions;
      expect(after?.since).toBeGreaterThan(before?.since ?? 0);
      expect(after?.since).toBeLessThan(WORLD.weeks * WORLD.daysAWeek);
      expect([after?.dimension.param, after?.demand]).not.toEqual([
        before?.dimension.param,
        before?.demand,
      ]);
    }
  });

  it('has every kind of rule, and operations that fail by chance', () => {
    expect(new Set(rules.map(({ kind }) => kind)).size).toBe(5);
    expect(world.operations.some(({ flaky }) => flaky >= 0.1 && flaky <= 0.25)).toBe(true);
    expect(new Set(world.operations.map(({ service }) => service)).size).toBe(8);
  });

  it('has both teams use most of its operations', () => {
    const calls = planTasks(world).flatMap((task) => task.calls);
    for (const team of new Set(calls.map((call) => call.team))) {
      const used = new Set(
        calls.filter((call) => call.team === team).map((call) => call.operation),
      );
      expect(used.size).toBeGreaterThan(18);
    }
  });
});
