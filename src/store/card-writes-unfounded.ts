import { FIX_WATCHED_SIGNAL } from '../contracts/proposal-messages';
import { writeAudit } from './audit';
import type { Tx } from './database';
import { evidenceLeft } from './filing-fix-evidence';
import { holdProposal, type ProposalRow, setProposal } from './proposal-row';
import { namesOf } from './proposals';
import { discountStrikes } from './strikes';
import { announce } from './webhooks';

/** A person stops cards; the card that was named stands in the audit of all that this changes. */
export interface Stopping {
  /** Ids of the cards that are stopped, the one that was named first. */
  cards: readonly string[];
  root: string;
  actor: { kind: string; id: string };
  channel: string;
  at: Date;
}

/**
 * What rests on stopped cards alone goes with them, in the transaction that stops them: the failures that
 * they tell of count for nothing, and a fix that waits or was approved lapses, so that no runtime is offered
 * it. One that still has evidence is looked at again by whoever approves it.
 */
export async function lapseUnfounded(tx: Tx, stopping: Stopping): Promise<void> {
  const { cards } = stopping;
  const resting = await tx.query<{ id: string }>(
    `SELECT p.id FROM proposals p
      WHERE p.workspace_id = $1 AND p.evidence && $2::text[] AND p.type = 'config_fix'
        AND p.status IN ('open', 'reopened', 'approved')
      ORDER BY p.id`,
    [tx.workspace, cards],
  );
  const held: ProposalRow[] = [];
  for (const { id } of resting) {
    const row = await holdProposal(tx, id);
    if (row !== null) held.push(row);
  }
  // After the proposals, in the order in which a decision holds them.
  await discountStrikes(tx, cards);
  for (const row of held) {
    if (!['open', 'reopened', 'approved'].includes(row.status)) continue;
    const { ids } = await evidenceLeft(tx, row.evidence);
    if (ids.length === 0) await lapseProposal(tx, row, stopping);
  }
}

/** Has it lapse, and with it a fix that no runtime has applied; its workflow hears of it. The row is held. */
export async function lapseProposal(
  tx: Tx,
  row: ProposalRow,
  stopping: Omit<Stopping, 'cards'>,
): Promise<void> {
  const { at, actor, channel, root } = stopping;
  const [fix] = await tx.query<{ id: string }>(
    `UPDATE config_fixes SET status = 'lapsed', closed_at = $3
      WHERE workspace_id = $1 AND proposal_id = $2 AND status = 'approved'
     RETURNING id`,
    [tx.workspace, row.id, at],
  );
  const after = await setProposal(tx, row, { status: 'lapsed', at });
  await writeAudit(tx, {
    at,
    actor,
    action: 'proposal.lapsed',
    target: { type: 'proposal', id: row.id },
    changed: [row.type],
    versions: [row.version],
    hashes: { stopped_with: root },
    channel,
    workflowId: row.workflow_id,
  });
  if (fix === undefined) {
    await announce(tx, { type: 'proposal.decided', at, data: namesOf(after) });
    return;
  }
  const data = { ...namesOf(after), config_fix_id: fix.id };
  await announce(tx, { type: 'config_fix.closed', at, data });
  // One that waits for a decision hears of it by itself; one that watches its fix is told to look.
  await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     VALUES ($1, 'signal_proposal', $2, $3, $4, $4)`,
    [
      tx.workspace,
      row.workflow_id,
      JSON.stringify({
        workspace: tx.workspace,
        proposal_id: row.id,
        signal: FIX_WATCHED_SIGNAL,
      }),
      at,
    ],
  );
}
