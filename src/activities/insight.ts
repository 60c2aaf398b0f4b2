import type { InsightInput } from '../contracts/insight';
import type {
  FollowUpEnd,
  FollowUpState,
  MeasureStep,
  OrderStep,
  OrderTaken,
} from '../contracts/insight-messages';
import { followUpSeal } from '../intake/follow-up-seal';
import type { Database } from '../store/database';
import { endFollowUp, lookAtFollowUp, standingOf } from '../store/insight-follow-up-runs';
import { measureDue } from '../store/insight-measuring';
import { type OrderChannel, takeOrder } from '../store/insight-orders';
import { executionOf } from './execution';

export interface InsightDependencies {
  database: Database;
  /** Of the installation: by it is known what came through the API. */
  secretKey: string;
}

type SealedOrder = Pick<OrderStep, 'workspace' | 'insight_id' | 'order' | 'request'>;

/** Each is one transaction, and done again changes nothing; `at` is workflow time, RFC 3339. */
export interface InsightActivities {
  /** Its run goes on under this workflow; how what was taken stands. */
  lookAtInsight(input: InsightInput & { at: string }): Promise<FollowUpState>;
  /** The window of an action is over: it has its outcome, or a code why there is none. */
  measureAction(input: MeasureStep): Promise<FollowUpState>;
  /** Does what somebody asked for, or answers why it changes nothing. */
  orderFollowUp(input: OrderStep): Promise<OrderTaken>;
  /** Writes the record. @returns false where something waits again */
  endInsight(input: FollowUpEnd): Promise<boolean>;
}

export function createInsightActivities({
  database,
  secretKey,
}: InsightDependencies): InsightActivities {
  const channelOf = ({ order, request, ...insight }: SealedOrder): OrderChannel => {
    const isSealed = request.seal === followUpSeal(secretKey, insight, order, request);
    return isSealed ? 'api' : 'temporal';
  };
  return {
    lookAtInsight: ({ workspace, insight_id: insightId, at }) =>
      database.inWorkspace(workspace, (tx) =>
        lookAtFollowUp(tx, { insightId, ...executionOf(), at: new Date(at) }),
      ),
    measureAction: ({ workspace, insight_id: insightId, action_id: actionId, at }) =>
      database.inWorkspace(workspace, async (tx) => {
        await measureDue(tx, { insightId, actionId, ...executionOf(), at: new Date(at) });
        return await standingOf(tx, insightId);
      }),
    orderFollowUp: ({ workspace, insight_id: insightId, order, request, at }) =>
      database.inWorkspace(workspace, async (tx) => {
        const channel = channelOf({ workspace, insight_id: insightId, order, request });
        const heard = { insightId, order, request, channel, ...executionOf(), at: new Date(at) };
        return { answer: await takeOrder(tx, heard), now: await standingOf(tx, insightId) };
      }),
    endInsight: ({ workspace, insight_id: insightId, result, at }) =>
      database.inWorkspace(workspace, (tx) => {
        const { workflowId } = executionOf();
        return endFollowUp(tx, { insightId, workflowId, at: new Date(at) }, result);
      }),
  };
}
