import type {
  Decision,
  DecisionChannel,
  DecisionRefusal,
  ProposalStatus,
  ProposalType,
} from './proposal';

/** Inputs and results of the proposal workflow and its activities: ids, decisions, counts and codes. */

/** A person decides; by Update, which answers, or by Signal, which does not. */
export const DECIDE = 'decide';
/** The runtime says that an approved fix is in its configuration. */
export const FIX_APPLIED_SIGNAL = 'fix_applied';
/** What the step did since then has decided it: three successes, or a failure. */
export const FIX_WATCHED_SIGNAL = 'fix_watched';
/** Query: where it stands. */
export const STATE_QUERY = 'state';

export interface ProposalInput {
  workspace: string;
  proposal_id: string;
}

/** What `decide` is given. Whoever writes it by hand needs `decision`, `by` and `version`. */
export interface DecideRequest {
  decision: Decision;
  /** A person's id, whose right is checked where it is applied. */
  by: string;
  version: number;
  reason_code?: string;
  /** Of the decision that came through the API; one that names none came straight to Temporal. */
  intent_id?: string;
}

/** What `decide` answers. */
export interface DecideAnswer {
  status: ProposalStatus;
  version: number;
}

/** How a proposal stands for whoever waits for its decision. */
export interface ProposalRound {
  type: ProposalType;
  status: ProposalStatus;
  version: number;
  /** RFC 3339. */
  expires_at: string;
  /** RFC 3339, those that are still to come, in order; all before `expires_at`. */
  reminders: string[];
}

export interface DecisionStep extends ProposalInput {
  /** Of the update or signal: the same one, tried again, changes nothing. */
  decision_id: string;
  /** Null where what came is no decision; nothing else of it is believed before it is looked at. */
  request: DecideRequest | null;
  /** Workflow time at which it was heard of, RFC 3339. */
  heard_at: string;
}

export interface DecisionTaken extends ProposalRound {
  outcome: 'taken';
  channel: DecisionChannel;
  decision: Decision;
  /** A fix that has to be applied by its runtime, and watched. */
  fix_id: string | null;
}

export interface DecisionRefused extends ProposalRound {
  outcome: 'refused';
  refusal: DecisionRefusal;
}

/** What a person's decision came to; it reads as its record. */
export type DecisionOutcome = DecisionTaken | DecisionRefused;

export interface ReminderStep extends ProposalInput {
  version: number;
  /** When it was to be sent, RFC 3339: each time once. */
  due: string;
  /** Workflow time, RFC 3339. */
  at: string;
}

/** A proposal as the workflow finds it: anew, or where an earlier run of it ended. */
export interface ProposalBegun extends ProposalRound {
  /** Whether a model is to word it first. */
  asks_model: boolean;
  /** The fix that is waited for or watched; null where there is none. */
  fix_id: string | null;
}

export interface FixStep extends ProposalInput {
  fix_id: string;
}

/** How the fix stands: what its watch came to, and where it was reopened the next round. */
export interface FixState extends ProposalRound {
  /** RFC 3339: an approved or applied fix that nothing is heard of lapses then. */
  lapses_at: string;
}

/** Reads as the record of one proposal. */
export interface ProposalResult {
  proposal_id: string;
  type: ProposalType;
  status: ProposalStatus;
  version: number;
  reminders: number;
  /** Decisions that were heard of, by what came of them. */
  decisions: { taken: number; refused: number };
  /** By which door the last one that counted came. */
  channel: DecisionChannel | null;
}
