import type { PassActivities } from '../src/activities/pass';
import { type Around, agentNamed, FanOutLane, type Step } from './support/fan-out-lane';

jest.setTimeout(180_000);

let lane: FanOutLane;
beforeAll(async () => {
  lane = await FanOutLane.start();
});
afterAll(() => lane?.stop());

/** Each try but the second of each call commits and is never heard of: as of a worker that was killed. */
const losing =
  (...names: (keyof PassActivities)[]): Around =>
  (activities) => {
    const heard = new Set<string>();
    const wrapped = names.map((name) => {
      const step = activities[name] as (input: unknown) => Promise<unknown>;
      return [
        name,
        async (input: unknown) => {
          const done = await step(input);
          const call = `${name} ${JSON.stringify(input)}`;
          if (heard.has(call)) return done;
          heard.add(call);
          throw new Error('the worker was killed');
        },
      ];
    });
    return { ...activities, ...Object.fromEntries(wrapped) };
  };

describe('a pass whose workers are killed after each commit', () => {
  test.each<[string, (keyof PassActivities)[]]>([
    ['as it begins', ['beginPass', 'nextUnits']],
    ['in its units', ['beginUnit', 'holdScope', 'endUnit']],
    ['as it ends', ['endPass']],
    ['everywhere', ['beginPass', 'nextUnits', 'beginUnit', 'holdScope', 'endUnit', 'endPass']],
  ])('%s does each scope once and leaves nothing half done', async (_name, names) => {
    const workspace = await lane.workspace(3);
    await lane.captures.rows(
      workspace,
      `INSERT INTO webhooks (workspace_id, id, sealed, has_secret, events, created_at, changed_at)
       VALUES ($1, 'hook', ''::bytea, false, '{run.failed}', now(), now())`,
      [workspace],
    );
    const steps: Step[] = [];
    const work = async (step: Step) => {
      steps.push(step);
      return { more: false, status: 'partial', stopped_by: 'budget' } as const;
    };
    const run = await lane.ask(workspace);
    const result = await lane.working(work, () => lane.passed(workspace, run), losing(...names));
    expect(steps.map(({ scope }) => scope).sort()).toEqual([1, 2, 3].map(agentNamed));
    expect(result).toMatchObject({ status: 'partial', units: 3, partial: 3, counts: { steps: 3 } });
    expect(await lane.run(workspace, run)).toMatchObject({ state: 'completed', result });
    const units = await lane.units(workspace, run);
    expect(units.map(({ state, number }) => [state, number])).toEqual(
      Array(3).fill(['completed', 1]),
    );
    expect(await lane.leases(workspace)).toEqual([]);
    // Told once, however often it was said.
    expect(await lane.captures.rows(workspace, 'SELECT 1 FROM deliveries')).toHaveLength(1);
  });
});
