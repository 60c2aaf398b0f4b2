import type { WorkflowType } from '../../contracts/names';
import type { StepFailure, StepStatus, TimelineStep } from '../../contracts/timeline';
import { failureOf, TERMINATED, TIMED_OUT } from './failure-words';
import { type HistoryEvent, type RunHistory, timeOf, valueIn } from './history';
import { markerStep } from './marker-steps';
import { idsIn } from './step-ids';
import { StepLog } from './step-log';
import {
  ACTIVITY_NAMES,
  CANCEL_ASKED,
  CHILD_CANCELLED,
  CHILD_SIGNALLED,
  CONTINUED,
  nameIn,
  SIGNAL_NAMES,
  TOLD_OTHER,
  UPDATE_NAMES,
  WAIT_NAMES,
  WORKFLOW_NAMES,
} from './step-names';

/** One event, where in the history it stands, and when it was. */
interface Place {
  event: HistoryEvent;
  n: number;
  at: string;
}

/**
 * What happened in one run, in words. Several of Temporal's events are one step: what was scheduled, begun and ended.
 * Tasks of the workflow itself, search attributes and memos are none. Each step has its end, or waits; after the run's
 * end none does.
 */
export function stepsOf(history: RunHistory, type: WorkflowType): TimelineStep[] {
  const log = new StepLog();
  let at = '';
  for (const event of history.events) {
    at = timeOf(event.eventTime) ?? at;
    const place = { event, n: numberOf(event.eventId), at };
    takeRun(log, place, type);
    takeActivity(log, place);
    takeTimer(log, place, type);
    takeMessage(log, place);
    takeChild(log, place);
    const marker = markerStep(event, at);
    if (marker !== null) log.add(place.n, marker);
  }
  for (const { activityId, attempt, lastFailure } of history.pending) {
    const id = scheduledAs(history.events, activityId);
    log.tried('activity', id, attempt ?? 1, failureOf(lastFailure));
  }
  if (history.closed_at !== null) log.drops(history.closed_at);
  return log.inOrder();
}

/** How the run itself began and ended, and that it was told to end. */
function takeRun(log: StepLog, { event, n, at }: Place, type: WorkflowType): void {
  const ends = (status: StepStatus, name: string, failure: StepFailure | null, ids: string[]) =>
    log.add(n, { at, kind: 'ended', name, status, failure, detail: ids.join(', ') || null });

  const started = event.workflowExecutionStartedEventAttributes;
  if (started) log.begins(n, at, WORKFLOW_NAMES[type], idsIn([valueIn(started.input)]));
  const completed = event.workflowExecutionCompletedEventAttributes;
  if (completed) ends('done', 'Done', null, log.newOf(idsIn([valueIn(completed.result)])));
  const failed = event.workflowExecutionFailedEventAttributes;
  if (failed) ends('failed', 'Failed', failureOf(failed.failure), []);
  if (event.workflowExecutionTimedOutEventAttributes) {
    ends('timed_out', 'Out of time', TIMED_OUT, []);
  }
  if (event.workflowExecutionTerminatedEventAttributes) {
    ends('failed', 'Terminated', TERMINATED, []);
  }
  if (event.workflowExecutionCanceledEventAttributes) ends('cancelled', 'Cancelled', null, []);
  const continued = event.workflowExecutionContinuedAsNewEventAttributes;
  if (continued) {
    const detail = continued.newExecutionRunId || null;
    log.add(n, { at, kind: 'continued', name: CONTINUED, detail });
  }
  if (event.workflowExecutionCancelRequestedEventAttributes) {
    log.add(n, { at, kind: 'signal', name: CANCEL_ASKED });
  }
}

function takeActivity(log: StepLog, { event, n, at }: Place): void {
  const scheduled = event.activityTaskScheduledEventAttributes;
  if (scheduled) {
    const name = nameIn(ACTIVITY_NAMES, scheduled.activityType?.name);
    log.opens('activity', String(n), n, { at, name, ids: idsIn([valueIn(scheduled.input)]) });
  }
  const started = event.activityTaskStartedEventAttributes;
  if (started) {
    const id = String(started.scheduledEventId);
    log.tried('activity', id, started.attempt || 1, failureOf(started.lastFailure));
  }
  const completed = event.activityTaskCompletedEventAttributes;
  if (completed) {
    const ids = idsIn([valueIn(completed.result)]);
    log.closes('activity', String(completed.scheduledEventId), { at, status: 'done', ids });
  }
  const failed = event.activityTaskFailedEventAttributes;
  if (failed) {
    const failure = failureOf(failed.failure);
    log.closes('activity', String(failed.scheduledEventId), { at, status: 'failed', failure });
  }
  const late = event.activityTaskTimedOutEventAttributes;
  if (late) {
    const failure = failureOf(late.failure) ?? TIMED_OUT;
    log.closes('activity', String(late.scheduledEventId), { at, status: 'timed_out', failure });
  }
  const cancelled = event.activityTaskCanceledEventAttributes;
  if (cancelled) {
    log.closes('activity', String(cancelled.scheduledEventId), { at, status: 'cancelled' });
  }
}

