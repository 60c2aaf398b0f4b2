import type { CardScope } from './card';

/** Where an insight comes from; held by a CHECK too, and no fifth can be made. */
export const INSIGHT_ORIGINS = [
  'chat_pin',
  'user_explore',
  'automated_run',
  'manual_trigger',
] as const;
export type InsightOrigin = (typeof INSIGHT_ORIGINS)[number];

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Whether more of a metric is better, or less. */
export const METRIC_GOALS = ['up', 'down'] as const;
export type MetricGoal = (typeof METRIC_GOALS)[number];

export const ACTION_PRIORITIES = ['high', 'normal', 'low'] as const;
export type ActionPriority = (typeof ACTION_PRIORITIES)[number];

export const OUTCOME_RESULTS = ['improved', 'unchanged', 'worse'] as const;
export type OutcomeResult = (typeof OUTCOME_RESULTS)[number];

/** `unmeasured`: its window is over, and nothing could be told; a person or runtime may still report it. */
export const ACTION_STATUSES = [
  'recommended',
  'taken',
  'measured',
  'unmeasured',
  'cancelled',
] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

/** Why a follow-up ended without an outcome. */
export const UNMEASURED_CODES = [
  /** No number of any of its metrics since the action was taken. */
  'no_measurement',
  /** The insight was saved without a metric. */
  'no_baseline',
  /** Nobody says whether more of the metric is better. */
  'no_goal',
  /** The insight's card is deleted, erased or withdrawn. */
  'insight_gone',
  'cancelled',
] as const;
export type UnmeasuredCode = (typeof UNMEASURED_CODES)[number];

/** One number of one metric at one moment. */
export interface MetricSnapshot {
  name: string;
  value: number;
  unit: string | null;
  at: string;
  goal: MetricGoal | null;
}

/** An amount that the text names, and what became of it. */
export interface MoneyBasis {
  /** As it stands in the text or metric. */
  quote: string;
  amount: number;
  /** ISO 4217. */
  currency: string;
  /** Null for an amount that is no rate. */
  per: 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | null;
  /** In US dollars by the policy's rates, of a month where it is a rate. */
  dollars: number;
  source: 'finding' | 'metric';
}

export interface VelocityBasis {
  metric: string;
  /** Relative change a week, in the direction that is worse. */
  weekly_change: number;
  from: { value: number; at: string };
  to: { value: number; at: string };
}

/** Financial Urgency Score, 0–100, and its four terms; `basis` says what each rests on. */
export interface Urgency {
  score: number;
  /** 0–30 */
  severity: number;
  /** 0–35 */
  dollars: number;
  /** 0–20 */
  velocity: number;
  /** 0–15 */
  time_sensitivity: number;
  basis: { dollars: MoneyBasis | null; velocity: VelocityBasis | null; domain: string };
}

/** What earlier takings of the same action came to, where the reader's insight may rest on them. */
export interface ActionEvidence {
  outcomes: number;
  improved: number;
  unchanged: number;
  worse: number;
}

export interface ActionOutcome {
  result: OutcomeResult;
  /** Relative change, −0.18 is 18 % less; null where it was only reported. */
  size: number | null;
  metric: string | null;
  baseline: number | null;
  value: number | null;
  unit: string | null;
  at: string;
  channel: 'measured' | 'reported';
  by: { kind: string; id: string };
  /** The card that tells it, where the reader may see it. */
  card_id: string | null;
}

export interface InsightAction {
  id: string;
  text: string;
  /** SHA-256 of the normalized text, hex. */
  hash: string;
  priority: ActionPriority;
  boost: number;
  rationale: string;
  caution?: string;
  evidence: ActionEvidence;
  status: ActionStatus;
  taken_at: string | null;
  taken_by: { kind: string; id: string } | null;
  measure_at: string | null;
  ended_code: UnmeasuredCode | null;
  outcome: ActionOutcome | null;
}

export interface Insight {
  id: string;
  card_id: string;
  origin: InsightOrigin;
  /** Null once the card's words were changed; `finding` is what the card says then. */
  title: string | null;
  finding: string;
  domain: string;
  severity: Severity;
  scope: CardScope;
  owner: { kind: string; id: string };
  urgency: Urgency;
  /** Where its metrics stood when it was saved. */
  baseline: MetricSnapshot[];
  /** Without what is blocked; the best first. */
  actions: InsightAction[];
  /** How many recommended actions are not shown, since a person blocked them. */
  removed: number;
  /** ISO 8601. */
  window: string;
  created_at: string;
  /** Of its follow-up; null until an action was taken. */
  operation_id: string | null;
  workflow_id: string | null;
}

/** An action by its hash, over all insights. */
export interface KnownAction {
  hash: string;
  text: string;
  boost: number;
  priority: ActionPriority;
  evidence: ActionEvidence;
  blocked: { at: string; by: string; reason: string | null } | null;
  created_at: string;
}

/** Updates of the follow-up's workflow; each is also a route. */
export const MEASURE_NOW = 'measure_now';
export const EXTEND = 'extend';
export const CANCEL_FOLLOW_UP = 'cancel';
/** Signal: an action was taken, or an outcome reported; the workflow looks at its rows. */
export const INSIGHT_CHANGED_SIGNAL = 'changed';

export interface InsightInput {
  workspace: string;
  insight_id: string;
  operation_id: string;
}

export interface FollowUpRequest {
  action_id: string;
  /** Of a person or an agent; their right is checked where it is applied. */
  by: { kind: string; id: string };
  /** Of `extend`: RFC 3339, the new time to measure at. */
  until?: string;
  /** Of `cancel`: of `reasons`, where the API has kept what was said. */
  reason_id?: string;
  /** Of what came through the API, by the installation's key; what has none came straight to Temporal. */
  seal?: string;
}

/** Why an Update changes nothing. */
export const FOLLOW_UP_REFUSALS = [
  /** This is no request. */
  'malformed',
  /** The insight has no such action. */
  'no_action',
  /** Nobody who may. */
  'not_allowed',
  /** It is recommended only. */
  'not_taken',
  'already_ended',
  /** An extension to an earlier time than the one that stands. */
  'not_later',
  /** It came straight to Temporal, and the policy wants decisions through the API. */
  'direct_decisions_off',
] as const;
export type FollowUpRefusal = (typeof FOLLOW_UP_REFUSALS)[number];

/** What an Update answers. */
export interface FollowUpAnswer {
  action_id: string;
  /** Null where there is no such action. */
  status: ActionStatus | null;
  result: OutcomeResult | null;
  measure_at: string | null;
  /** Why there is no outcome, or why nothing was changed. */
  code: UnmeasuredCode | FollowUpRefusal | null;
}

/** The workflow's result and memo: ids, states, counts. */
export interface InsightResult {
  insight_id: string;
  /** Null where the insight was erased. */
  card_id: string | null;
  actions: {
    action_id: string;
    status: ActionStatus;
    result: OutcomeResult | null;
    code: UnmeasuredCode | null;
    card_id: string | null;
  }[];
}
