import type { WorkflowType } from '../src/contracts/names';
import { STEP_KINDS, STEP_STATUSES, type TimelineStep } from '../src/contracts/timeline';
import { type HistoryEvent, timeOf } from '../src/domain/timeline/history';
import { stepsOf } from '../src/domain/timeline/steps';
import { committedHistories } from './support/histories';
import { historyText } from './support/history-text';

const HISTORIES = committedHistories();
const eventsOf = (name: string): readonly HistoryEvent[] =>
  HISTORIES.find((history) => history.name === name)?.history.events ?? [];

/** The history up to there, as of a run that goes on or has just ended. */
function read(events: readonly HistoryEvent[], type: string): TimelineStep[] {
  const last = events.at(-1);
  const ended = Object.keys(ENDS).some((end) => last?.[end as keyof HistoryEvent]);
  const closed_at = ended ? timeOf(last?.eventTime) : null;
  return stepsOf({ events, pending: [], closed_at }, type as WorkflowType);
}

const ENDS = {
  workflowExecutionCompletedEventAttributes: 'done',
  workflowExecutionFailedEventAttributes: 'failed',
  workflowExecutionCanceledEventAttributes: 'cancelled',
  workflowExecutionContinuedAsNewEventAttributes: 'done',
} as const;

/** What makes a step by itself, and what only ends or tells more of one. */
const BEGINS: readonly (keyof HistoryEvent)[] = [
  ...(Object.keys(ENDS) as (keyof HistoryEvent)[]),
  'workflowExecutionStartedEventAttributes',
  'workflowExecutionTerminatedEventAttributes',
  'workflowExecutionTimedOutEventAttributes',
  'workflowExecutionCancelRequestedEventAttributes',
  'activityTaskScheduledEventAttributes',
  'markerRecordedEventAttributes',
  'timerStartedEventAttributes',
  'workflowExecutionSignaledEventAttributes',
  'workflowExecutionUpdateAcceptedEventAttributes',
  'startChildWorkflowExecutionInitiatedEventAttributes',
  'signalExternalWorkflowExecutionInitiatedEventAttributes',
  'requestCancelExternalWorkflowExecutionInitiatedEventAttributes',
];

/** What is wrong with these steps. */
function faultsOf(steps: readonly TimelineStep[]): unknown[] {
  return steps.filter((step, n) => {
    const before = steps[n - 1];
    const hasFailed = step.status === 'failed' || step.status === 'timed_out';
    return !(
      STEP_KINDS.includes(step.kind) &&
      STEP_STATUSES.includes(step.status) &&
      /^[A-Z].*\w$/.test(step.name) &&
      step.attempts >= 1 &&
      (before === undefined || before.at <= step.at) &&
      (step.ended_at === null) === (step.status === 'waiting') &&
      (step.ended_at === null || step.ended_at >= step.at) &&
      (!hasFailed || /\w \w/.test(step.failure?.message ?? ''))
    );
  });
}

describe.each(HISTORIES)('$name', ({ workflowType, history: { events } }) => {
  const all: readonly HistoryEvent[] = events ?? [];

  it('has one step for each event that begins something, in order, and none that waits after its end', () => {
    const steps = read(all, workflowType);
    expect(faultsOf(steps)).toEqual([]);
    expect(steps).toHaveLength(
      all.filter((event) => BEGINS.some((name) => event[name] != null)).length,
    );
    expect(steps[0]).toMatchObject({ kind: 'started', at: timeOf(all[0]?.eventTime) });
    const [ending, status] = Object.entries(ENDS).find(
      ([end]) => all.at(-1)?.[end as keyof HistoryEvent],
    ) ?? [null, null];
    if (ending === null) return;
    expect(steps.filter((step) => step.status === 'waiting')).toEqual([]);
    expect(steps.filter(({ kind }) => kind === 'ended' || kind === 'continued')).toEqual([
      expect.objectContaining({ status }),
    ]);
  });

  it('is as orderly at every moment on its way, and what has happened stays', () => {
    let before: TimelineStep[] = [];
    for (let end = 1; end <= all.length; end += 1) {
      const steps = read(all.slice(0, end), workflowType);
      expect(faultsOf(steps)).toEqual([]);
      const now = new Set(steps.map((step) => JSON.stringify(step)));
      const lost = before.filter(
        (step) => step.status !== 'waiting' && !now.has(JSON.stringify(step)),
      );
      expect(lost).toEqual([]);
      before = steps;
    }
  });

  it('shows nothing of the history but ids, and no more of these than a line', () => {
    const text = historyText(all);
    for (const { detail } of read(all, workflowType)) {
      if (detail === null) continue;
      expect(detail.length).toBeLessThan(500);
      for (const id of detail.split(', ')) {
        expect(text).toContain(id.includes('/') ? id : (id.split(' ').at(-1) ?? ''));
      }
    }
  });
});

