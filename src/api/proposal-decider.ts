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
import { DECISION_REFUSALS, type DecisionRefusal } from '../contracts/proposal';
import { DECIDE, type DecideAnswer, type DecideRequest } from '../contracts/proposal-messages';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes';
import { PRIORITIES, TASK_QUEUES } from '../contracts/task-queues';
import { proposalWorkflowId } from '../contracts/workflow-ids';
import { proposalSummary } from './workflow-starter';

/** By name and type: the workflow's own definition belongs to the sandbox. */
const decide = { type: 'update', name: DECIDE } as UpdateDefinition<DecideAnswer, [DecideRequest]>;

/** Two short activities; a worker that restarts takes a few seconds. */
const DECISION_DEADLINE_MS = 15_000;

/** What came of a decision; `unheard`: nobody answered in time, and asking again with the same id is safe. */
export type Decided =
  | { outcome: 'taken'; answer: DecideAnswer }
  | { outcome: 'refused'; refusal: DecisionRefusal }
  | { outcome: 'unheard' };

export interface ProposalDecider {
  /** @param updateId the same for the same decision: it is taken once, however often it is asked for */
  decide(
    proposal: { workspace: string; id: string },
    updateId: string,
    request: DecideRequest,
  ): Promise<Decided>;
}

/**
 * Decides by Update on the proposal's workflow, and starts it where the outbox has not come that far or it
 * was lost.
 */
export function proposalDecider(client: Client): ProposalDecider {
  return {
    decide: async ({ workspace, id }, updateId, request) => {
      const workspaceKey = defineSearchAttributeKey(
        SEARCH_ATTRIBUTES.workspace.name,
        SearchAttributeType.KEYWORD,
      );
      const start = new WithStartWorkflowOperation('proposal', {
        workflowId: proposalWorkflowId(workspace, id),
        taskQueue: TASK_QUEUES.workflows,
        args: [{ workspace, proposal_id: id }],
        priority: { priorityKey: PRIORITIES.deciding },
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        staticSummary: proposalSummary(workspace, id),
        typedSearchAttributes: [{ key: workspaceKey, value: workspace }],
      });
      try {
        const answer = await client.withDeadline(Date.now() + DECISION_DEADLINE_MS, () =>
          client.workflow.executeUpdateWithStart(decide, {
            updateId,
            args: [request],
            startWorkflowOperation: start,
          }),
        );
        return { outcome: 'taken', answer };
      } catch (error) {
        const refusal = refusalIn(error);
        if (refusal !== null) return { outcome: 'refused', refusal };
        if (isAway(error)) return { outcome: 'unheard' };
        throw error;
      }
    },
  };
}

function refusalIn(error: unknown): DecisionRefusal | null {
  if (!(error instanceof WorkflowUpdateFailedError)) return null;
  const type = error.cause instanceof ApplicationFailure ? error.cause.type : null;
  return DECISION_REFUSALS.find((one) => one === type) ?? null;
}

/** Temporal does not answer, or no worker does. */
function isAway(error: unknown): boolean {
  return (
    error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
    isGrpcServiceError(error) ||
    (error instanceof Error && isGrpcServiceError(error.cause))
  );
}
