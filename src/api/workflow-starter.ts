import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { CaptureInput, EmbedInput } from '../contracts/messages';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes';
import { TASK_QUEUES } from '../contracts/task-queues';
import type { OutboxItem } from '../store/outbox';

const WORKSPACE_KEY = defineSearchAttributeKey(
  SEARCH_ATTRIBUTES.workspace.name,
  SearchAttributeType.KEYWORD,
);

/** The server may be away for long; then the outbox tries again, and does not hang on one call. */
const START_DEADLINE_MS = 10_000;

/**
 * Starts the workflow that an outbox item names. Starting it twice is starting it once: a running one
 * is used as it is, a finished one is left alone unless it failed.
 * @param eager where the worker shares this process, the first task is handed over directly.
 */
export function workflowStarter(
  client: Client,
  eager: boolean,
): (item: OutboxItem) => Promise<void> {
  return async (item) => {
    const { type, args, summary } = startOf(item);
    try {
      await client.withDeadline(Date.now() + START_DEADLINE_MS, () =>
        client.workflow.start(type, {
          workflowId: item.workflow_id,
          taskQueue: TASK_QUEUES.workflows,
          args: [args],
          workflowIdReusePolicy:
            item.action === 'start_embed' ? 'ALLOW_DUPLICATE' : 'ALLOW_DUPLICATE_FAILED_ONLY',
          workflowIdConflictPolicy: 'USE_EXISTING',
          requestEagerStart: eager,
          staticSummary: summary,
          typedSearchAttributes: [{ key: WORKSPACE_KEY, value: item.workspace_id }],
        }),
      );
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
}

function startOf(item: OutboxItem): {
  type: 'capture' | 'embed';
  args: CaptureInput | EmbedInput;
  summary: string;
} {
  switch (item.action) {
    case 'start_capture':
      return {
        type: 'capture',
        args: item.arguments as unknown as CaptureInput,
        summary: `Capture of one settled event in ${item.workspace_id}`,
      };
    case 'start_embed':
      return {
        type: 'embed',
        args: item.arguments as unknown as EmbedInput,
        summary: `Late vectors of ${item.workspace_id}`,
      };
    default:
      return item.action satisfies never;
  }
}
