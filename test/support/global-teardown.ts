import { rmSync } from 'node:fs';
import { endSharedStack } from './console/stack';

/** Ends what the global setup started; a run that is killed before this is ended by its keeper. */
export default async function globalTeardown(): Promise<void> {
  const run = globalThis.cairnTestRun;
  if (!run) return;
  await endSharedStack(run.dir);
  await run.dropTemplate?.();
  await run.postgres?.stop();
  rmSync(run.dir, { recursive: true, force: true });
}
