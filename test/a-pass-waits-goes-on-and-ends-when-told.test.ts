import { agentNamed, Door, FanOutLane, type Step, until } from './support/fan-out-lane';
import { saveHistory } from './support/histories';

jest.setTimeout(180_000);

let lane: FanOutLane;
beforeAll(async () => {
  lane = await FanOutLane.start();
});
afterAll(() => lane?.stop());

/** Steps that wait before a door of their own until they are let through. */
class Doors {
  readonly steps: Step[] = [];
  private readonly doors = new Map<string, Door>();
  private isOpen = false;

  readonly work = async (step: Step) => {
    this.steps.push(step);
    if (!this.isOpen) await this.of(step).pass();
    return { more: step.step < 2 };
  };

  letThrough(scope: string, step: number): void {
    this.of({ scope, step }).letThrough();
  }

  openAll(): void {
    this.isOpen = true;
    for (const door of this.doors.values()) door.letThrough();
  }

  /** Scope and step of what has begun. */
  begun(): string[] {
    return this.steps.map(({ scope, step }) => `${scope}/${step}`).sort();
  }

  private of({ scope, step }: Pick<Step, 'scope' | 'step'>): Door {
    const key = `${scope}/${step}`;
    const door = this.doors.get(key) ?? new Door();
    this.doors.set(key, door);
    return door;
  }
}

const first = (count: number) => Array.from({ length: count }, (_, n) => `${agentNamed(n + 1)}/1`);
/** Whatever comes of it, no step is left before its door. */
const working = <T>(doors: Doors, body: () => Promise<T>): Promise<T> =>
  lane.working(doors.work, () => body().finally(() => doors.openAll()));
