import { EventEmitter } from 'node:events';
import { serveUntilSignal } from '../src/cli/serving';

const HANGS = new Promise<void>(() => undefined);

function serve(running: { stop(): Promise<void>; ended: Promise<unknown> }): Promise<number> {
  const signals = new EventEmitter() as unknown as NodeJS.Process;
  const nothing = () => undefined;
  return serveUntilSignal(async () => running, nothing, nothing, signals);
}

test('a part that died ends the process, though another waits for it for ever', async () => {
  const ended = Promise.reject(new Error('Temporal ended: SIGKILL'));
  await expect(serve({ stop: () => HANGS, ended })).rejects.toThrow('Temporal ended: SIGKILL');
});

test('what can end in order does so first', async () => {
  let stopped = false;
  const stop = async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    stopped = true;
  };
  await expect(serve({ stop, ended: Promise.resolve() })).rejects.toThrow('it ended by itself');
  expect(stopped).toBe(true);
});
