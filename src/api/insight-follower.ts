import type { Client } from '@temporalio/client';
import {
  FOLLOW_UP_REFUSALS,
  type FollowUpAnswer,
  type FollowUpRefusal,
  type FollowUpRequest,
  type InsightInput,
} from '../contracts/insight';
import type { FollowUpOrder } from '../contracts/insight-messages';
import { insightWorkflowId } from '../contracts/workflow-ids';
import { insightSummary } from './workflow-starter';
import { askWorkflow } from './workflow-update';

/** What came of an order; `unheard`: nobody answered in time, and asking again is safe. */
export type Followed =
  | { outcome: 'answered'; answer: FollowUpAnswer }
  | { outcome: 'refused'; refusal: FollowUpRefusal }
  | { outcome: 'unheard' };

export interface InsightFollower {
  /** @param updateId the same for the same request: it is taken once, however often it is asked for */
  order(
    insight: InsightInput,
    order: FollowUpOrder,
    updateId: string,
    request: FollowUpRequest,
  ): Promise<Followed>;
}

/** Measures, extends and cancels by Update on the insight's workflow, which is started where none runs. */
export function insightFollower(client: Client): InsightFollower {
  return {
    order: async (insight, order, updateId, request) => {
      const { workspace, insight_id: id } = insight;
      const asked = await askWorkflow<FollowUpAnswer, FollowUpRequest>(client, {
        workspace,
        workflow: {
          type: 'insight',
          id: insightWorkflowId(workspace, id),
          args: [insight],
          summary: insightSummary(workspace, id),
        },
        update: order,
        updateId,
        request,
      });
      if (asked.outcome !== 'refused') return asked;
      const refusal = FOLLOW_UP_REFUSALS.find((one) => one === asked.code);
      if (refusal === undefined) throw asked.error;
      return { outcome: 'refused', refusal };
    },
  };
}
