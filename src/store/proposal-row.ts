import type { Policy } from '../contracts/policy';
import type { ProposalChange, ProposalStatus, ProposalType } from '../contracts/proposal';
import { DECIDABLE_STATUSES } from '../contracts/proposal';
import type { ProposalRound } from '../contracts/proposal-messages';
import { remindersOf } from '../domain/proposal';
import type { Tx } from './database';

/** A proposal as its own store sees it. Times are RFC 3339. */
export interface ProposalRow {
  id: string;
  type: ProposalType;
  status: ProposalStatus;
  version: number;
  matter: string;
  team_id: string | null;
  evidence: string[];
  change: ProposalChange;
  drafted_by: string;
  proposed_by_kind: string;
  proposed_by: string;
  proposed_for: string | null;
  opened_at: string;
  expires_at: string;
  reminded_for: string | null;
  announced: number;
  operation_id: string;
  workflow_id: string;
}

const COLUMNS = `id, type, status, version, matter, team_id, evidence, change, drafted_by, proposed_by_kind,
  proposed_by, proposed_for, opened_at, expires_at, reminded_for, announced, operation_id, workflow_id`;

/** Whoever changes a proposal holds its row first: two decisions are one after the other. */
export async function holdProposal(tx: Tx, id: string): Promise<ProposalRow | null> {
  const [row] = await tx.query<ProposalRow>(
    `SELECT ${COLUMNS} FROM proposals WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [tx.workspace, id],
  );
  return row ?? null;
}

/** What the workflow waits by. */
export function roundOf(
  row: Pick<
    ProposalRow,
    'type' | 'status' | 'version' | 'opened_at' | 'expires_at' | 'reminded_for'
  >,
  policy: Policy,
  at: Date,
): ProposalRound {
  const { type, status, version } = row;
  const expiresAt = new Date(row.expires_at);
  const reminders = isDecidable(status) ? toCome(row, policy, at) : [];
  return {
    type,
    status,
    version,
    expires_at: expiresAt.toISOString(),
    reminders: reminders.map((due) => due.toISOString()),
  };
}

/** Those after `at`, and of what should have been sent before it and was not, the last. */
function toCome(
  row: Pick<ProposalRow, 'opened_at' | 'expires_at' | 'reminded_for'>,
  policy: Policy,
  at: Date,
): Date[] {
  const last = new Date(row.reminded_for ?? row.opened_at);
  const due = remindersOf(new Date(row.opened_at), new Date(row.expires_at), policy).filter(
    (time) => time > last,
  );
  return [...due.filter((time) => time <= at).slice(-1), ...due.filter((time) => time > at)];
}

export function isDecidable(status: ProposalStatus): boolean {
  return DECIDABLE_STATUSES.some((one) => one === status);
}

/** Ends of a lifecycle: nothing more comes of it. */
const CLOSED: readonly ProposalStatus[] = ['rejected', 'expired', 'proven', 'lapsed'];

/** A promotion or a contradiction that was applied is over; a fix that was applied is watched. */
export function isClosed(row: Pick<ProposalRow, 'type' | 'status'>): boolean {
  return CLOSED.includes(row.status) || (row.status === 'applied' && row.type !== 'config_fix');
}

export interface StatusChange {
  status: ProposalStatus;
  at: Date;
  version?: number;
  change?: ProposalChange;
  openedAt?: Date;
  expiresAt?: Date;
  evidence?: readonly string[];
  /** Other words for it. */
  words?: { title: string; summary: string; draftedBy: 'fallback' };
}

/** Sets how it stands, and its operation with it. The row is held. */
export async function setProposal(
  tx: Tx,
  row: ProposalRow,
  change: StatusChange,
): Promise<ProposalRow> {
  const closed = isClosed({ type: row.type, status: change.status });
  const after = await tx.one<ProposalRow>(
    `UPDATE proposals
        SET status = $3, version = $4, change = $5, opened_at = $6, expires_at = $7, evidence = $8,
            title = COALESCE($11, title), summary = COALESCE($12, summary), drafted_by = COALESCE($13, drafted_by),
            closed_at = CASE WHEN $9 THEN $10::timestamptz END,
            reminded_for = CASE WHEN $6 = opened_at THEN reminded_for END
      WHERE workspace_id = $1 AND id = $2
     RETURNING ${COLUMNS}`,
    [
      tx.workspace,
      row.id,
      change.status,
      change.version ?? row.version,
      JSON.stringify(change.change ?? row.change),
      change.openedAt ?? row.opened_at,
      change.expiresAt ?? row.expires_at,
      change.evidence ?? row.evidence,
      closed,
      change.at,
      change.words?.title ?? null,
      change.words?.summary ?? null,
      change.words?.draftedBy ?? null,
    ],
  );
  await tx.query(
    `UPDATE runs
        SET state = CASE WHEN $3 THEN 'completed' ELSE 'running' END,
            finished_at = CASE WHEN $3 THEN $4::timestamptz END, result = $5
      WHERE workspace_id = $1 AND id = $2`,
    [
      tx.workspace,
      row.operation_id,
      closed,
      change.at,
      JSON.stringify({
        proposal_id: row.id,
        proposal_status: after.status,
        version: after.version,
      }),
    ],
  );
  return after;
}
