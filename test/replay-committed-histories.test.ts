import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { type CommittedHistory, committedHistories } from './support/histories';
import { quietRuntime, workflowBundlePath } from './support/temporal';

const ENTRY = join(__dirname, '..', 'src', 'workflows', 'index.ts');
const {
  EVENT_TYPE_TIMER_STARTED: TIMER_STARTED,
  EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED: COMPLETED,
} = temporal.api.enums.v1.EventType;
const histories = committedHistories();

/** Exported functions of the bundle's entry are the workflow types that a worker offers. */
function workflowTypes(): string[] {
  if (!existsSync(ENTRY)) return [];
  const entry = jest.requireActual<Record<string, unknown>>(ENTRY);
  return Object.keys(entry).filter((name) => typeof entry[name] === 'function');
}

/**
 * Shows that a green replay means something: no workflow of ours ends by starting a timer, and one that waits
 * for a timer has not ended.
 */
function withAnotherEnding(history: CommittedHistory['history']): CommittedHistory['history'] {
  const last = history.events?.at(-1);
  const { eventId, eventTime, taskId } = last ?? {};
  const ending =
    last?.eventType === TIMER_STARTED
      ? { eventType: COMPLETED, workflowExecutionCompletedEventAttributes: {} }
      : {
          eventType: TIMER_STARTED,
          timerStartedEventAttributes: { timerId: '1', startToFireTimeout: { seconds: 1 } },
        };
  const event = { eventId, eventTime, taskId, ...ending };
  return { events: [...(history.events?.slice(0, -1) ?? []), event] } as typeof history;
}

describe('a workflow that started on an older bundle', () => {
  it('is there to be replayed', () => {
    expect(histories).not.toEqual([]);
  });

  for (const { name, history } of histories) {
    it(`${name} replays on this one`, async () => {
      quietRuntime();
      const workflowBundle = { codePath: workflowBundlePath() };
      await Worker.runReplayHistory({ workflowBundle }, history, name);
    });

    it(`${name} is refused when its ending is another`, async () => {
      quietRuntime();
      const workflowBundle = { codePath: workflowBundlePath() };
      await expect(
        Worker.runReplayHistory({ workflowBundle }, withAnotherEnding(history), name),
      ).rejects.toThrow(/nondeterminism/i);
    });
  }

  for (const workflowType of workflowTypes()) {
    it(`${workflowType} has a committed history`, () => {
      expect(histories.map((history) => history.workflowType)).toContain(workflowType);
    });
  }
});
