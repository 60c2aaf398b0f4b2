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
  type SealInput,
} from '../contracts/messages';
import type { ProposalInput } from '../contracts/proposal-messages';
import { SEARCH_ATTRIBUTES, STUCK } from '../contracts/search-attributes';
import { TASK_QUEUES } from '../contracts/task-queues';
import type { OutboxItem, StartAction } from '../store/outbox';

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
    const { type, args, summary, stuck, signal } = startOf(item);
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
        if (signal !== undefined) {
          await client.workflow.signalWithStart(type, { ...options, signal, signalArgs: [] });
        } else {
          await client.workflow.start(type, { ...options, requestEagerStart: eager });
        }
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
}

/** What Temporal's UI shows beside a proposal's workflow. */
export function proposalSummary(workspace: string, proposalId: string): string {
  return `Proposal ${proposalId} of ${workspace}: waits for a person`;
}

function attribute({ name }: { name: string }, value: string) {
  return { key: defineSearchAttributeKey(name, SearchAttributeType.KEYWORD), value };
}

interface Start {
  type: 'capture' | 'embed' | 'redistill' | 'reembed' | 'proposal' | 'seal';
  args: CaptureInput | EmbedInput | RedistillInput | ReembedInput | ProposalInput | SealInput;
  summary: string;
  stuck?: string;
  /** One that runs hears of it, and looks once more. */
  signal?: string;
}

function startOf(item: OutboxItem): Start {
  const workspace = item.workspace_id;
  const action: StartAction = item.action;
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
      return {
        type: 'embed',
        args: { workspace },
        summary: `Late vectors of ${workspace}`,
        signal: MORE_SIGNAL,
      };
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
    case 'start_proposal':
    case 'signal_proposal': {
      const { proposal_id = '', signal } = item.arguments;
      return {
        type: 'proposal',
        args: { workspace, proposal_id },
        summary: proposalSummary(workspace, proposal_id),
        ...(signal === undefined ? {} : { signal }),
      };
    }
    case 'start_seal': {
      const { n, ...ids } = item.arguments as {
        workspace: string;
        operation_id?: string;
        n: string;
      };
      return {
        type: 'seal',
        args: { ...ids, n: Number(n) },
        summary: `Seals the logs of ${workspace}`,
      };
    }
    default:
      return action satisfies never;
  }
}
