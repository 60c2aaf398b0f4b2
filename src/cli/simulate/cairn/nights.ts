import type { CairnClient } from '../../../client/client';
import type { JsonObject } from '../../../contracts/event';
import type { World } from '../world/build';
import { midnightOf } from '../world/tasks';

/** In the order of the hours at which the policy has them. */
const NIGHTLY = ['retention', 'reflection', 'consolidation'] as const;
type Pass = (typeof NIGHTLY)[number] | 'recalibration';

/** A night of a small workspace takes seconds; a machine that does other things too takes longer. */
const DEADLINE_MS = 600_000;

/** The passes of one night, asked for one after the other and waited for; counts add up by pass. */
export function nights(owner: CairnClient, world: World) {
  const counts: Record<string, Record<string, number>> = {};
  const run = async (type: Pass): Promise<void> => {
    const { operation_id } = await owner.request<{ operation_id: string }>(
      'POST',
      `/v1/runs/${type}`,
      { body: {} },
    );
    const { state, result } = await owner.operations.wait(operation_id, {
      deadlineMs: DEADLINE_MS,
    });
    const { status, counts: done } = (result ?? {}) as { status?: string; counts?: JsonObject };
    const sums = counts[type] ?? {};
    counts[type] = sums;
    const ended = status ?? state;
    sums[ended] = (sums[ended] ?? 0) + 1;
    for (const [name, count] of Object.entries(done ?? {})) {
      if (typeof count === 'number') sums[name] = (sums[name] ?? 0) + count;
    }
  };
  return {
    counts,
    async after(day: number): Promise<void> {
      for (const type of NIGHTLY) await run(type);
      if (isLastOfMonth(world, day)) await run('recalibration');
    },
  };
}

/** Of the working days of a month the last, and the last of the run. */
function isLastOfMonth(world: World, day: number): boolean {
  const { weeks, daysAWeek } = world.parameters;
  if (day === weeks * daysAWeek - 1) return true;
  const month = (of: number) => new Date(midnightOf(world, of)).getUTCMonth();
  return month(day) !== month(day + 1);
}
