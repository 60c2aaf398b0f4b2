import type { Outcome } from './names';
import type { LearnInput } from './passes';

/** To a learning loop that runs: the same task ended once more, and is looked at again. */
export const TASK_ENDED_SIGNAL = 'task_ended';

/** Why a task taught no skill before anything was scored or asked. */
export const TRIVIAL_REASONS = [
  'task_failed',
  'no_verdict',
  'instruction_like',
  'no_steps',
  'too_few_steps',
  'too_many_steps',
  'nothing_new',
] as const;
export type TrivialReason = (typeof TRIVIAL_REASONS)[number];

/** What became of a task that ended, for its record. */
export const LEARNED = [
  /** It is not remembered, or nobody may learn from it. */
  'not_looked_at',
  'trivial',
  /** Novel, but not by enough. */
  'known',
  /** A skill was made, or one got a further version. */
  'created',
  'merged',
  /** A skill of the scope says all of it. */
  'identical',
  /** A further version fails what the one in use passes; that one stays. */
  'regressed',
  /** By a rule of the gate. */
  'rejected',
  /** A person decides. */
  'proposed',
  /** What it was learned from changed while it was worded, again and again. */
  'moved',
] as const;
export type Learned = (typeof LEARNED)[number];

/** What became of the card of a task that failed. */
export const REFLECTED = [
  'reflected',
  /** Its card says so already, or there is nothing to say. */
  'nothing_to_add',
  /** Somebody changed, wrote or stopped the card. */
  'card_moved',
] as const;
export type Reflected = (typeof REFLECTED)[number];

/** A task as the loop goes through it: ids, counts and codes only. */
export interface EndedTask {
  /** Null where there is nothing to look at: the reason says why. */
  card_id: string | null;
  outcome: Outcome | null;
  steps: number;
  /** Steps that failed or were blocked. */
  failures: number;
  reason: TrivialReason | 'not_carded' | 'memory_off' | 'not_final' | null;
  /** 1–10, by the rarity of its steps; null where nothing is scored. */
  novelty: number | null;
  /** The policy's threshold. */
  least_novelty: number;
  asks_model: boolean;
}

export interface ModelSpent {
  calls: number;
  tokens: number;
}

export interface ScoredTask extends ModelSpent {
  novelty: number;
  /** The model's code. */
  why: string | null;
}

export interface FiledSkill {
  learned: Exclude<Learned, 'trivial' | 'known' | 'not_looked_at'>;
  card_id: string | null;
  /** Of the skill. */
  version: number | null;
  /** To the nearest skill of the scope, 0–1; null where there is none. */
  similarity: number | null;
  /** Why, a code. */
  reason: string | null;
  proposal_id: string | null;
}

/** What one ending of a task taught: the result of the run, as its row has it. */
export interface LearnResult {
  status: 'completed' | 'partial';
  event_id: string;
  outcome: Outcome | null;
  learned: Learned;
  reason: string | null;
  novelty: number | null;
  scored_by: 'model' | 'fallback' | null;
  written_by: 'model' | 'fallback' | null;
  skill_card: string | null;
  skill_version: number | null;
  similarity: number | null;
  proposal_id: string | null;
  reflected: Reflected | null;
  reflected_by: 'model' | 'fallback' | null;
  /** Tests that skills got from calls which failed. */
  failure_cases: number;
  /** Code of the failure that the model's words were missed for. */
  model_failure: string | null;
}

/** What the workflow of one task ends with. */
export interface LearnRecord {
  endings: number;
  last: LearnResult | null;
}

/** A run of the loop; what is handed on beside the first ending is what was heard meanwhile. */
export interface LearnRun extends LearnInput {
  waiting?: LearnInput[];
  done?: number;
}
