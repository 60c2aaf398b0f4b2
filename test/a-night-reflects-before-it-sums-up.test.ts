import { nights } from '../src/cli/simulate/cairn/nights';
import type { World } from '../src/cli/simulate/world/build';
import type { CairnClient } from '../src/client/client';
import { DEFAULT_POLICY } from '../src/domain/policy';

const ORDER = ['retention', 'reflection', 'consolidation'] as const;

// A note takes the place of its episodes: what reads those has to have read them before.
test('by the policy retention comes first, then reflection, then consolidation', () => {
  const hours = ORDER.map((pass) => DEFAULT_POLICY[pass].at);
  expect([...hours].sort()).toEqual(hours);
  expect(new Set(hours).size).toBe(ORDER.length);
});

test('a night of the simulation asks for them in that order, each when the one before is done', async () => {
  const told: string[] = [];
  const owner = {
    request: async (_method: string, path: string) => {
      told.push(path);
      return { operation_id: path };
    },
    operations: {
      wait: async (id: string) => {
        told.push(`${id} done`);
        return { state: 'completed', result: null };
      },
    },
  } as unknown as CairnClient;
  const world = { parameters: { weeks: 2, daysAWeek: 5, seed: 1 } } as unknown as World;
  await nights(owner, world).after(9);
  expect(told).toEqual(
    [...ORDER, 'recalibration'].flatMap((pass) => [`/v1/runs/${pass}`, `/v1/runs/${pass} done`]),
  );
});
