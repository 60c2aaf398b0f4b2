import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { type CaptureLane, LANE_SECRET } from './support/capture-lane';
import { describeNative } from './support/database';
import {
  asRuntime,
  keyFor,
  RUNTIME_QUEUE,
  runtimeActivities,
  runtimeBundle,
  startAgent,
  startRuntimeLane,
} from './support/native/runtime-lane';
import type { WorkerOrders } from './support/native/worker-process';
import { startOutbox } from './support/outbox';
import { until } from './support/proposal-lane';

jest.setTimeout(180_000);

const ROOT = join(__dirname, '..');
const models = { embedder: createHashedEmbedder(), distiller: null };
const EVENT = { kind: 'observation', outcome: 'neutral', text: 'The importer wants UTF-8.' };
const ASKED = { agent: 'herald', mode: 'child' };
/** Later than the outbox leaves a capture to its workflow. */
const LATER_MS = 60_000;

describeNative('a runtime that is killed after it recorded an event', () => {
  let lane: CaptureLane;
  let workspace: string;
  const running: ChildProcess[] = [];
  beforeAll(async () => {
    lane = await startRuntimeLane('dev');
  });
  afterAll(async () => {
    for (const one of running) one.kill('SIGKILL');
    await lane.stop();
  });
  beforeEach(async () => {
    workspace = await lane.workspace();
  });

  /** Resolves when an event is durable. */
  async function recordsAndDies(orders: Pick<WorkerOrders, 'hangs' | 'workflowBundle'>) {
    const whole: WorkerOrders = {
      ...orders,
      address: lane.env.address,
      namespace: lane.env.namespace ?? 'default',
      taskQueue: RUNTIME_QUEUE,
      databaseUrl: lane.databaseUrl,
      secretKey: LANE_SECRET,
      key: await keyFor(lane, workspace, { kind: 'runtime', id: 'harness' }),
    };
    const script = join(ROOT, 'test', 'support', 'native', 'worker-process.ts');
    const loader = join(ROOT, 'scripts', 'typescript.cjs');
    const child = spawn(process.execPath, ['-r', loader, script, JSON.stringify(whole)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    running.push(child);
    return {
      recorded: new Promise<void>((resolve, reject) => {
        child.stdout.on('data', (chunk: Buffer) => {
          if (chunk.toString().includes('recorded')) resolve();
        });
        child.on('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
      }),
      kill: async () => {
        const exited = new Promise((resolve) => child.on('exit', resolve));
        child.kill('SIGKILL');
        await exited;
      },
    };
  }

  const start = () => startAgent(lane.env.client, 'reportsOne', [ASKED, EVENT]);
  const count = async (table: 'cards' | 'events') => {
    const rows = await lane.rows<{ n: number }>(
      workspace,
      `SELECT count(*)::int AS n FROM ${table}`,
    );
    return rows[0]?.n;
  };

  it('has one card when the step is done again by the next worker', async () => {
    const worker = await recordsAndDies({ hangs: true, workflowBundle: await runtimeBundle() });
    const parent = await start();
    await worker.recorded;
    await worker.kill();
    expect(await count('events')).toBe(1);
    const captured = await lane.working(models, async () =>
      asRuntime(lane.env, await runtimeActivities(lane, workspace), () => parent.result()),
    );
    expect(captured).toMatchObject({ disposition: 'carded', kind: 'knowledge' });
    expect([await count('events'), await count('cards')]).toEqual([1, 1]);
  });

  it('has one card from the outbox, and the next worker finds it', async () => {
    const parent = await start();
    const has = async (what: 'activityTaskScheduled' | 'activityTaskCompleted') => {
      const { events } = await parent.fetchHistory();
      return (events ?? []).some((event) => event[`${what}EventAttributes`] != null);
    };
    // The workflow gets as far as asking, and nobody who runs it is there when it is answered.
    const idle = await runtimeActivities(lane, workspace);
    await asRuntime(lane.env, idle, () => until(() => has('activityTaskScheduled')), {
      enableNonLocalActivities: false,
    });
    const worker = await recordsAndDies({ hangs: false, workflowBundle: null });
    await worker.recorded;
    await until(() => has('activityTaskCompleted'));
    await worker.kill();

    const sender = startOutbox(
      lane.database,
      lane.env.client,
      () => new Date(Date.now() + LATER_MS),
    );
    const captured = await lane.working(models, async () => {
      await until(async () => (await count('cards')) === 1);
      return await asRuntime(lane.env, await runtimeActivities(lane, workspace), () =>
        parent.result(),
      );
    });
    await sender.stop();
    expect(captured).toMatchObject({ disposition: 'carded', kind: 'knowledge' });
    expect([await count('events'), await count('cards')]).toEqual([1, 1]);
  });
});
