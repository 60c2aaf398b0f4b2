import type { ConfigFixChange } from '../contracts/proposal';
import type { Tx } from './database';
import { evidenceLeft, wordedAnew } from './filing-fix-evidence';
import { newId } from './ids';
import type { Effect } from './proposal-effects';
import { type ProposalRow, setProposal } from './proposal-row';
import { discountStrikes, settleStrikes } from './strikes';

/**
 * Approved, a fix waits for its runtime to apply it; rejected, the strikes behind it count for no other. In
 * both cases the step begins anew. Before it is approved its evidence is looked at again.
 */
export const CONFIG_FIX_EFFECT: Effect = {
  approve: async (tx, row, { at }) => {
    const change = row.change as ConfigFixChange;
    const again = await lookAgain(tx, row, change, at);
    if (again !== null) return { refusal: 'world_changed', row: again };
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

/**
 * Without evidence there is no fix; where some of it is gone, the next version is made of what is left, so
 * that nobody approves words that came from what was taken away. The failures that are gone count no more.
 * The cards are not held: whoever stops one of them at this moment looks at the proposal after this.
 * @returns the proposal as it then is; null where all of the evidence stands
 */
async function lookAgain(
  tx: Tx,
  row: ProposalRow,
  change: ConfigFixChange,
  at: Date,
): Promise<ProposalRow | null> {
  const left = await evidenceLeft(tx, row.evidence);
  if (left.ids.length === row.evidence.length) return null;
  const gone = row.evidence.filter((id) => !left.ids.includes(id));
  await discountStrikes(tx, gone);
  if (left.ids.length === 0) return await setProposal(tx, row, { status: 'lapsed', at });
  const { title, summary, fix } = wordedAnew(change, left);
  return await setProposal(tx, row, {
    status: row.status,
    version: row.version + 1,
    evidence: left.ids,
    change: { ...change, fix },
    words: { title, summary, draftedBy: 'fallback' },
    at,
  });
}
