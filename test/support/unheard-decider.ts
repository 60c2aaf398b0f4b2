import type { InsightFollower } from '../../src/api/insight-follower';
import type { ProposalDecider } from '../../src/api/proposal-decider';

/** Where there is no Temporal: no decision is ever heard of. */
export const unheardDecider: ProposalDecider = {
  decide: async () => ({ outcome: 'unheard' }),
};

/** The same for what is asked of a follow-up. */
export const unheardFollower: InsightFollower = {
  order: async () => ({ outcome: 'unheard' }),
};
