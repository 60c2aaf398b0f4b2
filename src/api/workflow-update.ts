import {
  type Client,
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import {
  ApplicationFailure,
  defineSearchAttributeKey,
  SearchAttributeType,
  type UpdateDefinition,
} from '@temporalio/common';
import type { WorkflowType } from '../contracts/names';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes';
import { PRIORITIES, TASK_QUEUES } from '../contracts/task-queues';

/** Two short activities; a worker that restarts takes a few seconds. */
const ANSWER_DEADLINE_MS = 15_000;

/** Something that somebody waits for an answer to, of a workflow that is started where it does not run. */
export interface AskedOfWorkflow<Request> {
  workspace: string;
  workflow: { type: WorkflowType; id: string; args: readonly [object]; summary: string };
  /** Its name: the workflow's own definition belongs to the sandbox. */
  update: string;
  /** The same for the same request: it is taken once, however often it is asked for. */
  updateId: string;
  request: Request;
}

/** `unheard`: nobody answered in time, and asking again is safe. */
export type AnswerOfWorkflow<Answer> =
  | { outcome: 'answered'; answer: Answer }
  /** `code`: of the failure; null where it has none. */
  | { outcome: 'refused'; code: string | null; error: unknown }
  | { outcome: 'unheard' };

/** Asks by Update, and starts the workflow where the outbox has not come that far or it was lost. */
export async function askWorkflow<Answer, Request>(
  client: Client,
  { workspace, workflow, update, updateId, request }: AskedOfWorkflow<Request>,
): Promise<AnswerOfWorkflow<Answer>> {
  const workspaceKey = defineSearchAttributeKey(
    SEARCH_ATTRIBUTES.workspace.name,
    SearchAttributeType.KEYWORD,
  );
  const start = new WithStartWorkflowOperation(workflow.type, {
    workflowId: workflow.id,
    taskQueue: TASK_QUEUES.workflows,
    args: [...workflow.args],
    priority: { priorityKey: PRIORITIES.deciding },
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: workflow.summary,
    typedSearchAttributes: [{ key: workspaceKey, value: workspace }],
  });
  const definition = { type: 'update', name: update } as UpdateDefinition<Answer, [Request]>;
  try {
    const answer = await client.withDeadline(Date.now() + ANSWER_DEADLINE_MS, () =>
      client.workflow.executeUpdateWithStart(definition, {
        updateId,
        args: [request],
        startWorkflowOperation: start,
      }),
    );
    return { outcome: 'answered', answer };
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) {
      const { cause } = error;
      const code = cause instanceof ApplicationFailure ? (cause.type ?? null) : null;
      return { outcome: 'refused', code, error };
    }
    if (isAway(error)) return { outcome: 'unheard' };
    throw error;
  }
}

/** Temporal does not answer, or no worker does. */
function isAway(error: unknown): boolean {
  return (
    error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
    isGrpcServiceError(error) ||
    (error instanceof Error && isGrpcServiceError(error.cause))
  );
}
