import type { SettledEvent } from '../../contracts/event';
import type { MemoryArm } from './world/arms';
import { habitOf, type Operation, type World } from './world/build';
import { dice } from './world/dice';
import { ABSENT, type Choice, choicesOf, type Dimension } from './world/dimensions';
import { decide } from './world/reader/belief';
import type { Fact } from './world/reader/facts';
import { factsIn } from './world/reader/statements';
import { breaks, presentVersion } from './world/rules';
import { answer, type Broken } from './world/service';
import type { PlannedCall } from './world/tasks';

/** An event that taught something about a version of a rule, by failing or by working under it. */
export interface Lesson {
  event: string;
  agent: string;
  team: string;
  day: number;
  worked: boolean;
  /** What was sent; and of a failure, whether its error told the whole rule. */
  choice: Choice;
  tellsAll: boolean;
}

/** One failure of which the fleet had been shown the reason: what was read, what was believed, what is so. */
export interface Repeat {
  call: string;
  agent: string;
  team: string;
  day: number;
  attempt: number;
  /** Of several in one call, the first: as many calls are counted. */
  first: boolean;
  service: string;
  operation: string;
  kind: string;
  param: string;
  /** What was sent, and what is asked for now. */
  choice: Choice;
  demand: unknown;
  version: string;
  habit: Choice;
  /** What the text said about the input, as the reader took it. */
  read: readonly Fact[];
  contradicted: boolean;
  /** Whether something of it says that this choice fails, or names one that holds. */
  toldTruth: boolean;
  /** Earlier events that could have taught it, under this version of the rule. */
  lessons: readonly Lesson[];
  text: string;
}

interface Asked {
  call: PlannedCall;
  text: string;
  attempt: number;
  repeats: number;
}

/**
 * The arm, watched: tells of each repeated mistake as `measures` counts them. It only looks; the arm's answers
 * and the run are the same with it.
 */
export function watched<Arm extends MemoryArm>(
  world: World,
  arm: Arm,
  tell: (repeat: Repeat) => Promise<void>,
): MemoryArm {
  const known = new Set<string>();
  const fresh = new Set<string>();
  const lessons = new Map<string, Lesson[]>();
  const freshLessons: [string, Lesson][] = [];
  let asked: Asked | null = null;

  const failed = async (asked: Asked, event: SettledEvent, broken: Broken): Promise<void> => {
    const { call } = asked;
    const one = `${broken.version.id}=${broken.choice}`;
    if (known.has(broken.version.id) || known.has(one)) {
      await tell(repeatOf(world, asked, broken, lessons.get(broken.version.id) ?? []));
      asked.repeats += 1;
    }
    fresh.add(broken.tellsAll ? broken.version.id : one);
    freshLessons.push([broken.version.id, lessonOf(call, event, broken)]);
  };

  const hear = async (event: SettledEvent): Promise<void> => {
    if (event.final === true) {
      for (const one of fresh) known.add(one);
      for (const [version, lesson] of freshLessons) {
        lessons.set(version, [...(lessons.get(version) ?? []), lesson]);
      }
      fresh.clear();
      freshLessons.length = 0;
      return;
    }
    if (asked === null) return;
    const { call, attempt } = asked;
    const operation = operationOf(world, call);
    const choices = choicesIn(operation, event);
    const said = answer(world.seed, operation, call, choices, attempt);
    if (said.outcome === 'failed' && said.broken !== null) await failed(asked, event, said.broken);
    if (said.outcome === 'worked') {
      for (const rule of operation.rules) {
        const { id, dimension } = presentVersion(rule, call.day);
        const choice = choices.get(dimension.param) ?? ABSENT;
        freshLessons.push([id, lessonOf(call, event, { choice })]);
      }
    }
    asked.attempt += 1;
  };

  return {
    name: arm.name,
    before: async (call, agent, at) => {
      const memory = await arm.before(call, agent, at);
      asked = { call, text: memory.text, attempt: 0, repeats: 0 };
      return memory;
    },
    settled: async (event, at) => {
      await hear(event);
      await arm.settled(event, at);
    },
    endOfDay: (day, at) => arm.endOfDay(day, at),
  };
}

function lessonOf(
  { agent, team, day }: PlannedCall,
  { event_id: event }: SettledEvent,
  { choice, tellsAll }: { choice: Choice; tellsAll?: boolean },
): Lesson {
  const worked = tellsAll === undefined;
  return { event, agent, team, day, worked, choice, tellsAll: tellsAll ?? false };
}

function repeatOf(
  world: World,
  { call, text, attempt, repeats }: Asked,
  { version, choice }: Broken,
  lessons: readonly Lesson[],
): Repeat {
  const operation = operationOf(world, call);
  const { dimension, demand } = version;
  const habit = habitOf(world, operation, call.agent, dimension, call.weekday, call.total);
  // What is said of other days' slots decides nothing today.
  const today = choicesOf(dimension, call.weekday);
  const counts = (one: Choice) => dimension.kind === 'batch' || today.includes(one);
  const read = factsIn(text, call.operation, operation.dimensions).filter(
    ({ param, choices }) => param === dimension.param && choices.some(counts),
  );
  const luck = dice(world.seed, 'guess', call.id, 0, dimension.param);
  const { contradicted } = decide(dimension, call.weekday, habit, read, [], luck);
  return {
    call: call.id,
    agent: call.agent,
    team: call.team,
    day: call.day,
    attempt,
    first: repeats === 0,
    service: call.service,
    operation: call.operation,
    kind: demand.kind,
    param: dimension.param,
    choice,
    demand,
    version: version.id,
    habit,
    read,
    contradicted,
    toldTruth: read.some(({ says, choices }) =>
      says === 'out'
        ? choices.includes(choice)
        : choices.some((one) => counts(one) && !breaks(demand, one)),
    ),
    lessons: lessons.filter((one) =>
      one.worked ? counts(one.choice) : one.tellsAll || one.choice === choice,
    ),
    text,
  };
}

function operationOf(world: World, call: PlannedCall): Operation {
  const operation = world.operations.find((one) => one.operation === call.operation);
  if (operation === undefined) throw new Error(`no operation ${call.operation}`);
  return operation;
}

/** What was chosen, from what was sent. */
function choicesIn(operation: Operation, event: SettledEvent): Map<string, Choice> {
  const input = (event.input ?? {}) as Record<string, unknown>;
  return new Map(
    operation.dimensions.map((dimension) => [
      dimension.param,
      choiceOf(dimension, input[dimension.param]),
    ]),
  );
}

function choiceOf(dimension: Dimension, sent: unknown): Choice {
  if (sent === undefined || sent === null) return ABSENT;
  if (dimension.kind !== 'format') return String(sent);
  const format = dimension.family.formats.find(({ looks }) => looks.test(String(sent)));
  return format?.name ?? String(sent);
}
