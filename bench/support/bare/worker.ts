/** A worker of the bare workflow, in a process of its own; tells its parent how many are done. */
import { join } from 'node:path';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';

const logger = new DefaultLogger('ERROR');

export interface BareActivities {
  first(): Promise<void>;
  second(): Promise<void>;
}

export const BARE_QUEUE = 'bare';

async function main(address: string): Promise<void> {
  Runtime.install({ logger });
  let done = 0;
  const activities: BareActivities = {
    first: async () => {},
    second: async () => {
      done += 1;
      process.send?.(done);
    },
  };
  const worker = await Worker.create({
    connection: await NativeConnection.connect({ address }),
    taskQueue: BARE_QUEUE,
    workflowBundle: await bundleWorkflowCode({
      workflowsPath: join(__dirname, 'workflow.ts'),
      logger,
    }),
    activities,
  });
  process.send?.(0);
  process.once('SIGTERM', () => worker.shutdown());
  await worker.run();
  process.exit(0);
}

if (require.main === module) void main(process.argv[2] ?? '');
