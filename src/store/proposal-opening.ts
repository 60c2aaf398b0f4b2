import type { ProposalChange, ProposalType } from '../contracts/proposal';
import { proposalWorkflowId } from '../contracts/workflow-ids';
import { deadlineOf } from '../domain/proposal';
import { writeAudit } from './audit';
import type { Tx } from './database';
import { newId } from './ids';
import { policyOf } from './settings';

export interface NewProposal {
  type: ProposalType;
  /** What it is about: of one matter one proposal waits at a time. */
  matter: string;
  team: string | null;
  title: string;
  /** Redacted. */
  summary: string;
  draftedBy: 'model' | 'fallback' | 'person' | 'rule';
  evidence: readonly string[];
  change: ProposalChange;
  proposedBy: { kind: 'person' | 'agent' | 'runtime' | 'system'; id: string };
  /** The person acted for, who is no judge of it either. */
  proposedFor?: string | null;
  /** ISO 8601; null takes the policy's. */
  ttl?: string | null;
  /** The agent whose it is, who may read its operation. */
  agent?: string | null;
  channel: string;
  now: Date;
}

export interface OpenedProposal {
  id: string;
  operationId: string;
  workflowId: string;
  /** False: of this matter one waits already, and this is that one. */
  isNew: boolean;
}

const MOST_TRIES = 5;

/**
 * Opens a proposal in the caller's transaction, with its operation, its audit row, and the start of its
 * workflow. Where one of the same matter waits, that one is returned and nothing is written.
 */
export async function openProposalFor(tx: Tx, proposal: NewProposal): Promise<OpenedProposal> {
  for (let tries = 1; ; tries += 1) {
    const opened = (await open(tx, proposal)) ?? (await waitingFor(tx, proposal.matter));
    if (opened !== null) return opened;
    // The one that waited was decided between the two looks.
    if (tries === MOST_TRIES) throw new Error('proposals of one matter come and go too fast');
  }
}

/** @returns null where one of the same matter waits. */
async function open(tx: Tx, proposal: NewProposal): Promise<OpenedProposal | null> {
  const { now } = proposal;
  const id = newId('prop', now);
  const workflowId = proposalWorkflowId(tx.workspace, id);
  const operationId = newId('op', now);
  const { expiresAt } = deadlineOf(now, await policyOf(tx), proposal.ttl ?? null);
  const [made] = await tx.query<{ id: string }>(
    `INSERT INTO proposals (workspace_id, id, type, status, matter, team_id, title, summary, drafted_by, evidence,
                            change, proposed_by_kind, proposed_by, proposed_for, created_at, opened_at, expires_at,
                            operation_id, workflow_id)
     VALUES ($1, $2, $3, 'open', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14, $15, $16, $17)
     ON CONFLICT DO NOTHING
     RETURNING id`,
    [
      tx.workspace,
      id,
      proposal.type,
      proposal.matter,
      proposal.team,
      proposal.title,
      proposal.summary,
      proposal.draftedBy,
      proposal.evidence,
      JSON.stringify(proposal.change),
      proposal.proposedBy.kind,
      proposal.proposedBy.id,
      proposal.proposedFor ?? null,
      now,
      expiresAt,
      operationId,
      workflowId,
    ],
  );
  if (made === undefined) {
    // One that was decided at this very moment makes room for this one.
    return (await waitingFor(tx, proposal.matter)) ?? (await openProposalFor(tx, proposal));
  }
  await tx.query(
    `WITH run AS (
       INSERT INTO runs (workspace_id, id, type, state, result, agent_id, workflow_id, created_at)
       VALUES ($1, $2, 'proposal', 'pending', $3, $4, $5, $6)
     )
     INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     VALUES ($1, 'start_proposal', $5, $7, $6, $6)`,
    [
      tx.workspace,
      operationId,
      JSON.stringify({ proposal_id: id, proposal_status: 'open', version: 1 }),
      proposal.agent ?? null,
      workflowId,
      now,
      JSON.stringify({ workspace: tx.workspace, proposal_id: id }),
    ],
  );
  await writeAudit(tx, {
    at: now,
    actor: proposal.proposedBy,
    action: 'proposal.opened',
    target: { type: 'proposal', id },
    changed: [proposal.type],
    versions: [1],
    channel: proposal.channel,
    workflowId,
  });
  return { id, operationId, workflowId, isNew: true };
}

async function waitingFor(tx: Tx, matter: string): Promise<OpenedProposal | null> {
  const [row] = await tx.query<{ id: string; operation_id: string; workflow_id: string }>(
    `SELECT id, operation_id, workflow_id
       FROM proposals
      WHERE workspace_id = $1 AND matter = $2
        AND (status IN ('open', 'reopened') OR (type = 'config_fix' AND status IN ('approved', 'applied')))`,
    [tx.workspace, matter],
  );
  if (row === undefined) return null;
  return {
    id: row.id,
    operationId: row.operation_id,
    workflowId: row.workflow_id,
    isNew: false,
  };
}
