import { Door, FanOutLane, type Step, until } from './support/fan-out-lane';

jest.setTimeout(180_000);

let lane: FanOutLane;
beforeAll(async () => {
  lane = await FanOutLane.start('100ms');
});
afterAll(() => lane?.stop());

const SCOPE = { type: 'agent', id: 'agent-01' } as const;

describe('two passes over one scope', () => {
  it('work on it one after the other', async () => {
    const workspace = await lane.workspace(1);
    const [one, other] = [await lane.ask(workspace, SCOPE), await lane.ask(workspace, SCOPE)];
    const steps: Step[] = [];
    const door = new Door();
    const work = async (step: Step) => {
      steps.push(step);
      // The other one has looked at the scope by then, and found it taken.
      if (steps.length === 1) await door.pass();
      return { more: step.step < 2 };
    };
    const results = await lane.working(work, async () => {
      await lane.send();
      await until(() => steps.length === 1);
      await until(async () => {
        const [unit] = await lane.units(workspace, steps[0]?.parent === one ? other : one);
        return unit?.state === 'running';
      });
      expect(await lane.leases(workspace)).toHaveLength(1);
      door.letThrough();
      return await Promise.all([one, other].map((run) => lane.handle(workspace, run).result()));
    });
    expect(results).toMatchObject([
      { status: 'completed', counts: { steps: 2 } },
      { status: 'completed', counts: { steps: 2 } },
    ]);
    const [first] = steps;
    const second = first?.parent === one ? other : one;
    expect(steps.map(({ parent, step }) => [parent, step])).toEqual([
      [first?.parent, 1],
      [first?.parent, 2],
      [second, 1],
      [second, 2],
    ]);
    expect(await lane.leases(workspace)).toEqual([]);
  });

  it('where one holds it for too long, the other leaves it and says so', async () => {
    const workspace = await lane.workspace(1);
    const run = await lane.ask(workspace, SCOPE);
    await lane.captures.rows(
      workspace,
      `INSERT INTO scope_leases (workspace_id, scope_type, scope_id, run_id, workflow_id, until)
       VALUES ($1, 'agent', 'agent-01', 'another', 'w', now() + interval '1 day')`,
      [workspace],
    );
    const steps: Step[] = [];
    const work = async (step: Step) => {
      steps.push(step);
      return { more: false };
    };
    const result = await lane.working(work, () => lane.passed(workspace, run));
    expect(result).toMatchObject({ status: 'partial', named: [{ reason: 'scope_busy' }] });
    expect(steps).toEqual([]);
    // It was never its own to give back.
    expect(await lane.leases(workspace)).toMatchObject([{ run_id: 'another' }]);
  });

  it("a hold that ran out is anybody's", async () => {
    const workspace = await lane.workspace(1);
    const run = await lane.ask(workspace, SCOPE);
    await lane.captures.rows(
      workspace,
      `INSERT INTO scope_leases (workspace_id, scope_type, scope_id, run_id, workflow_id, until)
       VALUES ($1, 'agent', 'agent-01', 'dead', 'w', now() - interval '1 second')`,
      [workspace],
    );
    const result = await lane.working(
      async () => ({ more: false }),
      () => lane.passed(workspace, run),
    );
    expect(result.status).toBe('completed');
  });
});
