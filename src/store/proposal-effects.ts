import type { Policy } from '../contracts/policy';
import type { DecisionRefusal, ProposalStatus, ProposalType } from '../contracts/proposal';
import { CONTRADICTION_EFFECT } from './card-writes-contradicted';
import { PROMOTION_EFFECT } from './card-writes-promoted';
import { CONFIG_FIX_EFFECT } from './config-fixes-deciding';
import type { Tx } from './database';
import type { DecisionToTake } from './proposal-deciding';
import type { ProposalRow } from './proposal-row';

export interface Applied {
  status: ProposalStatus;
  /** A fix that its runtime is to apply. */
  fixId: string | null;
}

export interface NotApplied {
  refusal: Extract<DecisionRefusal, 'world_changed' | 'key_taken'>;
  /** The new version to look at, where there is one. */
  row?: ProposalRow;
}

export interface Approval extends DecisionToTake {
  /** Of a contradiction: the side that the person takes; null takes the one that was suggested. */
  winner: string | null;
  policy: Policy;
}

/** What a decision does to the world, in the transaction that records it; the row is held. */
export interface Effect {
  approve(tx: Tx, row: ProposalRow, approval: Approval): Promise<Applied | NotApplied>;
  reject(tx: Tx, row: ProposalRow, step: DecisionToTake): Promise<Applied>;
}

/** Types that something opens; another is opened by nobody yet. */
const EFFECTS: Partial<Record<ProposalType, Effect>> = {
  config_fix: CONFIG_FIX_EFFECT,
  promotion: PROMOTION_EFFECT,
  contradiction: CONTRADICTION_EFFECT,
};

/** @throws where nothing is known of what this type changes. */
export function effectOf(type: ProposalType): Effect {
  const effect = EFFECTS[type];
  if (effect === undefined) throw new Error(`nothing applies a proposal of type ${type}`);
  return effect;
}
