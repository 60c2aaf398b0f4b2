/**
 * As much of Temporal's history as a timeline needs, in the shape in which Temporal sends it: a whole number may be
 * one of JavaScript's or a long one, a payload is bytes.
 */

type Whole = { toString(): string } | null;

export interface HistoryTime {
  seconds?: Whole;
  nanos?: number | null;
}

export interface Payloads {
  payloads?: { data?: Uint8Array | null }[] | null;
}

export interface HistoryFailure {
  cause?: HistoryFailure | null;
  applicationFailureInfo?: { type?: string | null } | null;
  timeoutFailureInfo?: { timeoutType?: number | null } | null;
  canceledFailureInfo?: object | null;
  terminatedFailureInfo?: object | null;
}

interface Failing {
  failure?: HistoryFailure | null;
}

interface Execution {
  workflowId?: string | null;
  runId?: string | null;
}

/** The end of something that was scheduled, by the event that scheduled it. */
interface OfScheduled {
  scheduledEventId?: Whole;
}

interface OfInitiated {
  initiatedEventId?: Whole;
}

interface Named {
  name?: string | null;
}

export interface HistoryEvent {
  eventId?: Whole;
  eventTime?: HistoryTime | null;
  workflowExecutionStartedEventAttributes?: {
    workflowType?: Named | null;
    input?: Payloads | null;
  } | null;
  workflowExecutionCompletedEventAttributes?: { result?: Payloads | null } | null;
  workflowExecutionFailedEventAttributes?: Failing | null;
  workflowExecutionTimedOutEventAttributes?: object | null;
  workflowExecutionTerminatedEventAttributes?: object | null;
  workflowExecutionCanceledEventAttributes?: object | null;
  workflowExecutionContinuedAsNewEventAttributes?: { newExecutionRunId?: string | null } | null;
  workflowExecutionCancelRequestedEventAttributes?: object | null;

  activityTaskScheduledEventAttributes?: {
    activityId?: string | null;
    activityType?: Named | null;
    input?: Payloads | null;
  } | null;
  activityTaskStartedEventAttributes?:
    | (OfScheduled & { attempt?: number | null; lastFailure?: HistoryFailure | null })
    | null;
  activityTaskCompletedEventAttributes?: (OfScheduled & { result?: Payloads | null }) | null;
  activityTaskFailedEventAttributes?: (OfScheduled & Failing) | null;
  activityTaskTimedOutEventAttributes?: (OfScheduled & Failing) | null;
  activityTaskCanceledEventAttributes?: OfScheduled | null;

  markerRecordedEventAttributes?:
    | (Failing & { markerName?: string | null; details?: Record<string, Payloads> | null })
    | null;

  timerStartedEventAttributes?: { startToFireTimeout?: HistoryTime | null } | null;
  timerFiredEventAttributes?: { startedEventId?: Whole } | null;
  timerCanceledEventAttributes?: { startedEventId?: Whole } | null;

  workflowExecutionSignaledEventAttributes?: {
    signalName?: string | null;
    input?: Payloads | null;
  } | null;
  workflowExecutionUpdateAcceptedEventAttributes?: {
    protocolInstanceId?: string | null;
    acceptedRequest?: {
      meta?: { updateId?: string | null } | null;
      input?: { name?: string | null; args?: Payloads | null } | null;
    } | null;
  } | null;
  workflowExecutionUpdateCompletedEventAttributes?: {
    meta?: { updateId?: string | null } | null;
    outcome?: { success?: Payloads | null; failure?: HistoryFailure | null } | null;
  } | null;

  startChildWorkflowExecutionInitiatedEventAttributes?: {
    workflowId?: string | null;
    workflowType?: Named | null;
  } | null;
  startChildWorkflowExecutionFailedEventAttributes?: OfInitiated | null;
  childWorkflowExecutionCompletedEventAttributes?: OfInitiated | null;
  childWorkflowExecutionFailedEventAttributes?: (OfInitiated & Failing) | null;
  childWorkflowExecutionCanceledEventAttributes?: OfInitiated | null;
  childWorkflowExecutionTimedOutEventAttributes?: OfInitiated | null;
  childWorkflowExecutionTerminatedEventAttributes?: OfInitiated | null;

  signalExternalWorkflowExecutionInitiatedEventAttributes?: {
    workflowExecution?: Execution | null;
    signalName?: string | null;
  } | null;
  requestCancelExternalWorkflowExecutionInitiatedEventAttributes?: {
    workflowExecution?: Execution | null;
  } | null;
}

/** Of an activity that has not ended, Temporal tells how it goes outside of the history. */
export interface PendingActivity {
  activityId?: string | null;
  attempt?: number | null;
  lastFailure?: HistoryFailure | null;
}

/** One run: what was read of its history, and what stands beside it. */
export interface RunHistory {
  events: readonly HistoryEvent[];
  pending: readonly PendingActivity[];
  /** When the run ended; null while it goes on. */
  closed_at: string | null;
}

/** Whether this is how a run ends, or goes on in another. */
export function isEnd(event: HistoryEvent | undefined): boolean {
  return Boolean(
    event?.workflowExecutionCompletedEventAttributes ??
      event?.workflowExecutionFailedEventAttributes ??
      event?.workflowExecutionTimedOutEventAttributes ??
      event?.workflowExecutionTerminatedEventAttributes ??
      event?.workflowExecutionCanceledEventAttributes ??
      event?.workflowExecutionContinuedAsNewEventAttributes,
  );
}

/** RFC 3339 in UTC, to the millisecond; null where there is none. */
export function timeOf(time: HistoryTime | null | undefined): string | null {
  const ms = millisecondsOf(time);
  return ms === null ? null : new Date(ms).toISOString();
}

/** Of a time since 1970, of a duration its length; null where there is none. */
export function millisecondsOf(time: HistoryTime | null | undefined): number | null {
  if (time === null || time === undefined) return null;
  return Number(String(time.seconds ?? 0)) * 1_000 + Math.floor((time.nanos ?? 0) / 1_000_000);
}

/** What the first payload holds; null where there is none, or where it is no JSON. */
export function valueIn(payloads: Payloads | null | undefined): unknown {
  const data = payloads?.payloads?.[0]?.data;
  if (data === null || data === undefined) return null;
  try {
    return JSON.parse(new TextDecoder().decode(data));
  } catch {
    return null;
  }
}
