import type { FiledSkill } from '../contracts/learning';
import type { Policy } from '../contracts/policy';
import type { Episode } from '../domain/consolidation/episode';
import type { LearnedDraft } from './learned-drafts';

/** The pass, as audit, history and provenance name it. */
export const LEARNING = 'learning';

export const LEARNER = { kind: 'system', id: LEARNING } as const;

/** Which run files, when, and what its draft was compared with. */
export interface LearnedFiling {
  operationId: string;
  workflowId: string;
  runId: string | null;
  now: Date;
  makesVectors: boolean;
  /** The most alike skill of the scope, in the version that was compared; null where there is none. */
  nearest: { card_id: string; version: number; similarity: number } | null;
  /** A person has approved it: the gate is not asked. */
  approved: boolean;
}

/** What a filing decides by, read with its rows held. */
export interface LearnedWorld {
  draft: LearnedDraft;
  /** All of one set of readers. */
  sources: Episode[];
  policy: Policy;
  filing: LearnedFiling;
}

/** A filing that wrote no skill. */
export function noSkill(
  { nearest }: Pick<LearnedFiling, 'nearest'>,
  learned: FiledSkill['learned'],
  reason: string | null,
): FiledSkill {
  const similarity = nearest === null ? null : Math.round(nearest.similarity * 1_000) / 1_000;
  return { learned, card_id: null, version: null, similarity, reason, proposal_id: null };
}
