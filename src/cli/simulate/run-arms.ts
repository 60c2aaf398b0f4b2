import type { Options } from '../../config/options';
import { cairn } from './cairn/arm';
import { startStack } from './cairn/stack';
import { causeInCairn, causeInPile, type Explained } from './causes';
import { pile, type TextEmbedder } from './pile';
import { type Repeat, watched } from './repeats';
import type { ArmName, Ran } from './report';
import { type MemoryArm, noMemory } from './world/arms';
import { buildWorld, type World } from './world/build';
import type { WorldParameters } from './world/frozen';
import { runWorld } from './world/run';
import { midnightOf } from './world/tasks';

export interface Simulation {
  options: Options;
  parameters: WorldParameters;
  passes: boolean;
  grants: boolean;
  embedder(): Promise<TextEmbedder>;
  note(line: string): void;
  /** Told of each repeated mistake with its cause; absent: nobody looks for causes. */
  trace?(line: Record<string, unknown>): void;
}

/** One arm through the world of one seed, with all that it needs and nothing of an earlier run. */
export async function runArm(name: ArmName, seed: number, simulation: Simulation): Promise<Ran> {
  const world = buildWorld(seed, simulation.parameters);
  switch (name) {
    case 'none':
      return await ranBy(name, world, simulation, noMemory());
    case 'pile': {
      const arm = pile(await simulation.embedder());
      const explain = async (repeat: Repeat) => causeInPile(repeat, arm.shown);
      return await ranBy(name, world, simulation, arm, { explain });
    }
    case 'cairn':
      return await ranByCairn(world, simulation);
    default:
      return name satisfies never;
  }
}

async function ranByCairn(world: World, simulation: Simulation): Promise<Ran> {
  const { options, note, passes, grants, trace } = simulation;
  const stack = await startStack(options, world.seed, midnightOf(world, 0), note);
  try {
    const arm = await cairn(stack, world, { passes, grants, explain: trace !== undefined });
    return await ranBy('cairn', world, simulation, arm, {
      explain: (repeat) => causeInCairn(repeat, arm),
      notes: arm.notes,
    });
  } finally {
    await stack.stop();
  }
}

async function ranBy(
  name: ArmName,
  world: World,
  { note, trace, parameters }: Simulation,
  arm: MemoryArm,
  of: {
    explain?: (repeat: Repeat) => Promise<Explained>;
    notes?: () => Record<string, unknown>;
  } = {},
): Promise<Ran> {
  const causes: Record<string, number> = {};
  const { explain } = of;
  const looked =
    trace === undefined || explain === undefined
      ? arm
      : watched(world, arm, async (repeat) => {
          const explained = await explain(repeat);
          const { cause, missing } = explained;
          const why = missing === null ? cause : `${cause}, ${missing}`;
          if (repeat.first) causes[why] = (causes[why] ?? 0) + 1;
          trace({ arm: name, seed: world.seed, ...explained, ...repeat });
        });
  const started = performance.now();
  const days = parameters.weeks * parameters.daysAWeek;
  const measures = await runWorld(
    world.seed,
    {
      ...looked,
      endOfDay: async (day, at) => {
        await looked.endOfDay(day, at);
        const seconds = Math.round((performance.now() - started) / 1000);
        if (name === 'cairn') note(`  day ${day + 1} of ${days}, ${seconds} s`);
      },
    },
    { parameters },
  );
  const notes = { ...of.notes?.(), ...(Object.keys(causes).length > 0 ? { causes } : {}) };
  return {
    arm: name,
    seed: world.seed,
    seconds: (performance.now() - started) / 1000,
    measures,
    notes,
  };
}
