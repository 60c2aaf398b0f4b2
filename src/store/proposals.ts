import type { ProposalBegun, ProposalRound } from '../contracts/proposal-messages';
import { writeAudit } from './audit';
import type { Tx } from './database';
import { holdProposal, isDecidable, type ProposalRow, roundOf, setProposal } from './proposal-row';
import { policyOf } from './settings';
import { announce } from './webhooks';

/** The steps of a proposal's workflow but for its decision; each null where there is no such proposal. */

export interface Beginning {
  id: string;
  at: Date;
  hasModel: boolean;
  workflowId: string;
  runId: string;
}

/** Anew, or where an earlier run of the workflow ended: the row says how it stands. */
export async function beginProposal(tx: Tx, begin: Beginning): Promise<ProposalBegun | null> {
  const row = await holdProposal(tx, begin.id);
  if (row === null) return null;
  await tx.query(
    `WITH proposal AS (
       UPDATE proposals SET run_id = $3 WHERE workspace_id = $1 AND id = $2
     )
     UPDATE runs
        SET run_id = $3, started_at = COALESCE(started_at, $5),
            state = CASE WHEN state = 'pending' THEN 'running' ELSE state END
      WHERE workspace_id = $1 AND id = $4`,
    [tx.workspace, row.id, begin.runId, row.operation_id, begin.at],
  );
  const asksModel = begin.hasModel && row.type === 'config_fix' && isNews(row);
  if (!asksModel) await announceOpening(tx, row, begin.at);
  const [fix] = await tx.query<{ id: string }>(
    `SELECT id FROM config_fixes WHERE workspace_id = $1 AND proposal_id = $2 AND status IN ('approved', 'applied')`,
    [tx.workspace, row.id],
  );
  const round = roundOf(row, await policyOf(tx), begin.at);
  return { ...round, asks_model: asksModel, fix_id: fix?.id ?? null };
}

/** Not said of yet: nobody was told that this version waits. */
function isNews(row: ProposalRow): boolean {
  return isDecidable(row.status) && row.announced < row.version;
}

export async function openProposal(tx: Tx, id: string, at: Date): Promise<ProposalRound | null> {
  const row = await holdProposal(tx, id);
  if (row === null) return null;
  await announceOpening(tx, row, at);
  return roundOf(row, await policyOf(tx), at);
}

export async function announceOpening(tx: Tx, row: ProposalRow, at: Date): Promise<void> {
  if (!isNews(row)) return;
  await tx.query('UPDATE proposals SET announced = version WHERE workspace_id = $1 AND id = $2', [
    tx.workspace,
    row.id,
  ]);
  await announce(tx, { type: 'proposal.opened', at, data: namesOf(row) });
}

/** What a webhook is told of a proposal: ids and codes. */
export function namesOf(row: Pick<ProposalRow, 'id' | 'type' | 'status' | 'version'>) {
  return {
    proposal_id: row.id,
    proposal_type: row.type,
    status: row.status,
    version: String(row.version),
  };
}

export interface Reminder {
  id: string;
  version: number;
  /** As it was planned; each is sent once. */
  due: Date;
  at: Date;
}

/** Tried again after it was sent, it is not sent again, and counts as sent. */
export async function remindProposal(
  tx: Tx,
  reminder: Reminder,
): Promise<{ sent: boolean } | null> {
  const row = await holdProposal(tx, reminder.id);
  if (row === null) return null;
  if (row.version !== reminder.version) return { sent: false };
  const before = row.reminded_for === null ? null : new Date(row.reminded_for);
  if (before !== null && before >= reminder.due) return { sent: before <= reminder.due };
  if (!isDecidable(row.status)) return { sent: false };
  await tx.query(
    `UPDATE proposals SET reminders = reminders + 1, reminded_for = $3 WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, row.id, reminder.due],
  );
  await announce(tx, { type: 'proposal.reminder', at: reminder.at, data: namesOf(row) });
  return { sent: true };
}

export interface Expiry {
  id: string;
  version: number;
  at: Date;
  workflowId: string;
}

/** Its time is over, unless it was decided, or came in another version, meanwhile. */
export async function expireProposal(tx: Tx, expiry: Expiry): Promise<ProposalRound | null> {
  const row = await holdProposal(tx, expiry.id);
  if (row === null) return null;
  const policy = await policyOf(tx);
  const isOver = isDecidable(row.status) && new Date(row.expires_at) <= expiry.at;
  if (!isOver || row.version !== expiry.version) return roundOf(row, policy, expiry.at);
  const after = await setProposal(tx, row, { status: 'expired', at: expiry.at });
  await writeAudit(tx, {
    at: expiry.at,
    actor: { kind: 'system', id: 'cairn' },
    action: 'proposal.expired',
    target: { type: 'proposal', id: row.id },
    versions: [row.version],
    channel: 'workflow',
    workflowId: expiry.workflowId,
  });
  await announce(tx, { type: 'proposal.decided', at: expiry.at, data: namesOf(after) });
  return roundOf(after, policy, expiry.at);
}
