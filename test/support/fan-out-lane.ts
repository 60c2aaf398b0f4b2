import type { WorkflowHandle, WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import pino from 'pino';
import { createPassActivities, type PassActivities } from '../../src/activities/pass';
import { sanitizingInterceptor } from '../../src/activities/sanitize';
import { workflowStarter } from '../../src/api/workflow-starter';
import type { CardScope } from '../../src/contracts/card';
import type { PassCounts, PassResult } from '../../src/contracts/passes';
import { TASK_QUEUES } from '../../src/contracts/task-queues';
import { passWorkflowId } from '../../src/contracts/workflow-ids';
import { insertCard } from '../../src/store/card-writes';
import { leaseOutbox, removeSent } from '../../src/store/outbox';
import { settleUnheard } from '../../src/store/pass-endings';
import { askForPass, orderRun, type RunOrder } from '../../src/store/run-asking';
import { holdRun } from '../../src/store/undoing';
import type { FanOutRun, fanOut } from '../../src/workflows/fan-out';
import { CaptureLane } from './capture-lane';
import { olderBundle } from './older-bundle';
import { plainCard } from './plain-card';
import { createWorker, runWorkers } from './temporal';

/** A unit that does as many steps as it is told, each by the test's own activity. */
const UNITS = `
import { proxyActivities } from '@temporalio/workflow';
import { asUnit, count } from './unit';
export { fanOut } from './fan-out';
const { work } = proxyActivities({
  taskQueue: '${TASK_QUEUES.db}', startToCloseTimeout: '60s', cancellationType: 'TRY_CANCEL',
} as never) as any;
export async function consolidateScope(input: any) {
  return await asUnit(input, async (unit) => {
    for (let step = 1; ; step += 1) {
      await unit.step();
      const { more, status, stopped_by } = await work({ scope: input.scope.id, step, parent: input.parent_id });
      count(unit.counts, 'steps');
      if (!more) return { status: status ?? 'completed', stopped_by: stopped_by ?? null };
    }
  });
}
`;

export interface Step {
  scope: string;
  step: number;
  /** The pass that it is of. */
  parent: string;
}

export interface Stepped {
  more: boolean;
  status?: 'partial';
  stopped_by?: string;
}

export interface RunRow {
  id: string;
  state: string;
  error: string | null;
  counts: PassCounts;
  result: Record<string, unknown>;
  scope_id: string;
  workflow_id: string;
  paused: boolean;
  number: number;
}

export type Work = (step: Step) => Promise<Stepped>;
export type Around = (activities: PassActivities) => PassActivities;

/** `fanOut` as it is, over units of the test's own: on a real Postgres and a real server. */
export class FanOutLane {
  private constructor(
    readonly captures: CaptureLane,
    private readonly bundle: string,
  ) {}

  /**
   * @param betweenLooks how long a unit waits before it looks again whether another pass still has its scope;
   *   where it is given it looks thirty times
   */
  static async start(betweenLooks?: string): Promise<FanOutLane> {
    const patience =
      betweenLooks === undefined
        ? {}
        : {
            'src/workflows/unit.ts': (text: string) =>
              text.replace("'30s'", `'${betweenLooks}'`).replace('LOOKS = 120', 'LOOKS = 30'),
          };
    const [captures, bundle] = await Promise.all([
      CaptureLane.start('dev'),
      olderBundle('src/workflows/index.ts', () => UNITS, patience),
    ]);
    return new FanOutLane(captures, bundle);
  }

  get env(): TestWorkflowEnvironment {
    return this.captures.env;
  }

  async stop(): Promise<void> {
    await this.captures.stop();
  }

  /** A fresh one, with a card in the scope of each of so many agents: `agent-01`, `agent-02` … */
  async workspace(agents: number): Promise<string> {
    const id = await this.captures.workspace();
    await this.captures.database.inWorkspace(id, async (tx) => {
      for (let n = 1; n <= agents; n += 1) {
        const agent = agentNamed(n);
        const scope: CardScope = { type: 'agent', id: agent };
        await insertCard(
          tx,
          plainCard(`A card of ${agent}`, new Date(), { agent, scope }),
          null,
          [],
        );
      }
    });
    return id;
  }

  /** Asks for a pass, as the API does; {@link send} starts it. */
  async ask(workspace: string, scope: CardScope | null = null): Promise<string> {
    const asked = { type: 'consolidation', scope, dryRun: false, budget: null, by: 'p' } as const;
    return await this.captures.database.inWorkspace(workspace, (tx) =>
      askForPass(tx, asked, new Date()),
    );
  }

  /** Tells a pass something, as the API does, at a moment of the test's choice. */
  async order(workspace: string, run: string, order: RunOrder, at = new Date()): Promise<void> {
    await this.captures.database.inWorkspace(workspace, async (tx) => {
      const held = await holdRun(tx, run);
      if (held === null) throw new Error('there is no such run');
      await orderRun(tx, held, order, at);
    });
  }

  /** Sends what waits in the outbox, the last first where that is wanted; what fails stays. @returns how many failed */
  async send(lastFirst = false): Promise<number> {
    const { database } = this.captures;
    const send = workflowStarter(this.env.client, false, (item) =>
      database.inWorkspace(item.workspace_id, (tx) =>
        settleUnheard(tx, item.workflow_id, item.action === 'cancel_pass', new Date()),
      ),
    );
    const later = new Date(Date.now() + 60_000);
    const items = await database.acrossWorkspaces((tx) => leaseOutbox(tx, later, 1, 100));
    let failed = 0;
    for (const item of lastFirst ? items.reverse() : items) {
      const sent = await send(item).then(
        () => true,
        () => false,
      );
      if (sent) await database.acrossWorkspaces((tx) => removeSent(tx, [item.id]));
      else failed += 1;
    }
    return failed;
  }

  handle(workspace: string, run: string): WorkflowHandle<typeof fanOut> {
    return this.env.client.workflow.getHandle(passWorkflowId(workspace, 'consolidation', run));
  }

  /** Starts a pass and answers with how it ended. */
  async passed(workspace: string, run: string): Promise<PassResult> {
    await this.send();
    return await this.handle(workspace, run).result();
  }

  /** The same with what only tests say: how many units it does before it continues as new. */
  async startDirectly(
    workspace: string,
    run: string,
    more: Partial<FanOutRun>,
  ): Promise<WorkflowHandleWithFirstExecutionRunId<typeof fanOut>> {
    await this.captures.rows(workspace, 'DELETE FROM outbox');
    return await this.env.client.workflow.start<typeof fanOut>('fanOut', {
      workflowId: passWorkflowId(workspace, 'consolidation', run),
      taskQueue: TASK_QUEUES.workflows,
      args: [{ workspace, type: 'consolidation', operation_id: run, ...more }],
    });
  }

  async run(workspace: string, id: string): Promise<RunRow> {
    const [row] = await this.captures.rows<RunRow>(workspace, 'SELECT * FROM runs WHERE id = $1', [
      id,
    ]);
    if (row === undefined) throw new Error('there is no such run');
    return row;
  }

  async units(workspace: string, parent: string): Promise<RunRow[]> {
    return await this.captures.rows<RunRow>(
      workspace,
      'SELECT * FROM runs WHERE parent_id = $1 ORDER BY scope_id, number',
      [parent],
    );
  }

  async leases(workspace: string): Promise<unknown[]> {
    return await this.captures.rows(workspace, 'SELECT * FROM scope_leases');
  }

  async working<T>(
    work: Work,
    body: () => Promise<T>,
    around: Around = (activities) => activities,
  ): Promise<T> {
    return await runWorkers(await this.workers(work, around), body);
  }

  async workers(work: Work, around: Around = (activities) => activities): Promise<Worker[]> {
    const { database } = this.captures;
    const passes = createPassActivities({
      database,
      clock: () => new Date(),
      models: { words: 'fallback', vectors: 'none' },
    });
    const inbound = sanitizingInterceptor(pino({ level: 'silent' }));
    return await Promise.all([
      createWorker(this.env, { bundle: this.bundle, taskQueue: TASK_QUEUES.workflows }),
      createWorker(this.env, {
        workflows: false,
        taskQueue: TASK_QUEUES.db,
        activities: { ...around(passes), work },
        interceptors: { activity: [() => ({ inbound })] },
      }),
    ]);
  }
}

export const agentNamed = (n: number): string => `agent-${String(n).padStart(2, '0')}`;

export const DONE: Stepped = { more: false };

/** A door that a step waits before until it is opened. */
export class Door {
  private open: () => void = () => {};
  private readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });

  letThrough(): void {
    this.open();
  }

  async pass(): Promise<void> {
    await this.opened;
  }
}

/** @throws where it does not become so within half a minute */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('what the test waits for did not come');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
