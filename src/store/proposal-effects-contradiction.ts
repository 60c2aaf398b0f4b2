import type { ContradictionChange } from '../contracts/proposal';
import { CONTRADICTION_EFFECT } from './card-writes-contradicted';
import { unmake } from './card-writes-unmade';
import type { Effect } from './proposal-effects';

/** A contradiction that was settled: what passes made of the side that lost is unmade with it. */
export const SETTLED_EFFECT: Effect = {
  ...CONTRADICTION_EFFECT,

  approve: async (tx, row, approval) => {
    const done = await CONTRADICTION_EFFECT.approve(tx, row, approval);
    if (!('status' in done)) return done;
    const { winner, loser } = row.change as ContradictionChange;
    const lost = approval.winner === loser ? winner : loser;
    const { request, workflowId, at } = approval;
    const actor = { kind: 'person', id: request.by };
    await unmake(tx, { cards: [lost], root: lost, actor, channel: 'workflow', workflowId, at });
    return done;
  },
};
