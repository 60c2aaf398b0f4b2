import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import {
  type CaptureInput,
  type EmbedInput,
  MORE_SIGNAL,
  type RedistillInput,
  type ReembedInput,
} from '../contracts/messages';
import { SEARCH_ATTRIBUTES, STUCK } from '../contracts/search-attributes';
import { TASK_QUEUES } from '../contracts/task-queues';
import type { OutboxAction, OutboxItem } from '../store/outbox';

/** The server may be away for long; then the outbox tries again, and does not hang on one call. */
const START_DEADLINE_MS = 10_000;

/**
 * Starts the workflow that an outbox item names. Starting it twice is starting it once: a running one
 * is used as it is, a finished capture is left alone unless it failed.
 * @param eager where the worker shares this process, the first task is handed over directly.
 */
export function workflowStarter(
  client: Client,
  eager: boolean,
): (item: OutboxItem) => Promise<void> {
  return async (item) => {
    const { type, args, summary, stuck } = startOf(item);
    const attributes = [
      attribute(SEARCH_ATTRIBUTES.workspace, item.workspace_id),
      ...(stuck === undefined ? [] : [attribute(SEARCH_ATTRIBUTES.stuck, stuck)]),
    ];
    const options: WorkflowStartOptions & { args: [object] } = {
      workflowId: item.workflow_id,
      taskQueue: TASK_QUEUES.workflows,
      args: [args],
      workflowIdReusePolicy:
        item.action === 'start_capture' ? 'ALLOW_DUPLICATE_FAILED_ONLY' : 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: summary,
      typedSearchAttributes: attributes,
    };
    try {
      await client.withDeadline(Date.now() + START_DEADLINE_MS, async () => {
        if (item.action === 'start_embed') {
          // One that is about to end hears of it, and looks once more.
          const signal = { signal: MORE_SIGNAL, signalArgs: [] };
          await client.workflow.signalWithStart(type, { ...options, ...signal });
        } else {
          await client.workflow.start(type, { ...options, requestEagerStart: eager });
        }
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
}

function attribute({ name }: { name: string }, value: string) {
  return { key: defineSearchAttributeKey(name, SearchAttributeType.KEYWORD), value };
}

interface Start {
  type: 'capture' | 'embed' | 'redistill' | 'reembed';
  args: CaptureInput | EmbedInput | RedistillInput | ReembedInput;
  summary: string;
  stuck?: string;
}

function startOf(item: OutboxItem): Start {
  const workspace = item.workspace_id;
  const action: OutboxAction = item.action;
  switch (action) {
    case 'start_capture':
    case 'restart_capture':
      return {
        type: 'capture',
        args: item.arguments as unknown as CaptureInput,
        summary: `Capture of one settled event in ${workspace}`,
        ...(action === 'restart_capture' ? { stuck: STUCK.restarted } : {}),
      };
    case 'start_embed':
      return { type: 'embed', args: { workspace }, summary: `Late vectors of ${workspace}` };
    case 'start_redistill':
      return {
        type: 'redistill',
        args: { workspace },
        summary: `Cards of the stand-in in ${workspace}, written again`,
      };
    case 'start_reembed':
      return {
        type: 'reembed',
        args: item.arguments as unknown as ReembedInput,
        summary: `Vectors of another model for ${workspace}`,
      };
    default:
      return action satisfies never;
  }
}
