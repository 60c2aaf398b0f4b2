import type { Client } from '@temporalio/client';
import { DECISION_REFUSALS, type DecisionRefusal } from '../contracts/proposal';
import { DECIDE, type DecideAnswer, type DecideRequest } from '../contracts/proposal-messages';
import { proposalWorkflowId } from '../contracts/workflow-ids';
import { proposalSummary } from './workflow-starter';
import { askWorkflow } from './workflow-update';

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
      const asked = await askWorkflow<DecideAnswer, DecideRequest>(client, {
        workspace,
        workflow: {
          type: 'proposal',
          id: proposalWorkflowId(workspace, id),
          args: [{ workspace, proposal_id: id }],
          summary: proposalSummary(workspace, id),
        },
        update: DECIDE,
        updateId,
        request,
      });
      if (asked.outcome === 'unheard') return asked;
      if (asked.outcome === 'answered') return { outcome: 'taken', answer: asked.answer };
      const refusal = DECISION_REFUSALS.find((one) => one === asked.code);
      if (refusal === undefined) throw asked.error;
      return { outcome: 'refused', refusal };
    },
  };
}
