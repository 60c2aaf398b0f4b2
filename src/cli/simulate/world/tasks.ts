import type { JsonObject } from '../../../contracts/event';
import { habitOf, type Operation, type World } from './build';
import { dice } from './dice';
import { type Choice, type Dimension, sentAs } from './dimensions';

/** A call that a task asks for, as its agent sees it before it chooses. */
export interface PlannedCall {
  /** Names the call in the whole run. */
  id: string;
  /** Working day from 0, and its weekday (0 is Monday). */
  day: number;
  weekday: number;
  agent: string;
  team: string;
  task: string;
  session: string;
  service: string;
  operation: string;
  /** In words, such as `send newsletter amber-4 to 180 customers`. */
  goal: string;
  /** What the agent would send out of habit: what it can say when it asks its memory. */
  intended: JsonObject;
  thing: string;
  total: number;
  /** What a format writes: a day, a length, a country. */
  datum: number;
}

export interface PlannedTask {
  id: string;
  session: string;
  agent: string;
  team: string;
  day: number;
  /** Epoch milliseconds. */
  startsAt: number;
  calls: readonly PlannedCall[];
}

const TEAMS = ['north', 'harbour'] as const;
const THINGS = ['amber', 'cobalt', 'fern', 'granite', 'linden', 'marble', 'quartz', 'willow'];
const DAY_MS = 86_400_000;
const OPENS_MS = 8 * 3_600_000;
/** The tasks of a day lie apart, so that what one has settled is there for the next. */
const WORKING_MS = 10 * 3_600_000;

export function agentsOf(world: World): { agent: string; team: string }[] {
  return TEAMS.flatMap((team) =>
    Array.from({ length: world.parameters.agentsATeam }, (_, i) => ({
      agent: `${team}-${i + 1}`,
      team,
    })),
  );
}

/** Midnight (UTC) of a working day, in epoch milliseconds. */
export function midnightOf(world: World, day: number): number {
  const { daysAWeek, start } = world.parameters;
  const calendarDay = Math.floor(day / daysAWeek) * 7 + (day % daysAWeek);
  return Date.parse(start) + calendarDay * DAY_MS;
}

/** All tasks in the order in which they start; nothing in them hangs on what an arm does. */
export function planTasks(world: World): PlannedTask[] {
  const days = world.parameters.weeks * world.parameters.daysAWeek;
  const favourites = new Map(TEAMS.map((team) => [team as string, favouritesOf(world, team)]));
  return Array.from({ length: days }, (_, day) => {
    const luck = dice(world.seed, 'day', day);
    const turns = luck.shuffled(
      agentsOf(world).flatMap(
        (one) => Array(world.parameters.tasksADay).fill(one) as (typeof one)[],
      ),
    );
    return turns.map(({ agent, team }, turn) => {
      const id = `task-${day * turns.length + turn + 1}`;
      const startsAt =
        midnightOf(world, day) + OPENS_MS + Math.floor((turn * WORKING_MS) / turns.length);
      return planTask(world, favourites.get(team) ?? [], { id, agent, team, day, startsAt });
    });
  }).flat();
}

/** A team's operations by how often it uses them: each has its own order, and both use nearly all. */
function favouritesOf(world: World, team: string): Operation[] {
  return dice(world.seed, 'favourites', team).shuffled(world.operations);
}

function planTask(
  world: World,
  favourites: readonly Operation[],
  head: { id: string; agent: string; team: string; day: number; startsAt: number },
): PlannedTask {
  const luck = dice(world.seed, 'task', head.id);
  const [least, most] = world.parameters.calls;
  const session = `session-${head.id.slice(5)}`;
  const weekday = head.day % world.parameters.daysAWeek;
  const calls = Array.from({ length: luck.whole(least, most) }, (_, at): PlannedCall => {
    const operation = byRank(favourites, world.parameters.zipf, luck.next());
    const thing = `${luck.pick(THINGS)}-${luck.whole(1, 9)}`;
    const total = luck.whole(3, 24) * 10;
    const datum = luck.whole(1, 40);
    const habits = operation.dimensions.map(
      (dimension) =>
        [dimension, habitOf(world, operation, head.agent, dimension, weekday, total)] as const,
    );
    return {
      id: `${head.id}/${at + 1}`,
      day: head.day,
      weekday,
      agent: head.agent,
      team: head.team,
      task: head.id,
      session,
      service: operation.service,
      operation: operation.operation,
      goal: operation.goal.replace('{thing}', thing).replace('{total}', String(total)),
      intended: inputOf(operation, thing, habits, datum),
      thing,
      total,
      datum,
    };
  });
  return { ...head, session, calls };
}

function byRank(favourites: readonly Operation[], zipf: number, at: number): Operation {
  const weights = favourites.map((_, rank) => 1 / (rank + 1) ** zipf);
  let left = at * weights.reduce((sum, weight) => sum + weight, 0);
  const found = favourites.find((_, rank) => {
    left -= weights[rank] ?? 0;
    return left < 0;
  });
  const operation = found ?? favourites[favourites.length - 1];
  if (operation === undefined) throw new Error('a team has operations');
  return operation;
}

/** The input of a call: what it is about, then what was chosen; a field left out is not there. */
export function inputOf(
  operation: Operation,
  thing: string,
  choices: readonly (readonly [Dimension, Choice])[],
  datum: number,
): JsonObject {
  const chosen = choices.flatMap(([dimension, choice]) => {
    const value = sentAs(dimension, choice, datum);
    return value === null ? [] : [[dimension.param, value] as const];
  });
  return Object.fromEntries([[operation.subject, thing] as const, ...chosen]);
}
