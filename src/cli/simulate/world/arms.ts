import type { SettledEvent } from '../../../contracts/event';
import type { World } from './build';
import { closedSlots, type Demand, presentVersion } from './rules';
import type { PlannedCall } from './tasks';

/**
 * A memory under test. All times are epoch milliseconds of the world's own clock, which only goes
 * forward. An arm gets exactly what every other gets; the reader of its text never learns its name.
 */
export interface MemoryArm {
  readonly name: string;
  /** Asked once before a call, not before its retries: the text to read, and its tokens. */
  before(call: PlannedCall, agent: string, at: number): Promise<{ text: string; tokens: number }>;
  /** Told of each event as it settles, a task's end included. What it leads to may be awaited here. */
  settled(event: SettledEvent, at: number): Promise<void>;
  /** After the last task of working day `day` (from 0): time for nightly passes. */
  endOfDay(day: number, at: number): Promise<void>;
}

const nothing = async () => undefined;

/** No memory: each task starts from habit. */
export function noMemory(): MemoryArm {
  return {
    name: 'none',
    before: async () => ({ text: '', tokens: 0 }),
    settled: nothing,
    endOfDay: nothing,
  };
}

/** Knows each rule as it stands: the best that a reader can do. Its tokens are words, roughly. */
export function oracle(world: World): MemoryArm {
  return {
    name: 'oracle',
    before: async (call) => {
      const text = rulesInWords(world, call);
      return { text, tokens: text.split(/\s+/).length };
    },
    settled: nothing,
    endOfDay: nothing,
  };
}

function rulesInWords(world: World, call: PlannedCall): string {
  const operation = world.operations.find((one) => one.operation === call.operation);
  return (operation?.rules ?? [])
    .map((rule) => presentVersion(rule, call.day))
    .map(
      ({ dimension, demand }) =>
        `- ${call.service}.${call.operation}: ${inWords(dimension.param, demand)}.`,
    )
    .join('\n');
}

function inWords(param: string, demand: Demand): string {
  switch (demand.kind) {
    case 'required_field':
      return `${param} must be ${demand.value}`;
    case 'format':
      return `${param} must be written as ${demand.accepted.join(' or ')}`;
    case 'rate_limit':
      return `the limit is ${demand.limit} per batch`;
    case 'maintenance_window':
      return `closed for maintenance on ${closedSlots(demand).join(', ')}`;
    case 'opaque':
      return `mode must be ${demand.mode}`;
    default:
      return demand satisfies never;
  }
}
