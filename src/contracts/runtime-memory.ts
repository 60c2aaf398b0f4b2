import type { JsonObject, SettledEvent } from './event';
import type { CardKind, CardStatus, Disposition, Intent, ItemStatus, Sign, Via } from './names';
import type { RecallFilters } from './recall';

/**
 * Between a workflow of a runtime's own and the activities beside it (docs/temporal-native.md). This is version 1:
 * a workflow that began with it may be replayed years later, so the names of the activities, the fields here and
 * the order of what a workflow schedules stay as they are. What comes later is added, behind a patch.
 */

/** An event as a workflow reports it: what is left out is known from the workflow. */
export type WorkflowEvent = Omit<SettledEvent, 'event_id' | 'occurred_at' | 'agent'> &
  Partial<Pick<SettledEvent, 'event_id' | 'occurred_at' | 'agent'>>;

/**
 * Who starts the capture of a recorded event. `child`: the workflow, as its child. `outbox`: a server of Cairn, as
 * for everybody else.
 */
export type CaptureStart = 'child' | 'outbox';

/** What an event has where it does not say otherwise. */
export interface EventDefaults {
  agent: string;
  /** Of the workflow, RFC 3339. */
  occurred_at: string;
  /** Counts the events of one run, from 1. */
  n: number;
  /** The workflow's id where they are absent. */
  task?: string;
  session?: string;
  project?: string;
}

interface RecordBase {
  defaults: EventDefaults;
  /** Absent: `child` where a worker of Cairn is seen in the workflow's namespace, otherwise `outbox`. */
  mode?: CaptureStart;
}

export interface RecordInput extends RecordBase {
  event: WorkflowEvent;
}

/** The event is made beside the worker, of a reference, and never stands in the workflow's history. */
export interface RecordFromInput extends RecordBase {
  loader: string;
  reference: JsonObject;
}

/** Ids and codes of an event that is durable. */
export interface EventRecorded {
  event_id: string;
  operation_id: string;
  workspace: string;
  /** Of its capture. */
  workflow_id: string;
  status: Exclude<ItemStatus, 'refused'>;
  disposition: Disposition;
  card_id: string | null;
  start: CaptureStart;
}

/** What became of an event. */
export interface Captured {
  event_id: string;
  operation_id: string;
  workflow_id: string;
  disposition: Disposition;
  /** Why there is no card; a reason code. */
  reason: string | null;
  card_id: string | null;
  /** Null where there is no card, and of a duplicate that was settled before. */
  kind: CardKind | null;
  sign: Sign | null;
}

export interface AwaitCaptureInput {
  workspace: string;
  operation_id: string;
}

/** What a capture ended with, as an operation tells it. */
export type CaptureSettled = Pick<Captured, 'disposition' | 'reason' | 'card_id' | 'kind' | 'sign'>;

/** A recall as a workflow asks for it; scope comes from the credential and the agent. */
export interface WorkflowRecall {
  query: string;
  intent?: Intent;
  limit?: number;
  budget_tokens?: number;
  project?: string;
  filters?: RecallFilters;
  /** Answers null where the context in the prompt still holds. */
  if_context_version?: string;
}

export interface RecallInput {
  request: WorkflowRecall;
  /** The key's own where it is absent. */
  agent?: string;
  /** Acted for; makes the call interactive. */
  person?: string;
  /** The workflow's id where it is absent. */
  session?: string;
}

/** The words stand once, in `context`: what a workflow is given stays in its history. */
export interface RecalledContext {
  recall_id: string;
  context_version: string;
  intent: Intent;
  context: string;
  tokens: number;
  cards: {
    id: string;
    kind: CardKind;
    sign: Sign;
    status: CardStatus;
    score: number;
    via: Via;
  }[];
  degraded?: string[];
}

/** What `createCairnActivities` puts into a worker. Named so that they meet no activity of the runtime's. */
export interface RuntimeMemoryActivities {
  cairnRecordEvent(input: RecordInput): Promise<EventRecorded>;
  cairnRecordEventFrom(input: RecordFromInput): Promise<EventRecorded>;
  cairnAwaitCapture(input: AwaitCaptureInput): Promise<CaptureSettled>;
  cairnRecall(input: RecallInput): Promise<RecalledContext | null>;
}
