import type {
  ActionStatus,
  CANCEL_FOLLOW_UP,
  EXTEND,
  FollowUpAnswer,
  FollowUpRequest,
  InsightInput,
  InsightResult,
  MEASURE_NOW,
} from './insight';

/** Inputs and results of the activities of an insight's follow-up: ids, states and times. */

/** What is asked of a follow-up. */
export type FollowUpOrder = typeof MEASURE_NOW | typeof EXTEND | typeof CANCEL_FOLLOW_UP;

/** An insight as its workflow finds it. */
export interface FollowUpState {
  /** Null where the insight was erased: then there is nothing to follow. */
  card_id: string | null;
  actions: FollowedAction[];
}

/** An action that was taken, and how it stands. */
export interface FollowedAction {
  action_id: string;
  status: Exclude<ActionStatus, 'recommended'>;
  /** RFC 3339. */
  measure_at: string;
  result: InsightResult['actions'][number]['result'];
  code: InsightResult['actions'][number]['code'];
  card_id: string | null;
}

export interface MeasureStep extends InsightInput {
  action_id: string;
  /** Workflow time, RFC 3339. */
  at: string;
}

export interface OrderStep extends InsightInput {
  order: FollowUpOrder;
  request: FollowUpRequest;
  /** Workflow time, RFC 3339. */
  at: string;
}

/** What an order came to, and how the insight stands after it. */
export interface OrderTaken {
  answer: FollowUpAnswer;
  now: FollowUpState;
}

export interface FollowUpEnd extends InsightInput {
  result: InsightResult;
  /** Workflow time, RFC 3339. */
  at: string;
}
