import type { PersonRole } from '../contracts/names';
import type { Policy } from '../contracts/policy';
import type { Decision, DecisionChannel, DecisionRefusal } from '../contracts/proposal';
import type { DecideRequest, DecisionOutcome } from '../contracts/proposal-messages';
import { DECIDING_ROLES, decisionIn, refusalOf } from '../domain/proposal';
import { writeAudit } from './audit';
import type { Tx } from './database';
import { type Applied, effectOf } from './proposal-effects';
import { holdProposal, type ProposalRow, roundOf, setProposal } from './proposal-row';
import { announceOpening, namesOf } from './proposals';
import { policyOf } from './settings';
import { announce } from './webhooks';

export interface DecisionToTake {
  id: string;
  /** Of the update or signal: the same one, tried again, is recorded once. */
  decisionId: string;
  request: DecideRequest;
  /** When it was heard of. */
  at: Date;
  workflowId: string;
}

/** What came through the API, before Temporal heard of it. */
interface Intent {
  winner: string | null;
  reason_id: string | null;
  created_at: string;
}

interface Looked {
  row: ProposalRow;
  policy: Policy;
  channel: DecisionChannel;
  intent: Intent | null;
}

/**
 * Takes one decision in one transaction: looks at the version, the person's right and the world again,
 * applies what is approved, and records it, refused ones too. Null where there is no such proposal.
 */
export async function decideProposal(
  tx: Tx,
  heard: Omit<DecisionToTake, 'request'> & { request: DecideRequest | null },
): Promise<DecisionOutcome | null> {
  const row = await holdProposal(tx, heard.id);
  if (row === null) return null;
  const policy = await policyOf(tx);
  const request = decisionIn(heard.request);
  // Nobody can say who decided what: there is nothing to record.
  if (request === null) {
    return { ...roundOf(row, policy, heard.at), outcome: 'refused', refusal: 'malformed' };
  }
  const step: DecisionToTake = { ...heard, request };
  const before = await recorded(tx, step);
  if (before !== null) return await asBefore(tx, row, policy, before, step.at);
  const intent = await intentOf(tx, step);
  const looked: Looked = { row, policy, intent, channel: intent === null ? 'temporal' : 'api' };
  const refusal = await refusedFor(tx, looked, step);
  if (refusal !== null) return await refused(tx, looked, step, refusal);
  if (step.request.decision === 'reject') {
    const applied = await effectOf(row.type).reject(tx, row, step);
    return await taken(tx, looked, step, applied);
  }
  const applied = await effectOf(row.type).approve(tx, row, {
    ...step,
    winner: intent?.winner ?? null,
    policy,
  });
  if ('refusal' in applied) {
    return await refused(tx, { ...looked, row: applied.row ?? row }, step, applied.refusal);
  }
  return await taken(tx, looked, step, applied);
}

async function refusedFor(
  tx: Tx,
  { row, policy, channel, intent }: Looked,
  { request, at }: DecisionToTake,
): Promise<DecisionRefusal | null> {
  // Said in time through the API counts, however late a worker hears of it; of what was said straight to
  // Temporal nothing tells when but the worker that hears of it.
  const said = intent === null ? at : new Date(intent.created_at);
  const isOver = row.status !== 'expired' && (said < at ? said : at) > new Date(row.expires_at);
  const standing = { status: row.status, version: row.version };
  const refusal = refusalOf(standing, request);
  if (refusal !== null) return refusal;
  if (isOver) return 'expired';
  if (channel === 'temporal' && !policy.proposals.direct_decisions) return 'direct_decisions_off';
  return (await mayDecide(tx, row, request.by)) ? null : 'not_allowed';
}

/** An owner or a reviewer, now; never who proposed it, nor whom they acted for. */
export async function mayDecide(
  tx: Tx,
  row: Pick<ProposalRow, 'proposed_by_kind' | 'proposed_by' | 'proposed_for'>,
  person: string,
): Promise<boolean> {
  if (row.proposed_by_kind === 'person' && row.proposed_by === person) return false;
  if (row.proposed_for === person) return false;
  const [found] = await tx.query<{ role: PersonRole }>(
    'SELECT role FROM people WHERE workspace_id = $1 AND id = $2',
    [tx.workspace, person],
  );
  return found !== undefined && DECIDING_ROLES.some((role) => role === found.role);
}

