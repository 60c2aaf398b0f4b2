import type { ConfigFixChange } from '../contracts/proposal';
import { newId } from './ids';
import type { Effect } from './proposal-effects';
import { settleStrikes } from './strikes';

/**
 * Approved, a fix waits for its runtime to apply it; rejected, the strikes behind it count for no other. In
 * both cases the step begins anew.
 */
export const CONFIG_FIX_EFFECT: Effect = {
  approve: async (tx, row, { at }) => {
    const change = row.change as ConfigFixChange;
    const id = newId('fix', at);
    await settleStrikes(tx, change, row.id, at);
    await tx.query(
      `INSERT INTO config_fixes (workspace_id, id, proposal_id, version, team_id, workflow, step, status, approved_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'approved', $8)`,
      [tx.workspace, id, row.id, row.version, change.team, change.workflow, change.step, at],
    );
    return { status: 'approved', fixId: id };
  },

  reject: async (tx, row, { at }) => {
    await settleStrikes(tx, row.change as ConfigFixChange, row.id, at);
    return { status: 'rejected', fixId: null };
  },
};
