import type { NotUndone } from '../contracts/run';
import { writeAudit } from './audit';
import type { Tx } from './database';
import { holdProposal, isDecidable, setProposal } from './proposal-row';
import { namesOf } from './proposals';
import { announce } from './webhooks';

/**
 * Takes proposals back that nobody has decided yet: they lapse, and their workflows hear of it by themselves.
 * @returns null where each was taken back; `decided` where one was decided or has run out, `gone` where none is left
 */
export async function withdrawProposals(
  tx: Tx,
  ids: readonly string[],
  { at, actor, channel }: { at: Date; actor: { kind: string; id: string }; channel: string },
): Promise<NotUndone | null> {
  let known = 0;
  let decided = 0;
  for (const id of [...ids].sort()) {
    const row = await holdProposal(tx, id);
    if (row === null) continue;
    known += 1;
    if (!isDecidable(row.status)) {
      decided += 1;
      continue;
    }
    const after = await setProposal(tx, row, { status: 'lapsed', at });
    await writeAudit(tx, {
      at,
      actor,
      action: 'proposal.withdrawn',
      target: { type: 'proposal', id: row.id },
      changed: [row.type],
      versions: [row.version],
      channel,
      workflowId: row.workflow_id,
    });
    await announce(tx, { type: 'proposal.decided', at, data: namesOf(after) });
  }
  if (known === 0) return 'gone';
  return decided > 0 ? 'decided' : null;
}
