import { ApplicationFailure } from '@temporalio/common';
import { agentNamed, DONE, Door, FanOutLane, type Step, until } from './support/fan-out-lane';
import { saveHistory } from './support/histories';

jest.setTimeout(180_000);

let lane: FanOutLane;
beforeAll(async () => {
  lane = await FanOutLane.start();
});
afterAll(() => lane?.stop());

const scopesOf = (steps: readonly Step[]) => steps.map(({ scope }) => scope).sort();
const agents = (count: number) => Array.from({ length: count }, (_, n) => agentNamed(n + 1));

describe('a pass over a workspace', () => {
  it('does each scope once, ten at a time and no more, and adds up what they did', async () => {
    const workspace = await lane.workspace(25);
    const steps: Step[] = [];
    let at = 0;
    let most = 0;
    const work = async (step: Step) => {
      steps.push(step);
      at += 1;
      most = Math.max(most, at);
      // Until as many are there as ever will be.
      for (let look = 0; look < 40 && most < 10; look += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      at -= 1;
      return { more: step.step < 2 };
    };
    const run = await lane.ask(workspace);
    const result = await lane.working(work, () => lane.passed(workspace, run));
    expect(most).toBe(10);
    expect(scopesOf(steps.filter(({ step }) => step === 1))).toEqual(agents(25));
    expect(result).toMatchObject({
      status: 'completed',
      units: 25,
      partial: 0,
      failed: 0,
      counts: { steps: 50 },
      named: [],
    });
    expect(await lane.run(workspace, run)).toMatchObject({
      state: 'completed',
      counts: { steps: 50 },
      result,
    });
    const units = await lane.units(workspace, run);
    expect(units.map(({ state, scope_id }) => [state, scope_id])).toEqual(
      agents(25).map((agent) => ['completed', agent]),
    );
    expect(units[0]?.workflow_id).toBe(
      `consolidate/${workspace}/agent:agent-01/${String(result.day)}`,
    );
    expect(await lane.leases(workspace)).toEqual([]);
  });

  it('has a record that a replay is held to', async () => {
    const workspace = await lane.workspace(3);
    const run = await lane.ask(workspace);
    const result = await lane.working(
      async () => DONE,
      () => lane.passed(workspace, run),
    );
    expect(result.units).toBe(3);
    await saveHistory('fanOut.swept', lane.handle(workspace, run));
  });

  it('loses and repeats no scope where it continues as new', async () => {
    const workspace = await lane.workspace(7);
    const steps: Step[] = [];
    const run = await lane.ask(workspace);
    const work = async (step: Step) => {
      steps.push(step);
      return DONE;
    };
    const { result, first } = await lane.working(work, async () => {
      const handle = await lane.startDirectly(workspace, run, { units_a_run: 2 });
      const first = lane.env.client.workflow.getHandle(
        handle.workflowId,
        handle.firstExecutionRunId,
      );
      return { result: await handle.result(), first };
    });
    expect(scopesOf(steps)).toEqual(agents(7));
    expect(result).toMatchObject({ status: 'completed', units: 7, counts: { steps: 7 } });
    expect(await lane.units(workspace, run)).toHaveLength(7);
    expect((await first.describe()).status.name).toBe('CONTINUED_AS_NEW');
    await saveHistory('fanOut.continued', first);
  });

  it('over one scope does that one, under the next number of its day', async () => {
    const workspace = await lane.workspace(2);
    const scope = { type: 'agent', id: 'agent-02' } as const;
    const ids: string[] = [];
    for (let time = 1; time <= 2; time += 1) {
      const run = await lane.ask(workspace, scope);
      await lane.working(
        async () => DONE,
        () => lane.passed(workspace, run),
      );
      ids.push(...(await lane.units(workspace, run)).map(({ workflow_id }) => workflow_id));
    }
    const [first, second] = ids;
    expect(ids).toHaveLength(2);
    expect(first).toMatch(/\/agent:agent-02\/\d{4}-\d\d-\d\d$/);
    expect(second).toBe(`${first}/2`);
  });
});

describe('a unit that did not do all', () => {
  it('is named with its reason, and the pass is partial and announced', async () => {
    const workspace = await lane.workspace(4);
    await lane.captures.rows(
      workspace,
      `INSERT INTO webhooks (workspace_id, id, sealed, has_secret, events, created_at, changed_at)
       VALUES ($1, 'hook', ''::bytea, false, '{run.failed}', now(), now())`,
      [workspace],
    );
    const work = async ({ scope, step }: Step) => {
      if (scope === 'agent-02' && step === 2) {
        throw ApplicationFailure.nonRetryable('model_refused', 'model_refused');
      }
      if (scope === 'agent-03') {
        return { more: false, status: 'partial', stopped_by: 'budget' } as const;
      }
      return { more: scope === 'agent-02' };
    };
    const run = await lane.ask(workspace);
    const result = await lane.working(work, () => lane.passed(workspace, run));
    expect(result).toMatchObject({ status: 'partial', units: 4, partial: 1, failed: 1 });
    // What the failed one did before counts too.
    expect(result.counts).toEqual({ steps: 4 });
    const named = result.named.map(({ scope, reason }) => [scope.id, reason]);
    expect(named.sort()).toEqual([
      ['agent-02', 'model_refused'],
      ['agent-03', 'budget'],
    ]);
    const units = await lane.units(workspace, run);
    expect(units.map(({ state, error }) => [state, error])).toEqual([
      ['completed', null],
      ['failed', 'model_refused'],
      ['completed', null],
      ['completed', null],
    ]);
    const told = await lane.captures.rows(workspace, 'SELECT type, data FROM deliveries');
    expect(told).toEqual([
      {
        type: 'run.failed',
        data: { run_id: run, run_type: 'consolidation', status: 'partial' },
      },
    ]);
    expect(await lane.leases(workspace)).toEqual([]);
    await saveHistory('fanOut.partial', lane.handle(workspace, run));
  });

  it('was cancelled or terminated by itself: the others go on, and its row says how it ended', async () => {
    const workspace = await lane.workspace(3);
    let waiting = 0;
    const door = new Door();
    const work = async ({ scope }: Step) => {
      if (scope === 'agent-03') return DONE;
      waiting += 1;
      await door.pass();
      return DONE;
    };
    const run = await lane.ask(workspace);
    const result = await lane.working(work, async () => {
      const passed = lane.passed(workspace, run);
      await until(() => waiting === 2);
      const [one, other] = await lane.units(workspace, run);
      await lane.env.client.workflow.getHandle(one?.workflow_id ?? '').cancel();
      await lane.env.client.workflow.getHandle(other?.workflow_id ?? '').terminate();
      return await passed.finally(() => door.letThrough());
    });
    expect(result).toMatchObject({ status: 'partial', units: 3, failed: 2 });
    expect(result.named.map(({ reason }) => reason).sort()).toEqual([
      'cancelled',
      'internal_error',
    ]);
    const units = await lane.units(workspace, run);
    expect(units.map(({ state, error }) => [state, error])).toEqual([
      ['cancelled', null],
      ['failed', 'lost'],
      ['completed', null],
    ]);
    expect(await lane.leases(workspace)).toEqual([]);
  });
});
