import { type Client, isGrpcServiceError } from '@temporalio/client';
import { WORKFLOW_TYPES, type WorkflowType } from '../contracts/names';
import type { Timeline, TimelineStatus } from '../contracts/timeline';
import {
  type HistoryEvent,
  type HistoryTime,
  isEnd,
  millisecondsOf,
  type PendingActivity,
  timeOf,
} from '../domain/timeline/history';

/** A run as Temporal keeps it. */
export interface KeptRun {
  run_id: string;
  type: WorkflowType;
  status: TimelineStatus;
  started_at: string;
  closed_at: string | null;
  /** Of the whole history. */
  events: number;
  /** Of its beginning, where it is longer than what is read. */
  read: readonly HistoryEvent[];
  truncated: boolean;
  pending: readonly PendingActivity[];
  runs: Timeline['runs'];
}

/** `gone`: never there, or over for longer than Temporal keeps it; null where it does not say how long that is. */
export type Looked =
  | { outcome: 'found'; run: KeptRun }
  | { outcome: 'gone'; kept_ms: number | null }
  | { outcome: 'away' };

export interface TimelineReader {
  /** @param runId null: the run that goes on, or was the last */
  look(workflowId: string, runId: string | null): Promise<Looked>;
}

/** A person waits; several calls of some milliseconds each. */
const DEADLINE_MS = 5_000;
/** Temporal suggests to continue as new after 4,096, so that none of ours is as long. */
const MOST_EVENTS = 10_000;
const EVENTS_A_PAGE = 1_000;
const MOST_RUNS = 50;
/** Of gRPC: no such execution, and an id that cannot be one. */
const NOT_THERE: readonly number[] = [5, 3];

/** By Temporal's numbers. */
const STATUSES: Readonly<Record<number, TimelineStatus>> = {
  1: 'running',
  2: 'completed',
  3: 'failed',
  4: 'cancelled',
  5: 'terminated',
  6: 'continued',
  7: 'timed_out',
  8: 'paused',
};

/** Reads histories from Temporal itself; of workflows of this program only, since others may hold anything. */
export function timelineReader(client: Client): TimelineReader {
  return {
    look: async (workflowId, runId) => {
      try {
        return await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
          const run = await keptRun(client, workflowId, runId);
          if (run !== null) return { outcome: 'found', run };
          return { outcome: 'gone', kept_ms: await keptFor(client) };
        });
      } catch (error) {
        if (codeOf(error) === null) throw error;
        return { outcome: 'away' };
      }
    },
  };
}

async function keptRun(
  client: Client,
  workflowId: string,
  runId: string | null,
): Promise<KeptRun | null> {
  const { namespace } = client.options;
  const execution = { workflowId, ...(runId === null ? {} : { runId }) };
  const found = await orNull(
    client.workflowService.describeWorkflowExecution({ namespace, execution }),
  );
  const info = found?.workflowExecutionInfo;
  const type = WORKFLOW_TYPES.find((one) => one === info?.type?.name);
  const run_id = info?.execution?.runId;
  if (!info || !run_id || type === undefined) return null;

  const [history, runs] = await Promise.all([
    orNull(historyOf(client, workflowId, run_id)),
    runsOf(client, workflowId),
  ]);
  if (history === null) return null;
  // It has ended since it was described; a history that is over changes no more.
  const closed_at = timeOf(info.closeTime);
  if (closed_at === null && isEnd(history.read.at(-1))) {
    return await keptRun(client, workflowId, run_id);
  }
  const own = { run_id, status: statusOf(info.status), started_at: startOf(info) };
  return {
    ...own,
    type,
    closed_at,
    events: Number(String(info.historyLength ?? history.read.length)),
    ...history,
    pending: found?.pendingActivities ?? [],
    // What has begun just now is not listed yet.
    runs: runs.some((run) => run.run_id === run_id)
      ? runs.map((run) => (run.run_id === run_id ? own : run))
      : [own, ...runs].sort((a, b) => (a.started_at < b.started_at ? 1 : -1)).slice(0, MOST_RUNS),
  };
}

async function historyOf(
  client: Client,
  workflowId: string,
  runId: string,
): Promise<{ read: HistoryEvent[]; truncated: boolean }> {
  const read: HistoryEvent[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await client.workflowService.getWorkflowExecutionHistory({
      namespace: client.options.namespace,
      execution: { workflowId, runId },
      maximumPageSize: EVENTS_A_PAGE,
      nextPageToken,
    });
    read.push(...(page.history?.events ?? []));
    nextPageToken = page.nextPageToken ?? new Uint8Array();
  } while (nextPageToken.length > 0 && read.length < MOST_EVENTS);
  return { read, truncated: nextPageToken.length > 0 };
}

/** Newest first; none where Temporal cannot list. */
async function runsOf(client: Client, workflowId: string): Promise<Timeline['runs']> {
  const found = await client.workflowService
    .listWorkflowExecutions({
      namespace: client.options.namespace,
      query: `WorkflowId = "${workflowId.replace(/["\\]/g, '\\$&')}"`,
      pageSize: MOST_RUNS,
    })
    .catch((error: unknown) => {
      if (codeOf(error) === null) throw error;
      return null;
    });
  return (found?.executions ?? [])
    .map((info) => ({
      run_id: info.execution?.runId ?? '',
      status: statusOf(info.status),
      started_at: startOf(info),
    }))
    .sort((a, b) => (a.started_at < b.started_at ? 1 : -1));
}

/** How long Temporal keeps what has ended. */
async function keptFor(client: Client): Promise<number | null> {
  const { config } = await client.workflowService.describeNamespace({
    namespace: client.options.namespace,
  });
  return millisecondsOf(config?.workflowExecutionRetentionTtl);
}

function statusOf(status: number | null | undefined): TimelineStatus {
  return STATUSES[status ?? 0] ?? 'running';
}

function startOf(info: {
  startTime?: HistoryTime | null;
  executionTime?: HistoryTime | null;
}): string {
  return timeOf(info.startTime) ?? timeOf(info.executionTime) ?? new Date(0).toISOString();
}

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (NOT_THERE.includes(codeOf(error) ?? -1)) return null;
    throw error;
  }
}

/** Of an answer that is a failure; null where it is none of Temporal's. */
function codeOf(error: unknown): number | null {
  if (isGrpcServiceError(error)) return error.code;
  return error instanceof Error && isGrpcServiceError(error.cause) ? error.cause.code : null;
}
