import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { CompactionInput } from '../contracts/conversation';
import type { EraseInput } from '../contracts/erasure';
import { INSIGHT_CHANGED_SIGNAL, type InsightInput } from '../contracts/insight';
import { TASK_ENDED_SIGNAL } from '../contracts/learning';
import {
  type CaptureInput,
  type EmbedInput,
  MORE_SIGNAL,
  type RedistillInput,
  type ReembedInput,
  type SealInput,
} from '../contracts/messages';
import type { WorkflowType } from '../contracts/names';
import type { LearnInput, PassRequest, ScheduledPass, UNIT_WORKFLOW } from '../contracts/passes';
import type { ProposalInput } from '../contracts/proposal-messages';
import type { RescanInput } from '../contracts/rescan';
import { SEARCH_ATTRIBUTES, STUCK } from '../contracts/search-attributes';
import { PRIORITIES, TASK_QUEUES } from '../contracts/task-queues';
import type { ImportInput } from '../contracts/transfer';
import type { OutboxItem, StartAction } from '../store/outbox';

/** The server may be away for long; then the outbox tries again, and does not hang on one call. */
const START_DEADLINE_MS = 10_000;

/**
 * Starts the workflow that an outbox item names. Starting it twice is starting it once: a running one
 * is used as it is, a finished capture is left alone unless it failed.
 * @param eager where the worker shares this process, the first task is handed over directly.
 * @param unheard what is to be done where a pass that was told something is not there, or has ended: true where
 *   it may still begin, and is to be told again
 */
export function workflowStarter(
  client: Client,
  eager: boolean,
  unheard: (item: OutboxItem) => Promise<boolean> = async () => false,
): (item: OutboxItem) => Promise<void> {
  return async (item) => {
    if (item.action === 'cancel_pass' || item.action === 'signal_pass') {
      if (!(await tell(client, item)) && (await unheard(item))) {
        throw new Error('a pass that is told something has not begun');
      }
      return;
    }
    const { type, args, summary, stuck, signal, signalArgs } = startOf(item);
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
      priority: { priorityKey: priorityOf(type) },
      typedSearchAttributes: attributes,
    };
    try {
      await client.withDeadline(Date.now() + START_DEADLINE_MS, async () => {
        if (signal !== undefined) {
          const told: object[] = signalArgs ?? [];
          await client.workflow.signalWithStart(type, { ...options, signal, signalArgs: told });
        } else {
          await client.workflow.start(type, { ...options, requestEagerStart: eager });
        }
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
}

function priorityOf(type: Start['type']): number {
  if (type === 'proposal') return PRIORITIES.deciding;
  return type === 'capture' ? PRIORITIES.capturing : PRIORITIES.passes;
}

/** To a pass that runs. @returns false where there is none by this id, or it has ended */
async function tell(client: Client, item: OutboxItem): Promise<boolean> {
  const handle = client.workflow.getHandle(item.workflow_id);
  const { signal = '', at } = item.arguments;
  try {
    return await client.withDeadline(Date.now() + START_DEADLINE_MS, async () => {
      if (item.action === 'signal_pass') {
        await handle.signal(signal, Number(at));
        return true;
      }
      // Temporal takes the cancelling of one that has ended for done.
      const isRunning = (await handle.describe()).status.name === 'RUNNING';
      if (isRunning) await handle.cancel();
      return isRunning;
    });
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return false;
  }
}

/** What Temporal's UI shows beside a proposal's workflow. */
export function proposalSummary(workspace: string, proposalId: string): string {
  return `Proposal ${proposalId} of ${workspace}: waits for a person`;
}

/** The same beside the follow-up of an insight. */
export function insightSummary(workspace: string, insightId: string): string {
  return `Insight ${insightId} of ${workspace}: measures what its actions came to`;
}

function attribute({ name }: { name: string }, value: string) {
  return { key: defineSearchAttributeKey(name, SearchAttributeType.KEYWORD), value };
}

interface Start {
  type: Exclude<WorkflowType, 'sweep' | (typeof UNIT_WORKFLOW)[ScheduledPass]>;
  args:
    | CaptureInput
    | EmbedInput
    | RedistillInput
    | ReembedInput
    | ProposalInput
    | SealInput
    | PassRequest
    | LearnInput
    | CompactionInput
    | RescanInput
    | InsightInput
    | ImportInput
    | EraseInput;
  summary: string;
  stuck?: string;
  /** One that runs hears of it, and looks once more. */
  signal?: string;
  signalArgs?: [LearnInput];
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
    case 'start_pass': {
      const request = item.arguments as unknown as PassRequest;
      return {
        type: 'fanOut',
        args: request,
        summary: `${request.type} of ${workspace}, asked for`,
      };
    }
    case 'start_learn':
      return {
        type: 'learn',
        args: item.arguments as unknown as LearnInput,
        summary: `What a task of ${workspace} taught`,
        signal: TASK_ENDED_SIGNAL,
        signalArgs: [item.arguments as unknown as LearnInput],
      };
    case 'start_compaction': {
      const { conversation_id = '', operation_id = '', n } = item.arguments;
      return {
        type: 'compact',
        args: { workspace, conversation_id, operation_id, n: Number(n) },
        summary: `Summary and facts of a conversation of ${workspace}`,
      };
    }
    case 'start_erasure':
      return {
        type: 'erase',
        args: item.arguments as unknown as EraseInput,
        summary: `Erases what was named in ${workspace}`,
      };
    case 'start_import':
      return {
        type: 'importFile',
        args: item.arguments as unknown as ImportInput,
        summary: `An export comes into ${workspace}`,
      };
    case 'start_insight': {
      const { insight_id = '', operation_id = '' } = item.arguments;
      return {
        type: 'insight',
        args: { workspace, insight_id, operation_id },
        summary: insightSummary(workspace, insight_id),
        signal: INSIGHT_CHANGED_SIGNAL,
      };
    }
    case 'start_rescan': {
      const { operation_id = '', n } = item.arguments;
      return {
        type: 'rescan',
        args: { workspace, operation_id, n: Number(n) },
        summary: `Everything durable of ${workspace}, redacted as it would be today`,
      };
    }
    case 'signal_pass':
    case 'cancel_pass':
      throw new Error(`${action} starts nothing`);
    default:
      return action satisfies never;
  }
}