/** Workflow tasks that are on their way have been done by then. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 1_500));

describe('a pass that is paused', () => {
  it('finishes the steps in hand, begins no further unit nor step, and goes on when it is told', async () => {
    const workspace = await lane.workspace(12);
    const doors = new Doors();
    const run = await lane.ask(workspace);
    const result = await working(doors, async () => {
      const passed = lane.passed(workspace, run);
      await until(() => doors.steps.length === 10);
      await lane.order(workspace, run, 'pause');
      await lane.send();
      await settled();
      doors.letThrough('agent-01', 1);
      await settled();
      expect(doors.begun()).toEqual(first(10));
      expect(await lane.run(workspace, run)).toMatchObject({ state: 'running', paused: true });
      const units = await lane.units(workspace, run);
      expect(units.filter(({ state }) => state === 'pending')).toHaveLength(2);

      await lane.order(workspace, run, 'resume');
      await lane.send();
      await until(() => doors.begun().includes('agent-01/2'));
      expect((await lane.run(workspace, run)).paused).toBe(false);
      doors.openAll();
      return await passed;
    });
    expect(result).toMatchObject({ status: 'completed', units: 12, counts: { steps: 24 } });
    expect(doors.steps).toHaveLength(24);
  });

  it('goes by what was said last, in whatever order it arrives', async () => {
    const workspace = await lane.workspace(1);
    const doors = new Doors();
    const run = await lane.ask(workspace);
    await working(doors, async () => {
      const passed = lane.passed(workspace, run);
      await until(() => doors.steps.length === 1);
      const at = Date.now();
      await lane.order(workspace, run, 'pause', new Date(at));
      await lane.order(workspace, run, 'resume', new Date(at + 5));
      await lane.send(true);
      await settled();
      doors.openAll();
      expect((await passed).counts).toEqual({ steps: 2 });
    });
  });

  it("hears it by Temporal's own tools too, and waits before it has begun a unit", async () => {
    const workspace = await lane.workspace(2);
    const doors = new Doors();
    doors.openAll();
    const run = await lane.ask(workspace);
    await lane.send();
    const handle = lane.handle(workspace, run);
    await handle.signal('pause');
    await working(doors, async () => {
      await settled();
      expect(doors.steps).toEqual([]);
      await handle.signal('resume');
      expect((await handle.result()).units).toBe(2);
    });
  });

  it('is told again where it has not begun yet', async () => {
    const workspace = await lane.workspace(1);
    const run = await lane.ask(workspace);
    await lane.order(workspace, run, 'pause');
    await lane.captures.rows(workspace, "DELETE FROM outbox WHERE action = 'start_pass'");
    expect(await lane.send()).toBe(1);
    expect(await lane.run(workspace, run)).toMatchObject({ state: 'pending', paused: true });
    await lane.captures.rows(workspace, 'DELETE FROM outbox');
  });
});

describe('a pass that is cancelled', () => {
  it('ends with what was done, once what it had in hand has ended', async () => {
    const workspace = await lane.workspace(12);
    const doors = new Doors();
    const run = await lane.ask(workspace);
    await working(doors, async () => {
      const passed = lane.passed(workspace, run);
      passed.catch(() => undefined);
      await until(() => doors.steps.length === 10);
      doors.letThrough('agent-01', 1);
      doors.letThrough('agent-01', 2);
      await until(async () => (await lane.units(workspace, run))[0]?.state === 'completed');
      await until(() => doors.steps.length === 12);
      await lane.order(workspace, run, 'cancel');
      await lane.send();
      await expect(passed).rejects.toThrow();
      doors.openAll();
    });
    const description = await lane.handle(workspace, run).describe();
    expect(description.status.name).toBe('CANCELLED');
    expect(await lane.run(workspace, run)).toMatchObject({
      state: 'cancelled',
      counts: { steps: 2 },
      error: null,
    });
    const units = await lane.units(workspace, run);
    expect(units.map(({ state }) => state)).toEqual(['completed', ...Array(11).fill('cancelled')]);
    expect(await lane.leases(workspace)).toEqual([]);
    for (const { workflow_id, state } of units.slice(1, 11)) {
      const unit = await lane.env.client.workflow.getHandle(workflow_id).describe();
      expect([unit.status.name, state]).toEqual(['CANCELLED', 'cancelled']);
    }
    await saveHistory('fanOut.cancelled', lane.handle(workspace, run));
  });

  it('while it is paused ends too', async () => {
    const workspace = await lane.workspace(1);
    const doors = new Doors();
    const run = await lane.ask(workspace);
    await working(doors, async () => {
      const passed = lane.passed(workspace, run);
      passed.catch(() => undefined);
      await until(() => doors.steps.length === 1);
      await lane.order(workspace, run, 'pause');
      await lane.send();
      await settled();
      await lane.order(workspace, run, 'cancel');
      await lane.send();
      await expect(passed).rejects.toThrow();
      doors.openAll();
    });
    expect(await lane.run(workspace, run)).toMatchObject({ state: 'cancelled', paused: false });
  });

  it('before a worker came by never begins', async () => {
    const workspace = await lane.workspace(1);
    const doors = new Doors();
    const run = await lane.ask(workspace);
    await lane.send();
    await lane.order(workspace, run, 'cancel');
    await lane.send();
    await working(doors, async () => {
      await expect(lane.handle(workspace, run).result()).rejects.toThrow();
    });
    expect(doors.steps).toEqual([]);
    expect((await lane.run(workspace, run)).state).toBe('cancelled');
  });

  it('and is lost, says so in its row all the same, with its units', async () => {
    const workspace = await lane.workspace(1);
    const doors = new Doors();
    const run = await lane.ask(workspace);
    await working(doors, async () => {
      lane.passed(workspace, run).catch(() => undefined);
      await until(() => doors.steps.length === 1);
      await lane.handle(workspace, run).terminate();
      doors.openAll();
    });
    expect((await lane.run(workspace, run)).state).toBe('running');
    await lane.order(workspace, run, 'cancel');
    expect(await lane.send()).toBe(0);
    expect((await lane.run(workspace, run)).state).toBe('cancelled');
    expect(await lane.units(workspace, run)).toMatchObject([{ state: 'cancelled' }]);
    expect(await lane.leases(workspace)).toEqual([]);
  });
});