it('says what a capture did: how often the model was tried, what failed, and the card that came of it', () => {
  const [asked] = read(eventsOf('capture.model-gave-up'), 'capture').filter(
    ({ kind }) => kind === 'activity',
  );
  expect(asked).toMatchObject({
    name: 'Have a model word the card',
    status: 'failed',
    attempts: 5,
    failure: { code: 'model_unavailable', message: 'the model could not be reached' },
  });
  const steps = read(eventsOf('capture.by-model'), 'capture');
  expect(steps.map(({ kind }) => kind)).toEqual([
    'started',
    'local_activity',
    'activity',
    'local_activity',
    'ended',
  ]);
  expect(steps[0]?.detail).toMatch(/^event call-1, run op_\w+$/);
  expect(steps.at(-1)).toMatchObject({
    name: 'Done',
    detail: expect.stringMatching(/^card card_/),
  });
});

it('says what a proposal waited for, who was heard, and what was refused', () => {
  const steps = read(eventsOf('proposal.refused-then-approved'), 'proposal');
  const decisions = steps.filter(({ kind }) => kind === 'update');
  expect(decisions.map(({ status }) => status)).toEqual(['failed', 'done']);
  expect(decisions[0]?.failure?.code).toMatch(/^[a-z_]+$/);
  expect(steps.filter(({ kind }) => kind === 'timer')[0]).toMatchObject({
    name: 'Wait for a person, or for the fix',
    status: 'done',
  });
  const open = read(eventsOf('proposal.open'), 'proposal');
  expect(open.at(-1)).toMatchObject({ kind: 'timer', status: 'waiting', ended_at: null });
});

it('names the units of a pass, and the run that it goes on in', () => {
  const steps = read(eventsOf('fanOut.cancelled'), 'fanOut');
  const units = steps.filter(({ kind }) => kind === 'child');
  expect(units.length).toBeGreaterThan(5);
  for (const { detail } of units) expect(detail).toMatch(/^consolidate\/[\w-]+\/agent:agent-\d+\//);
  expect(units.map(({ status }) => status)).toContain('cancelled');
  const [next] = read(eventsOf('fanOut.continued'), 'fanOut').slice(-1);
  expect(next).toMatchObject({
    kind: 'continued',
    detail: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

it('says of what is still tried how often, and why it failed last', () => {
  const events = eventsOf('retain.retained');
  const at = events.findIndex((event) => event.activityTaskScheduledEventAttributes);
  const activityId = events[at]?.activityTaskScheduledEventAttributes?.activityId ?? '';
  const lastFailure = { applicationFailureInfo: { type: 'store_unavailable' } };
  const pending = [{ activityId, attempt: 7, lastFailure }];
  const steps = stepsOf({ events: events.slice(0, at + 1), pending, closed_at: null }, 'retain');
  expect(steps.at(-1)).toMatchObject({
    status: 'waiting',
    attempts: 7,
    failure: { code: 'store_unavailable' },
  });
});
