import { type CallResult, makeCall, TRY_MS } from './agent';
import type { MemoryArm } from './arms';
import { buildWorld, type World } from './build';
import { eventsOf } from './events';
import { WORLD, type WorldParameters } from './frozen';
import { type Measures, tally } from './measures';
import type { Fact } from './reader/facts';
import { presentVersion } from './rules';
import { midnightOf, type PlannedTask, planTasks } from './tasks';

export interface RunOptions {
  /** Other than the frozen ones only in tests: results are reported on those alone. */
  parameters?: WorldParameters;
}

const NIGHT_MS = 22 * 3_600_000;

/**
 * One arm through one world. The world, its tasks and its luck are the same for every arm of a seed.
 * An arm's rejection ends the run with it.
 */
export async function runWorld(
  seed: number,
  arm: MemoryArm,
  options: RunOptions = {},
): Promise<Measures> {
  const world = buildWorld(seed, options.parameters ?? WORLD);
  const events = eventsOf(seed);
  const counted = tally(seed, arm.name);
  const plan = planTasks(world);
  const days = world.parameters.weeks * world.parameters.daysAWeek;
  for (let day = 0; day < days; day += 1) {
    for (const task of plan.filter((one) => one.day === day)) {
      await runTask(world, task, arm, events, counted);
    }
    await arm.endOfDay(day, midnightOf(world, day) + NIGHT_MS);
  }
  return counted.done();
}

async function runTask(
  world: World,
  task: PlannedTask,
  arm: MemoryArm,
  events: ReturnType<typeof eventsOf>,
  counted: ReturnType<typeof tally>,
): Promise<void> {
  const own = new Map<string, Fact[]>();
  const results: CallResult[] = [];
  let at = task.startsAt;
  // A call that failed for good does not end the task: every arm faces the same calls.
  for (const call of task.calls) {
    const operation = world.operations.find((one) => one.operation === call.operation);
    if (operation === undefined) throw new Error(`no operation ${call.operation}`);
    const result = await makeCall(world, operation, call, arm, own, events, at);
    counted.call(
      result,
      operation.rules.map((rule) => presentVersion(rule, call.day).id),
    );
    results.push(result);
    at += result.attempts.length * TRY_MS;
  }
  const worked = results.filter((one) => one.attempts.some(({ outcome }) => outcome === 'worked'));
  const event = events.end(task, worked.length, at);
  await arm.settled(event, at);
  counted.taskEnded(results, worked.length === task.calls.length);
}
