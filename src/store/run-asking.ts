import type { CardScope } from '../contracts/card';
import {
  PAUSE_SIGNAL,
  type PassBudget,
  type PassRequest,
  RESUME_SIGNAL,
  type ScheduledPass,
} from '../contracts/passes';
import { passWorkflowId } from '../contracts/workflow-ids';
import { logicalDay } from '../domain/pass-day';
import type { Tx } from './database';
import { newId } from './ids';
import type { StartAction } from './outbox';
import { policyOf } from './settings';

/** A pass that somebody asks for. */
export interface AskedPass {
  type: ScheduledPass;
  /** Null goes through the whole workspace. */
  scope: CardScope | null;
  dryRun: boolean;
  budget: PassBudget | null;
  /** A person's id. */
  by: string;
}

/**
 * Opens the row of a pass, pending until its workflow begins, together with its start.
 * @returns its operation
 */
export async function askForPass(tx: Tx, asked: AskedPass, now: Date): Promise<string> {
  const { type, scope, dryRun, budget } = asked;
  const operationId = newId('op', now);
  const workflowId = passWorkflowId(tx.workspace, type, operationId);
  const { consolidation } = await policyOf(tx);
  await tx.query(
    `INSERT INTO runs (workspace_id, id, type, scope_type, scope_id, state, workflow_id, created_at, dry_run, budget,
                       scope_named, day, asked_by)
     VALUES ($1, $2, $3, $4, $5, 'pending', $6, $7, $8, $9, $10, $11, $12)`,
    [
      tx.workspace,
      operationId,
      type,
      scope?.type ?? 'workspace',
      scope?.id ?? tx.workspace,
      workflowId,
      now,
      dryRun,
      budget === null ? null : JSON.stringify(budget),
      scope !== null,
      logicalDay(type, now, consolidation.timezone),
      asked.by,
    ],
  );
  const request: PassRequest = {
    workspace: tx.workspace,
    type,
    operation_id: operationId,
    ...(scope === null ? {} : { scope }),
    ...(dryRun ? { dry_run: true } : {}),
    ...(budget === null ? {} : { budget }),
    at: now.toISOString(),
  };
  await send(tx, 'start_pass', workflowId, request, now);
  return operationId;
}

/** What a pass that has not ended can be told. */
export type RunOrder = 'pause' | 'resume' | 'cancel';

/**
 * Tells a pass, and with it its units, to wait, to go on or to end: once this is committed. Its row says at once
 * that it is paused; that it was cancelled it says itself, when what it had in hand has ended.
 */
export async function orderRun(
  tx: Tx,
  run: { id: string; workflow_id: string },
  order: RunOrder,
  now: Date,
): Promise<void> {
  if (order === 'cancel') {
    await send(tx, 'cancel_pass', run.workflow_id, {}, now);
    return;
  }
  await tx.query(
    `UPDATE runs SET paused = $3
      WHERE workspace_id = $1 AND (id = $2 OR parent_id = $2) AND state IN ('pending', 'running')`,
    [tx.workspace, run.id, order === 'pause'],
  );
  const signal = order === 'pause' ? PAUSE_SIGNAL : RESUME_SIGNAL;
  await send(tx, 'signal_pass', run.workflow_id, { signal, at: String(now.getTime()) }, now);
}

async function send(
  tx: Tx,
  action: StartAction,
  workflowId: string,
  said: object,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $5)`,
    [tx.workspace, action, workflowId, JSON.stringify({ ...said, workspace: tx.workspace }), now],
  );
}
