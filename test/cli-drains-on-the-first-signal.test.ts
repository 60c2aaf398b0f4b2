import { EventEmitter } from 'node:events';
import { serveUntilSignal } from '../src/cli/serving';

function scene() {
  const signals = new EventEmitter();
  const events: string[] = [];
  const exits: number[] = [];
  const note = (line: string) => events.push(line.replace(/:.*/, ''));
  return {
    signals,
    events,
    exits,
    note,
    running: { stop: async () => void events.push('stopped') },
    run: (start: Parameters<typeof serveUntilSignal>[0]) =>
      serveUntilSignal(
        start,
        () => events.push('ready'),
        note,
        signals as unknown as NodeJS.Process,
        (code) => exits.push(code),
      ),
  };
}

afterEach(() => {
  jest.useRealTimers();
});

test.each(['SIGTERM', 'SIGINT'])('%s drains, and then the exit is 0', async (signal) => {
  const { signals, events, exits, running, run } = scene();
  const exit = run(async () => running);
  await new Promise(setImmediate);
  expect(events).toEqual(['ready']);
  signals.emit(signal, signal);
  expect(await exit).toBe(0);
  expect(events).toEqual(['ready', signal, 'stopped']);
  expect(exits).toEqual([]);
  expect(signals.listenerCount(signal)).toBe(0);
});

test('the copy of a signal that npm sends is the same signal; a later one ends at once', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  const { signals, exits, run } = scene();
  let drained: () => void = () => {};
  const exit = run(async () => ({
    stop: () =>
      new Promise<void>((resolve) => {
        drained = resolve;
      }),
  }));
  await new Promise(setImmediate);
  signals.emit('SIGINT', 'SIGINT');
  jest.advanceTimersByTime(20);
  signals.emit('SIGINT', 'SIGINT');
  expect(exits).toEqual([]);
  jest.advanceTimersByTime(1_500);
  signals.emit('SIGTERM', 'SIGTERM');
  expect(exits).toEqual([143]);
  await new Promise(setImmediate);
  drained();
  expect(await exit).toBe(0);
});

test('a signal while it starts is kept until there is something to stop', async () => {
  const { signals, events, running, run } = scene();
  let started: (value: typeof running) => void = () => {};
  const exit = run(
    () =>
      new Promise((resolve) => {
        started = resolve;
      }),
  );
  signals.emit('SIGTERM', 'SIGTERM');
  started(running);
  expect(await exit).toBe(0);
  expect(events).toEqual(['SIGTERM', 'stopped']);
});

test('what ends by itself is stopped, and its reason is thrown', async () => {
  const { events, running, run } = scene();
  await expect(
    run(async () => ({ ...running, ended: Promise.reject(new Error('Postgres ended')) })),
  ).rejects.toThrow('Postgres ended');
  expect(events).toEqual(['ready', 'stopped']);
});

test('what cannot start is thrown', async () => {
  const { signals, run } = scene();
  await expect(run(() => Promise.reject(new Error('port taken')))).rejects.toThrow('port taken');
  expect(signals.listenerCount('SIGTERM')).toBe(0);
});
