/**
 * The worker of a runtime as a process of its own, to be killed. It says `recorded` when an event is durable, and,
 * where it is told to hang, never says so to Temporal.
 *
 * Usage: node -r scripts/typescript.cjs worker-process.ts '<JSON of WorkerOrders>'
 */
import { NativeConnection, Worker } from '@temporalio/worker';
import { createCairnActivities } from '../../../src/adapters/temporal/activities';

export interface WorkerOrders {
  address: string;
  namespace: string;
  taskQueue: string;
  /** Null: it takes activities only. */
  workflowBundle: string | null;
  databaseUrl: string;
  secretKey: string;
  key: string;
  hangs: boolean;
}

async function main(orders: WorkerOrders): Promise<void> {
  const { address, namespace, taskQueue, workflowBundle, databaseUrl, secretKey, key } = orders;
  const cairn = createCairnActivities({ databaseUrl, secretKey, key });
  const cairnRecordEvent: typeof cairn.cairnRecordEvent = async (input) => {
    const event = await cairn.cairnRecordEvent(input);
    process.stdout.write('recorded\n');
    if (orders.hangs) await new Promise(() => {});
    return event;
  };
  const worker = await Worker.create({
    connection: await NativeConnection.connect({ address }),
    namespace,
    taskQueue,
    ...(workflowBundle === null ? {} : { workflowBundle: { codePath: workflowBundle } }),
    activities: { ...cairn, cairnRecordEvent },
  });
  await worker.run();
}

void main(JSON.parse(process.argv[2] ?? '{}') as WorkerOrders);
