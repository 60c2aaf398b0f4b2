import {
  type ErasureCounts,
  type ErasureStage,
  type ErasureStatus,
  NO_ERASURE_COUNTS,
} from '../contracts/erasure';
import type { Tx } from './database';

/** An erasure that is under way, as its own batches see it. */
export interface ErasureRun {
  id: string;
  operation_id: string;
  workflow_id: string;
  status: ErasureStatus;
  dry_run: boolean;
  requested_at: string;
  counts: ErasureCounts;
  /** Where each stage stands. */
  position: Partial<Record<ErasureStage, StagePosition>>;
}

/** Of one stage: which of its parts is in hand, and the last id that was looked at. */
export interface StagePosition {
  part: number;
  after: string;
  /** Of a part that is gone through until nothing changes any more. */
  changed?: boolean;
}

export const AT_THE_BEGINNING: StagePosition = { part: 0, after: '' };

/** Held until the transaction ends: of two tries of one batch the second sees what the first did. */
export async function holdErasure(tx: Tx, id: string): Promise<ErasureRun | null> {
  const [row] = await tx.query<ErasureRun>(
    `SELECT id, operation_id, workflow_id, status, dry_run, requested_at, position,
            $3::jsonb || counts AS counts
       FROM erasures WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [tx.workspace, id, JSON.stringify(NO_ERASURE_COUNTS)],
  );
  return row ?? null;
}

export function isOpen({ status }: Pick<ErasureRun, 'status'>): boolean {
  return status === 'waiting' || status === 'running' || status === 'verifying';
}

/** Keeps where a stage stands, and what it came to. The row is held. */
export async function keepProgress(
  tx: Tx,
  run: Pick<ErasureRun, 'id' | 'position' | 'counts'>,
): Promise<void> {
  await tx.query(
    'UPDATE erasures SET position = $3, counts = $4 WHERE workspace_id = $1 AND id = $2',
    [tx.workspace, run.id, JSON.stringify(run.position), JSON.stringify(run.counts)],
  );
}

/** Adds rows that went to those that went before. */
export function withPurged(
  counts: ErasureCounts,
  gone: Readonly<Record<string, number>>,
): ErasureCounts {
  const purged = { ...counts.purged };
  for (const [table, rows] of Object.entries(gone)) {
    if (rows > 0) purged[table] = (purged[table] ?? 0) + rows;
  }
  return { ...counts, purged };
}

/** It runs from now on, under this execution of its workflow. */
export async function beginErasureRun(
  tx: Tx,
  run: ErasureRun,
  { runId, now }: { runId: string; now: Date },
): Promise<void> {
  await tx.query(
    `UPDATE erasures SET status = 'running', position = '{}' WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, run.id],
  );
  await tx.query(
    `UPDATE runs SET state = 'running', run_id = $3, started_at = COALESCE(started_at, $4)
      WHERE workspace_id = $1 AND id = $2 AND state IN ('pending', 'running')`,
    [tx.workspace, run.operation_id, runId, now],
  );
}

/** A walk begins at its beginning. */
export async function beginRound(tx: Tx, id: string): Promise<number> {
  const { rounds } = await tx.one<{ rounds: number }>(
    `UPDATE erasures SET position = '{}', rounds = rounds + 1 WHERE workspace_id = $1 AND id = $2
     RETURNING rounds`,
    [tx.workspace, id],
  );
  return rounds;
}

/**
 * Whether all that began before the tombstones stood has ended: what it wrote is there to be found. Transactions take
 * a minute at most; after five nobody waits any more.
 */
export async function isAlone(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { alone } = await tx.one<{ alone: boolean }>(
    `SELECT pg_snapshot_xmin(pg_current_snapshot()) > accepted_by
              OR requested_at < $3::timestamptz - interval '5 minutes' AS alone
       FROM erasures WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, id, now],
  );
  return alone;
}
