import type { ProposalDecider } from '../../src/api/proposal-decider';

/** Where there is no Temporal: no decision is ever heard of. */
export const unheardDecider: ProposalDecider = {
  decide: async () => ({ outcome: 'unheard' }),
};
