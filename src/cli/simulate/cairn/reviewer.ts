import { CairnError } from '../../../client/error';
import type { ProposalType } from '../../../contracts/proposal';
import type { Fleet } from './fleet';
import { inTurns } from './turns';

/** Of a proposal that moved while it was looked at, or cannot be applied as it stands: it waits for the next day. */
const LATER = new Set([404, 409, 410, 422]);

/**
 * A person who looks in once a day and approves what waits: fixes, promotions, facts, skills, merges, and of a
 * contradiction the side that is suggested.
 */
export function reviewer({ reviewer: person }: Fleet) {
  const approved: Partial<Record<ProposalType, number>> = {};
  const left: Record<string, number> = {};
  return {
    approved,
    /** Decisions that were not taken, by code. */
    left,
    async lookIn(): Promise<void> {
      const waiting: { id: string; version: number; type: ProposalType }[] = [];
      for await (const one of person.proposals.iterate({
        status: ['open', 'reopened'],
        limit: 100,
      })) {
        waiting.push(one);
      }
      // In the order in which they were opened.
      await inTurns(waiting.reverse(), async ({ id, version, type }) => {
        try {
          await person.proposals.decide(id, { decision: 'approve', version });
          approved[type] = (approved[type] ?? 0) + 1;
        } catch (error) {
          if (!(error instanceof CairnError) || !LATER.has(error.status)) throw error;
          left[error.code] = (left[error.code] ?? 0) + 1;
        }
      });
    },
  };
}
