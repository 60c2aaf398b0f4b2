import { type AuditEntry, writeAudit } from './audit';
import { BY_RETENTION, type RetentionPass } from './card-writes-expired';
import type { Tx } from './database';

/** What went of many rows at once. */
type Dropped = Required<Pick<AuditEntry, 'action' | 'changed' | 'hashes'>>;

/** One row for all that a step of retention dropped; `hashes` says how many of what. */
export async function auditDropped(
  tx: Tx,
  { now, workflowId }: Pick<RetentionPass, 'now' | 'workflowId'>,
  dropped: Dropped,
): Promise<void> {
  await writeAudit(tx, {
    at: now,
    actor: { kind: 'system', id: BY_RETENTION },
    target: { type: 'workspace', id: tx.workspace },
    channel: 'workflow',
    workflowId,
    ...dropped,
  });
}
