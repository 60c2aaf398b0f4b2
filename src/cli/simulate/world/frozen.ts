/**
 * FROZEN before any pass of memory is tuned (docs/simulation.md). A number changed here makes another
 * world: every earlier result is void, and all arms have to be run again on all seeds.
 */

/** The seeds that results are reported on: all of them, always. */
export const SEEDS = [11, 23, 37, 41, 59] as const;

/** Tokens (o200k) that an arm may give to the reader before a call: the default budget of a recall. */
export const MEMORY_TOKENS = 1_000;

export interface WorldParameters {
  weeks: number;
  /** Working days a week, from Monday. */
  daysAWeek: number;
  agentsATeam: number;
  tasksADay: number;
  /** Calls of a task, least and most. */
  calls: readonly [number, number];
  /** Weight of the operation at rank r of a team is 1 / r^zipf. */
  zipf: number;
  /** Share of operations with a second hidden rule. */
  secondRule: number;
  /** Share of operations that fail at random, and how often they do, least and most. */
  flakyShare: number;
  flaky: readonly [number, number];
  /** Share of learnable rules that change once, and when: part of the whole run, earliest and latest. */
  changeShare: number;
  changeAt: readonly [number, number];
  /** Chance that a habit drawn for an operation breaks its rule. */
  badHabit: number;
  /** Chance that an agent shares the habit of the fleet (one model has one habit). */
  sharedHabit: number;
  /** Tries after a failed call. */
  retries: number;
  /** First working day, a Monday, in UTC. */
  start: string;
}

export const WORLD: WorldParameters = {
  weeks: 4,
  daysAWeek: 5,
  agentsATeam: 3,
  tasksADay: 6,
  calls: [2, 3],
  zipf: 0.9,
  secondRule: 0.5,
  flakyShare: 0.25,
  flaky: [0.1, 0.25],
  changeShare: 0.4,
  changeAt: [0.25, 0.75],
  badHabit: 0.85,
  sharedHabit: 0.75,
  retries: 2,
  start: '2026-03-02T00:00:00.000Z',
};