/** One that names no intent, or another's, came straight to Temporal. */
async function intentOf(tx: Tx, { id, request }: DecisionToTake): Promise<Intent | null> {
  if (request.intent_id === undefined) return null;
  const [found] = await tx.query<Intent>(
    `SELECT winner, reason_id, created_at
       FROM decision_intents
      WHERE workspace_id = $1 AND id = $2 AND proposal_id = $3 AND by_person = $4 AND decision = $5 AND version = $6`,
    [tx.workspace, request.intent_id, id, request.by, request.decision, request.version],
  );
  return found ?? null;
}

async function taken(
  tx: Tx,
  { row, policy, channel, intent }: Looked,
  step: DecisionToTake,
  applied: Applied,
): Promise<DecisionOutcome> {
  const { decision } = step.request;
  const after = await setProposal(tx, row, { status: applied.status, at: step.at });
  await record(tx, step, { channel, intent, outcome: 'taken', version: row.version });
  await writeAudit(tx, {
    at: step.at,
    actor: { kind: 'person', id: step.request.by },
    action: decision === 'approve' ? 'proposal.approved' : 'proposal.rejected',
    target: { type: 'proposal', id: row.id },
    changed: [row.type],
    versions: [row.version],
    reasonId: intent?.reason_id ?? null,
    channel,
    workflowId: step.workflowId,
  });
  await announce(tx, { type: 'proposal.decided', at: step.at, data: namesOf(after) });
  if (applied.fixId !== null) {
    const data = { ...namesOf(after), config_fix_id: applied.fixId };
    await announce(tx, { type: 'config_fix.approved', at: step.at, data });
  }
  return {
    ...roundOf(after, policy, step.at),
    outcome: 'taken',
    channel,
    decision,
    fix_id: applied.fixId,
  };
}

/** Changes nothing, but for a new version to look at where the world has moved on. */
async function refused(
  tx: Tx,
  { row, policy, channel, intent }: Looked,
  step: DecisionToTake,
  refusal: DecisionRefusal,
): Promise<DecisionOutcome> {
  const { by, version } = step.request;
  await record(tx, step, { channel, intent, outcome: refusal, version });
  await writeAudit(tx, {
    at: step.at,
    actor: { kind: 'person', id: by },
    action: 'proposal.decision_refused',
    target: { type: 'proposal', id: row.id },
    changed: [refusal],
    versions: [version],
    reasonId: intent?.reason_id ?? null,
    channel,
    workflowId: step.workflowId,
  });
  await announceOpening(tx, row, step.at);
  return { ...roundOf(row, policy, step.at), outcome: 'refused', refusal };
}

interface Recording {
  channel: DecisionChannel;
  intent: Intent | null;
  outcome: 'taken' | DecisionRefusal;
  version: number;
}

async function record(tx: Tx, step: DecisionToTake, recording: Recording): Promise<void> {
  const { request } = step;
  await tx.query(
    `INSERT INTO proposal_decisions (workspace_id, proposal_id, id, version, by_person, decision, outcome,
                                     reason_code, reason_id, channel, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      tx.workspace,
      step.id,
      step.decisionId,
      recording.version,
      request.by,
      request.decision,
      recording.outcome,
      request.reason_code ?? null,
      recording.intent?.reason_id ?? null,
      recording.channel,
      step.at,
    ],
  );
}

interface Before {
  outcome: 'taken' | DecisionRefusal;
  channel: DecisionChannel;
  decision: Decision;
}

async function recorded(tx: Tx, step: DecisionToTake): Promise<Before | null> {
  const [row] = await tx.query<Before>(
    `SELECT outcome, channel, decision
       FROM proposal_decisions
      WHERE workspace_id = $1 AND proposal_id = $2 AND id = $3`,
    [tx.workspace, step.id, step.decisionId],
  );
  return row ?? null;
}

/** A worker that died after it had committed: the same answer, and nothing twice. */
async function asBefore(
  tx: Tx,
  row: ProposalRow,
  policy: Policy,
  { outcome, channel, decision }: Before,
  at: Date,
): Promise<DecisionOutcome> {
  const round = roundOf(row, policy, at);
  if (outcome !== 'taken') return { ...round, outcome: 'refused', refusal: outcome };
  const [fix] = await tx.query<{ id: string }>(
    `SELECT id FROM config_fixes WHERE workspace_id = $1 AND proposal_id = $2 AND status IN ('approved', 'applied')`,
    [tx.workspace, row.id],
  );
  return { ...round, outcome: 'taken', channel, decision, fix_id: fix?.id ?? null };
}
