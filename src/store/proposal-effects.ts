import type { Policy } from '../contracts/policy';
import type { DecisionRefusal, ProposalStatus, ProposalType } from '../contracts/proposal';
import { ARCHIVE_EFFECT, MERGE_EFFECT } from './card-writes-decided';
import { PROMOTION_EFFECT } from './card-writes-promoted';
import { CONFIG_FIX_EFFECT } from './config-fixes-deciding';
import type { Tx } from './database';
import type { DecisionToTake } from './proposal-deciding';
import { SETTLED_EFFECT } from './proposal-effects-contradiction';
import { REFLECTED_EFFECT } from './proposal-effects-reflected';
import { SKILL_EFFECT } from './proposal-effects-skill';
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

const EFFECTS: Readonly<Record<ProposalType, Effect>> = {
  config_fix: CONFIG_FIX_EFFECT,
  promotion: PROMOTION_EFFECT,
  contradiction: SETTLED_EFFECT,
  fact: REFLECTED_EFFECT,
  skill: SKILL_EFFECT,
  link: REFLECTED_EFFECT,
  merge: MERGE_EFFECT,
  archive: ARCHIVE_EFFECT,
};

export function effectOf(type: ProposalType): Effect {
  return EFFECTS[type];
}
