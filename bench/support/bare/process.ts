import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

export interface BareWorker {
  /** Bare workflows that are done. */
  done: number;
  kill: ChildProcess['kill'];
}

/** The worker of the bare workflows, in a process of its own, once it is ready. */
export async function startBareWorker(address: string): Promise<BareWorker> {
  const child = fork(join(__dirname, 'worker.ts'), [address], {
    execArgv: ['-r', join(__dirname, '..', '..', '..', 'scripts', 'typescript.cjs')],
  });
  const worker: BareWorker = { done: 0, kill: (signal) => child.kill(signal) };
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('the bare worker ended before it was ready')));
  });
  child.on('message', (done: number) => {
    worker.done = done;
  });
  return worker;
}
