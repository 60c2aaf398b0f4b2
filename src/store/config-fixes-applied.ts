import type { ConfigFixStatus } from '../contracts/proposal';
import { FIX_APPLIED_SIGNAL } from '../contracts/proposal-messages';
import { writeAudit } from './audit';
import { readConfigFix } from './config-fixes-read';
import type { Tx } from './database';
import { holdProposal, setProposal } from './proposal-row';

export interface FixApplication {
  /** Of the fix, or of its proposal. */
  id: string;
  configVersion: string | null;
  /** Redacted. */
  note: string | null;
  at: Date;
  actor: { kind: string; id: string };
  channel: string;
}

/**
 * `again`: it was applied already, in this version or in one that is not named; `closed`: it is not waited
 * for, since it was applied in another version, or is proven, reopened or lapsed.
 */
export type FixApplied = 'applied' | 'again' | 'closed';

/**
 * The runtime says that an approved fix is in its configuration: from here on the step is watched. With the
 * signal that stirs its workflow. Null where there is no such fix.
 */
export async function markFixApplied(
  tx: Tx,
  application: FixApplication,
): Promise<FixApplied | null> {
  const named = await readConfigFix(tx, application.id);
  if (named === null) return null;
  // The proposal first and the fix then, in the order in which its workflow holds them.
  const row = await holdProposal(tx, named.proposal_id);
  const [fix] = await tx.query<{ status: ConfigFixStatus; config_version: string | null }>(
    'SELECT status, config_version FROM config_fixes WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
    [tx.workspace, named.id],
  );
  if (row === null || fix === undefined) return null;
  const { configVersion, note, at } = application;
  if (fix.status === 'applied') {
    return configVersion === null || configVersion === fix.config_version ? 'again' : 'closed';
  }
  if (fix.status !== 'approved') return 'closed';
  await tx.query(
    `UPDATE config_fixes SET status = 'applied', applied_at = $3, config_version = $4, note = $5
      WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, named.id, at, configVersion, note],
  );
  await setProposal(tx, row, { status: 'applied', at });
  await writeAudit(tx, {
    at,
    actor: application.actor,
    action: 'config_fix.applied',
    target: { type: 'config_fix', id: named.id },
    changed: ['status', ...(configVersion === null ? [] : ['config_version'])],
    versions: [named.version],
    channel: application.channel,
    workflowId: row.workflow_id,
  });
  await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     VALUES ($1, 'signal_proposal', $2, $3, $4, $4)`,
    [
      tx.workspace,
      row.workflow_id,
      JSON.stringify({
        workspace: tx.workspace,
        proposal_id: row.id,
        signal: FIX_APPLIED_SIGNAL,
      }),
      at,
    ],
  );
  return 'applied';
}
