import type { SettledEvent } from '../../../contracts/event';
import type { MemoryArm } from './arms';
import { habitOf, type Operation, type World } from './build';
import { dice } from './dice';
import type { Choice } from './dimensions';
import type { eventsOf } from './events';
import { decide } from './reader/belief';
import type { Fact } from './reader/facts';
import { factsIn, factsOfFailure } from './reader/statements';
import { answer, type Broken } from './service';
import { inputOf, type PlannedCall } from './tasks';

export interface Attempt {
  at: number;
  event: SettledEvent;
  outcome: 'worked' | 'failed';
  /** The rule that it broke; null where it worked or failed by chance. */
  broken: Broken | null;
}

export interface CallResult {
  call: PlannedCall;
  attempts: readonly Attempt[];
  tokens: number;
  /** Dimensions about which the text that was read contradicts itself. */
  contradictions: number;
}

/** A try takes a minute of the world's clock. */
export const TRY_MS = 60_000;

/**
 * One agent makes one call: it reads once, chooses, and after a failure tries again with what the error
 * taught it. `own` is what this task has taught about each operation so far; it is added to here.
 */
export async function makeCall(
  world: World,
  operation: Operation,
  call: PlannedCall,
  arm: MemoryArm,
  own: Map<string, Fact[]>,
  events: ReturnType<typeof eventsOf>,
  startsAt: number,
): Promise<CallResult> {
  const memory = await arm.before(call, call.agent, startsAt);
  const read = factsIn(memory.text, operation.operation, operation.dimensions);
  const learned = own.get(operation.operation) ?? [];
  own.set(operation.operation, learned);
  const attempts: Attempt[] = [];
  let contradictions = 0;
  for (let tried = 0; tried <= world.parameters.retries; tried += 1) {
    const chosen = choose(world, operation, call, read, learned, tried);
    if (tried === 0) contradictions = chosen.contradictions;
    const pairs = operation.dimensions.map(
      (dimension) => [dimension, chosen.choices.get(dimension.param) ?? ''] as const,
    );
    const input = inputOf(operation, call.thing, pairs, call.datum);
    const said = answer(world.seed, operation, call, chosen.choices, tried);
    const at = startsAt + tried * TRY_MS;
    const event = events.call(call, input, said, at);
    await arm.settled(event, at);
    const broken = said.outcome === 'failed' ? said.broken : null;
    attempts.push({ at, event, outcome: said.outcome, broken });
    if (said.outcome === 'worked') break;
    // The error is read as any other text is.
    learned.push(...factsOfFailure(input, said.error, operation.dimensions));
  }
  return { call, attempts, tokens: memory.tokens, contradictions };
}

function choose(
  world: World,
  operation: Operation,
  call: PlannedCall,
  read: readonly Fact[],
  learned: readonly Fact[],
  tried: number,
): { choices: Map<string, Choice>; contradictions: number } {
  const decisions = operation.dimensions.map((dimension) => {
    const habit = habitOf(world, operation, call.agent, dimension, call.weekday, call.total);
    const luck = dice(world.seed, 'guess', call.id, tried, dimension.param);
    const decision = decide(dimension, call.weekday, habit, read, learned, luck);
    return { param: dimension.param, ...decision };
  });
  return {
    choices: new Map(decisions.map(({ param, choice }) => [param, choice])),
    contradictions: decisions.filter(({ contradicted }) => contradicted).length,
  };
}
