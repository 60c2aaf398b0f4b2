/**
 * Memory for a workflow of one's own: `cairn-memory/temporal/workflow`. It runs in Temporal's sandbox, so it
 * holds no more than what is scheduled, in which order: the work is done by the activities that
 * `createCairnActivities` puts into the worker.
 *
 * An event goes through three steps: the activity makes it durable; its `capture` is started as a child, or is
 * left to Cairn's outbox; somebody may wait for what became of it. From the first step on nothing loses it: the
 * outbox starts what no workflow did.
 */
import type { Duration } from '@temporalio/common';
import { ActivityFailure, ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import type { JsonObject } from '../../../contracts/event';
import { isRuntimeRefusal, type RuntimeRefusal } from '../../../contracts/failures';
import type {
  Captured,
  CaptureStart,
  EventDefaults,
  EventRecorded,
  RecalledContext,
  WorkflowEvent,
  WorkflowRecall,
} from '../../../contracts/runtime-memory';
import { startCapture } from './capture-child';
import { RecordedEvent } from './recorded-event';
import { type ScheduledActivities, scheduledActivities } from './scheduled-activities';
import { workflowTime } from './workflow-time';

export interface CairnOptions {
  /** Whose work and whose recalls these are, where an event does not say otherwise. */
  agent: string;
  /** Of the worker that has the activities; the workflow's own when left out. */
  taskQueue?: string;
  /**
   * Who starts captures. When left out: this workflow, as its children, where a worker of Cairn is seen in its
   * namespace; Cairn's outbox otherwise.
   */
  mode?: CaptureStart;
  /** Labels of 1–200 characters; the workflow's id when left out. A session is what a recall is counted in. */
  task?: string;
  session?: string;
  project?: string;
  /** Acted for by recalls, which are then interactive. */
  person?: string;
  /**
   * How long Cairn may be away before an event is given up, such as `10 minutes`. When left out it is tried
   * until it is taken, also where the workflow was cancelled meanwhile.
   */
  recordWithin?: Duration;
}

export type { RuntimeRefusal } from '../../../contracts/failures';
export type {
  Captured,
  CaptureStart,
  EventRecorded,
  RecalledContext,
  WorkflowEvent,
  WorkflowRecall,
} from '../../../contracts/runtime-memory';
export type { RecordedEvent } from './recorded-event';

/** A workflow has modules of its own, so this counts the events of one run. */
let events = 0;

/**
 * @example
 * const memory = cairn({ agent: 'herald' });
 * const { context } = await memory.recall({ query: 'send the newsletter', intent: 'act' });
 * const { card_id } = await memory.capture({
 *   kind: 'service_call', service: 'mailer', operation: 'send_bulk', outcome: 'failed',
 *   input: { recipients: 1200 }, error: 'at most 500 recipients a call',
 * });
 */
export function cairn(options: CairnOptions): RuntimeMemory {
  return new RuntimeMemory(options);
}

export class RuntimeMemory {
  private readonly activities: ScheduledActivities;

  constructor(private readonly options: CairnOptions) {
    this.activities = scheduledActivities(options);
  }

  /**
   * Reports settled work, and waits for its card or the reason why there is none. The event itself stands in this
   * workflow's history: {@link RuntimeMemory.captureFrom} leaves it out.
   *
   * @throws ActivityFailure the event is refused; {@link refusalOf} says why
   * @example
   * await memory.capture({ kind: 'observation', outcome: 'neutral', text: 'The importer wants UTF-8.' });
   */
  async capture(event: WorkflowEvent): Promise<Captured> {
    return await (await this.record(event)).result();
  }

  /**
   * The same, and waits no longer than until it is durable: a cancelled workflow records too.
   *
   * @throws ActivityFailure the event is refused
   * @example
   * await memory.record({ kind: 'workflow_step', outcome: 'worked', output: { pages: 12 } });
   */
  async record(event: WorkflowEvent): Promise<RecordedEvent> {
    const input = { defaults: this.defaults(), event, ...this.mode() };
    return await this.recorded(() => this.activities.recording.cairnRecordEvent(input));
  }

  /**
   * Reports work by a reference: the worker's loader of this name makes the event, and no word of it comes into
   * this workflow's history.
   *
   * @throws ActivityFailure the event is refused, or the loader gives up
   * @example
   * await memory.captureFrom('call', { call_id: 'c-17' });
   */
  async captureFrom(loader: string, reference: JsonObject): Promise<Captured> {
    return await (await this.recordFrom(loader, reference)).result();
  }

  /**
   * @example
   * await memory.recordFrom('call', { call_id: 'c-17' });
   */
  async recordFrom(loader: string, reference: JsonObject): Promise<RecordedEvent> {
    const input = { defaults: this.defaults(), loader, reference, ...this.mode() };
    return await this.recorded(() => this.activities.recording.cairnRecordEventFrom(input));
  }

  /**
   * What fits what the agent is about to do, as it may be seen now: each call asks anew. Its words stand in this
   * workflow's history from then on; an activity that calls a model does better to ask with the client itself.
   *
   * @returns null where `if_context_version` still holds
   * @throws ActivityFailure Cairn was away for a minute, or the recall is refused
   * @example
   * const { context } = await memory.recall({ query: 'refund the order', intent: 'act' });
   */
  async recall(request: WorkflowRecall & { if_context_version?: never }): Promise<RecalledContext>;
  async recall(request: WorkflowRecall): Promise<RecalledContext | null>;
  async recall(request: WorkflowRecall): Promise<RecalledContext | null> {
    const { agent, person, session } = this.options;
    return await this.activities.recalling.cairnRecall({
      request,
      agent,
      ...(person === undefined ? {} : { person }),
      ...(session === undefined ? {} : { session }),
    });
  }

  /** What was done is not undone by a cancellation, so neither is its memory. */
  private async recorded(record: () => Promise<EventRecorded>): Promise<RecordedEvent> {
    return await CancellationScope.nonCancellable(async () => {
      const event = await record();
      const isOver = event.status === 'duplicate' && event.disposition !== 'pending';
      const child = event.start === 'child' && !isOver ? await startCapture(event) : null;
      return new RecordedEvent(event, child, this.activities.looking);
    });
  }

  private defaults(): EventDefaults {
    const { agent, task, session, project } = this.options;
    events += 1;
    return {
      agent,
      occurred_at: workflowTime(),
      n: events,
      ...(task === undefined ? {} : { task }),
      ...(session === undefined ? {} : { session }),
      ...(project === undefined ? {} : { project }),
    };
  }

  private mode(): { mode?: CaptureStart } {
    return this.options.mode === undefined ? {} : { mode: this.options.mode };
  }
}

/**
 * Why an event or a recall was refused, by the codes of docs/temporal-native.md that are not tried again, such as
 * `stopped` where a person has stopped the agent; null for any other error.
 *
 * @example
 * await memory.capture(event).catch((error) => {
 *   if (refusalOf(error) !== 'stopped') throw error;
 * });
 */
export function refusalOf(error: unknown): RuntimeRefusal | null {
  const { cause } = error instanceof ActivityFailure ? error : { cause: null };
  const type = cause instanceof ApplicationFailure ? cause.type : null;
  return typeof type === 'string' && isRuntimeRefusal(type) ? type : null;
}
