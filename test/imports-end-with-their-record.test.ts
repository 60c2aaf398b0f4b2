import { randomUUID } from 'node:crypto';
import { WorkflowFailedError } from '@temporalio/client';
import { createImportActivities } from '../src/activities/import';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import type { ImportInput } from '../src/contracts/transfer';
import { importWorkflowId } from '../src/contracts/workflow-ids';
import { forgetImports, restartImports } from '../src/store/imports-left-behind';
import type { ImportRun, importFile } from '../src/workflows/import-file';
import { startApi, type TestApi } from './support/api';
import { CaptureLane } from './support/capture-lane';
import { saveHistory } from './support/histories';
import { createWorker, runWorkers } from './support/temporal';
import { exportedLines, plantCards, sendImport } from './support/transfers';

jest.setTimeout(300_000);

describe('an import', () => {
  let lane: CaptureLane;
  let api: TestApi;
  let lines: string[];
  beforeAll(async () => {
    lane = await CaptureLane.start('dev');
    const { databaseUrl: url, database } = lane;
    const kind = database.isOneSession ? 'pglite' : 'native';
    api = await startApi({ testDatabase: { url, kind, drop: async () => undefined } });
    await plantCards(api.database, 'default', 450, 'which are here already');
    lines = await exportedLines(api);
  });
  afterAll(async () => {
    await api?.close();
    await lane?.stop();
  });

  const taken = async (): Promise<ImportInput> => {
    const { body, status, text } = await sendImport(api, lines);
    if (status !== 202) throw new Error(text);
    const { import_id, operation_id } = body;
    return { workspace: 'default', import_id, operation_id };
  };

  const start = async (input: ImportInput, more: Partial<ImportRun> = {}) =>
    await lane.env.client.workflow.start<typeof importFile>('importFile', {
      workflowId: `${importWorkflowId('default', input.operation_id)}/${randomUUID()}`,
      taskQueue: TASK_QUEUES.workflows,
      args: [{ ...input, ...more }],
    });

  /** Each step one transaction of 200 lines. */
  const working = async <T>(work: () => Promise<T>): Promise<T> => {
    const { database, env } = lane;
    const deps = { database, clock: () => new Date(), secretKey: api.secretKey, stepMs: 0 };
    return await runWorkers(
      await Promise.all([
        createWorker(env, { taskQueue: TASK_QUEUES.workflows }),
        createWorker(env, {
          workflows: false,
          taskQueue: TASK_QUEUES.db,
          activities: { ...createImportActivities(deps) },
        }),
      ]),
      work,
    );
  };

  const stateOf = async ({ operation_id }: ImportInput) =>
    (await api.call('GET', `/v1/operations/${operation_id}`)).body;
  const held = async () =>
    (await lane.rows<{ n: number }>('default', 'SELECT count(*)::int AS n FROM import_lines'))[0]
      ?.n;

  test('is completed, with its counts in its result', async () => {
    const input = await taken();
    const handle = await start(input);
    const result = await working(() => handle.result());
    const known = lines.length - 2;
    expect(result).toEqual({
      ...{ status: 'completed', lines: known, known, imported: 0, skipped: 0, redactions: 0 },
    });
    expect(await stateOf(input)).toMatchObject({ state: 'completed', result: { known } });
    await saveHistory('importFile.completed', handle);
  });

  test('continues as new, and goes on where it was', async () => {
    const input = await taken();
    const handle = await start(input, { steps_a_run: 1 });
    const first = lane.env.client.workflow.getHandle(handle.workflowId, handle.firstExecutionRunId);
    const result = await working(() => handle.result());
    expect(result).toMatchObject({ status: 'completed', lines: lines.length - 2 });
    await saveHistory('importFile.continued', first);
  });

  test('that is cancelled keeps no line, and says so', async () => {
    const input = await taken();
    expect(await held()).toBe(lines.length - 2);
    const handle = await start(input);
    await handle.cancel();
    await working(() => expect(handle.result()).rejects.toThrow(WorkflowFailedError));
    expect(await stateOf(input)).toMatchObject({
      state: 'cancelled',
      result: { status: 'cancelled', imported: 0 },
    });
    expect(await held()).toBe(0);
    await saveHistory('importFile.cancelled', handle);
  });

  test('that was lost is started again, and one that nobody goes on with is let go of', async () => {
    const input = await taken();
    const { database } = lane;
    const later = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    const sweep = (hours: number) =>
      database.inWorkspace('default', async (tx) => ({
        restarted: await restartImports(tx, later(hours)),
        forgotten: await forgetImports(tx, later(hours)),
      }));
    await lane.rows('default', 'DELETE FROM outbox');
    expect(await sweep(0)).toEqual({ restarted: 0, forgotten: 0 });
    expect(await sweep(1)).toEqual({ restarted: 1, forgotten: 0 });
    expect(await sweep(1)).toEqual({ restarted: 0, forgotten: 0 });
    await lane.rows(
      'default',
      `UPDATE runs SET state = 'failed' WHERE id = '${input.operation_id}'`,
    );
    expect(await sweep(1)).toEqual({ restarted: 0, forgotten: 1 });
    expect(await held()).toBe(0);
    await sendImport(api, lines.slice(0, 100), '?more=true');
    expect(await held()).toBe(99);
    expect((await sweep(1)).forgotten).toBe(0);
    expect((await sweep(25)).forgotten).toBe(1);
    expect(await held()).toBe(0);
  });
});
