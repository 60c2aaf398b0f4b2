import type { ConfigFixChange, ConfigFixStatus, StepFigures } from '../contracts/proposal';
import type { FixState } from '../contracts/proposal-messages';
import { durationMs } from '../domain/durations';
import { deadlineOf, FIX_LAPSES_AFTER, PROOFS } from '../domain/proposal';
import { writeAudit } from './audit';
import type { Tx } from './database';
import { insertEdges } from './edge-writes';
import { holdProposal, type ProposalRow, roundOf, setProposal } from './proposal-row';
import { announceOpening, namesOf } from './proposals';
import { policyOf } from './settings';
import { settleStrikes, strikesBefore } from './strikes';
import { announce } from './webhooks';

/** One look of the workflow at a fix. */
export interface FixLook {
  /** Of the proposal. */
  id: string;
  fixId: string;
  at: Date;
  workflowId: string;
}

interface FixRow {
  id: string;
  status: ConfigFixStatus;
  approved_at: string;
  applied_at: string | null;
}

interface Observation {
  worked: boolean;
  card_id: string;
  occurred_at: string;
}

async function holdFix(tx: Tx, id: string): Promise<FixRow | null> {
  const [row] = await tx.query<FixRow>(
    `SELECT id, status, approved_at, applied_at FROM config_fixes WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [tx.workspace, id],
  );
  return row ?? null;
}

/**
 * What the step did since the fix was applied: a failure reopens the proposal as its next version, with the
 * figures of before and after; three successes prove it. Null where there is no such proposal or fix.
 */
export async function watchFix(tx: Tx, look: FixLook): Promise<FixState | null> {
  const row = await holdProposal(tx, look.id);
  const fix = await holdFix(tx, look.fixId);
  if (row === null || fix === null) return null;
  if (fix.status === 'approved') return await stateOf(tx, row, fix, look);
  if (fix.status === 'applied') {
    const seen = await observationsOf(tx, fix.id);
    // A failure after the third success comes too late to say anything, however late we look.
    const isFailed = seen.slice(0, PROOFS).some((one) => !one.worked);
    if (isFailed) return await reopen(tx, row, fix, seen, look);
    if (seen.length >= PROOFS) return await prove(tx, row, fix, seen, look);
    if (row.status === 'approved') {
      const applied = await setProposal(tx, row, { status: 'applied', at: look.at });
      return await stateOf(tx, applied, fix, look);
    }
  }
  return await stateOf(tx, row, fix, look);
}

/** In the order in which the step did it. */
async function observationsOf(tx: Tx, fixId: string): Promise<Observation[]> {
  return await tx.query<Observation>(
    `SELECT worked, card_id, occurred_at FROM fix_observations
      WHERE workspace_id = $1 AND fix_id = $2
      ORDER BY occurred_at, event_id`,
    [tx.workspace, fixId],
  );
}

async function stateOf(
  tx: Tx,
  row: ProposalRow,
  fix: FixRow,
  { at }: Pick<FixLook, 'at'>,
): Promise<FixState> {
  const since = Date.parse(fix.applied_at ?? fix.approved_at);
  const lapsesAt = new Date(since + durationMs(FIX_LAPSES_AFTER)).toISOString();
  return { ...roundOf(row, await policyOf(tx), at), lapses_at: lapsesAt };
}

async function prove(
  tx: Tx,
  row: ProposalRow,
  fix: FixRow,
  seen: readonly Observation[],
  look: FixLook,
): Promise<FixState> {
  const change = row.change as ConfigFixChange;
  const proof = seen[PROOFS - 1];
  if (proof === undefined) throw new Error('a fix is proven by its successes');
  await insertEdges(
    tx,
    row.evidence
      .filter((warning) => warning !== proof.card_id)
      .map((warning) => ({
        type: 'satisfies' as const,
        from: proof.card_id,
        to: warning,
        confidence: 1,
        reason: `the fix ${fix.id} was proven by ${PROOFS} successes`,
      })),
    look.at,
  );
  // What failed after the third success is not of the time that the fix was watched.
  await settleStrikes(tx, change, row.id, new Date(proof.occurred_at));
  const after = await close(tx, row, fix, 'proven', look);
  return await stateOf(tx, after, fix, look);
}

async function reopen(
  tx: Tx,
  row: ProposalRow,
  fix: FixRow,
  seen: readonly Observation[],
  look: FixLook,
): Promise<FixState> {
  const policy = await policyOf(tx);
  const change = row.change as ConfigFixChange;
  const failed = seen.filter((one) => !one.worked);
  const after: StepFigures = { worked: seen.length - failed.length, failed: failed.length };
  const before = change.before ?? (await strikesBefore(tx, change, fix.approved_at, policy));
  await closeFix(tx, fix, 'reopened', look.at);
  const { expiresAt } = deadlineOf(look.at, policy);
  const reopened = await setProposal(tx, row, {
    status: 'reopened',
    version: row.version + 1,
    change: { ...change, before, after },
    evidence: [...new Set([...row.evidence, ...failed.map((one) => one.card_id)])],
    openedAt: look.at,
    expiresAt,
    at: look.at,
  });
  await audited(tx, reopened, 'proposal.reopened', look);
  await announceOpening(tx, reopened, look.at);
  return await stateOf(tx, reopened, fix, look);
}

/** An approved fix that nobody applied, or one that nothing was heard of since. */
export async function lapseFix(tx: Tx, look: FixLook): Promise<FixState | null> {
  const now = await watchFix(tx, look);
  if (now === null || (now.status !== 'approved' && now.status !== 'applied')) return now;
  if (new Date(now.lapses_at) > look.at) return now;
  const row = await holdProposal(tx, look.id);
  const fix = await holdFix(tx, look.fixId);
  if (row === null || fix === null) return null;
  return await stateOf(tx, await close(tx, row, fix, 'lapsed', look), fix, look);
}

async function close(
  tx: Tx,
  row: ProposalRow,
  fix: FixRow,
  status: 'proven' | 'lapsed',
  look: FixLook,
): Promise<ProposalRow> {
  await closeFix(tx, fix, status, look.at);
  const after = await setProposal(tx, row, { status, at: look.at });
  await audited(tx, after, `proposal.${status}`, look);
  const data = { ...namesOf(after), config_fix_id: fix.id };
  await announce(tx, { type: 'config_fix.closed', at: look.at, data });
  return after;
}

async function closeFix(tx: Tx, fix: FixRow, status: ConfigFixStatus, at: Date): Promise<void> {
  await tx.query(
    'UPDATE config_fixes SET status = $3, closed_at = $4 WHERE workspace_id = $1 AND id = $2',
    [tx.workspace, fix.id, status, at],
  );
}

async function audited(tx: Tx, row: ProposalRow, action: string, look: FixLook): Promise<void> {
  await writeAudit(tx, {
    at: look.at,
    actor: { kind: 'system', id: 'cairn' },
    action,
    target: { type: 'proposal', id: row.id },
    changed: [row.type],
    versions: [row.version],
    channel: 'workflow',
    workflowId: look.workflowId,
  });
}