/** One that is called off did its work too: what was waited for came first. */
function takeTimer(log: StepLog, { event, n, at }: Place, type: WorkflowType): void {
  if (event.timerStartedEventAttributes) {
    log.opens('timer', String(n), n, { at, name: WAIT_NAMES[type] });
  }
  const over = event.timerFiredEventAttributes ?? event.timerCanceledEventAttributes;
  if (over) log.closes('timer', String(over.startedEventId), { at, status: 'done' });
}

function takeMessage(log: StepLog, { event, n, at }: Place): void {
  const signal = event.workflowExecutionSignaledEventAttributes;
  if (signal) {
    const ids = log.newOf(idsIn([valueIn(signal.input)]));
    const name = nameIn(SIGNAL_NAMES, signal.signalName);
    log.add(n, { at, kind: 'signal', name, detail: ids.join(', ') || null });
  }
  const update = event.workflowExecutionUpdateAcceptedEventAttributes;
  if (update) {
    const { meta, input } = update.acceptedRequest ?? {};
    const id = meta?.updateId ?? update.protocolInstanceId ?? '';
    const name = nameIn(UPDATE_NAMES, input?.name);
    log.opens('update', id, n, { at, name, ids: idsIn([valueIn(input?.args)]) });
  }
  const answered = event.workflowExecutionUpdateCompletedEventAttributes;
  if (answered) {
    const { success, failure: reason } = answered.outcome ?? {};
    const failure = failureOf(reason);
    const status = failure === null ? 'done' : 'failed';
    const ids = idsIn([valueIn(success)]);
    log.closes('update', answered.meta?.updateId ?? '', { at, status, failure, ids });
  }
}

function takeChild(log: StepLog, { event, n, at }: Place): void {
  const asked = event.startChildWorkflowExecutionInitiatedEventAttributes;
  if (asked) {
    const name = nameIn(WORKFLOW_NAMES, asked.workflowType?.name);
    log.opens('child', String(n), n, { at, name, ids: asked.workflowId ? [asked.workflowId] : [] });
  }
  const closes = (
    end: { initiatedEventId?: { toString(): string } | null } | null | undefined,
    status: StepStatus,
    failure?: StepFailure | null,
  ): void => {
    if (!end) return;
    const reason = failure === undefined ? {} : { failure };
    log.closes('child', String(end.initiatedEventId), { at, status, ...reason });
  };
  const failed = event.childWorkflowExecutionFailedEventAttributes;
  closes(event.childWorkflowExecutionCompletedEventAttributes, 'done');
  closes(failed, 'failed', failureOf(failed?.failure));
  closes(event.startChildWorkflowExecutionFailedEventAttributes, 'failed', {
    code: 'already_running',
    message: 'it could not be started: one of that name runs',
  });
  closes(event.childWorkflowExecutionCanceledEventAttributes, 'cancelled');
  closes(event.childWorkflowExecutionTimedOutEventAttributes, 'timed_out', TIMED_OUT);
  closes(event.childWorkflowExecutionTerminatedEventAttributes, 'failed', TERMINATED);

  const told = event.signalExternalWorkflowExecutionInitiatedEventAttributes;
  const ended = event.requestCancelExternalWorkflowExecutionInitiatedEventAttributes;
  const detail = (told ?? ended)?.workflowExecution?.workflowId || null;
  if (told) {
    const name = CHILD_SIGNALLED[told.signalName ?? ''] ?? TOLD_OTHER;
    log.add(n, { at, kind: 'signal', name, detail });
  }
  if (ended) log.add(n, { at, kind: 'signal', name: CHILD_CANCELLED, detail });
}

function numberOf(id: HistoryEvent['eventId']): number {
  return Number(String(id ?? 0));
}

/** Temporal names a pending activity by the id that the program gave it, and its end by the event. */
function scheduledAs(events: readonly HistoryEvent[], activityId: string | null | undefined) {
  const event = events.find(
    (one) => one.activityTaskScheduledEventAttributes?.activityId === activityId,
  );
  return String(numberOf(event?.eventId));
}
