import type { CardScope } from '../contracts/card';
import type { PassBudget, ScheduledPass } from '../contracts/passes';
import { unitWorkflowId } from '../contracts/workflow-ids';
import type { Tx } from './database';
import { idPart, newId } from './ids';

/** A pass as it begins: the row of `runs` that stands for all of it. */
export interface PassBeginning {
  operationId: string;
  type: ScheduledPass;
  scope: CardScope | null;
  day: string;
  dryRun: boolean;
  budget: PassBudget | null;
  /** The policy and what makes words and vectors, by their versions. */
  versions: Record<string, string | number | null>;
  workflowId: string;
  runId: string;
}

/**
 * Opens the row of a pass; one that somebody asked for is there already. Begun again, it is the same one.
 * @returns false where it has ended by now, or was cancelled before it began
 */
export async function beginPassRun(tx: Tx, pass: PassBeginning, now: Date): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO runs (workspace_id, id, type, scope_type, scope_id, state, workflow_id, run_id, created_at,
                       started_at, day, dry_run, budget, versions, scope_named)
     VALUES ($1, $2, $3, $4, $5, 'running', $6, $7, $8, $8, $9, $10, $11, $12, $13)
     ON CONFLICT (workspace_id, id)
     DO UPDATE SET state = 'running', run_id = EXCLUDED.run_id, day = EXCLUDED.day,
                   versions = EXCLUDED.versions, started_at = COALESCE(runs.started_at, EXCLUDED.started_at)
      WHERE runs.state IN ('pending', 'running')
     RETURNING id`,
    [
      tx.workspace,
      pass.operationId,
      pass.type,
      pass.scope?.type ?? 'workspace',
      pass.scope?.id ?? tx.workspace,
      pass.workflowId,
      pass.runId,
      now,
      pass.day,
      pass.dryRun,
      pass.budget === null ? null : JSON.stringify(pass.budget),
      JSON.stringify(pass.versions),
      pass.scope !== null,
    ],
  );
  return rows.length > 0;
}

/** A pass as its row has it. */
export interface PassRun {
  type: ScheduledPass;
  scope: CardScope;
  /** Whether one scope was asked for by name, be it the workspace's. */
  scopeNamed: boolean;
  day: string;
  dryRun: boolean;
  budget: PassBudget | null;
  versions: Record<string, string | number | null>;
}

export async function readPassRun(tx: Tx, operationId: string): Promise<PassRun | null> {
  const [row] = await tx.query<PassRun>(
    `SELECT r.type, jsonb_build_object('type', r.scope_type, 'id', r.scope_id) AS scope,
            r.scope_named AS "scopeNamed", r.day, r.dry_run AS "dryRun", r.budget, r.versions
       FROM runs r
      WHERE r.workspace_id = $1 AND r.id = $2`,
    [tx.workspace, operationId],
  );
  return row ?? null;
}

/** Whether somebody asked for this pass, rather than its Schedule. */
export async function wasAskedFor(tx: Tx, operationId: string): Promise<boolean> {
  const rows = await tx.query(
    'SELECT id FROM runs WHERE workspace_id = $1 AND id = $2 AND asked_by IS NOT NULL',
    [tx.workspace, operationId],
  );
  return rows.length > 0;
}

/** What one unit of a pass is to be. */
export interface UnitToOpen {
  parentId: string;
  type: ScheduledPass;
  /** The workspace itself where the pass is not by scope. */
  scope: CardScope;
  day: string;
  dryRun: boolean;
  budget: PassBudget | null;
  versions: Record<string, string | number | null>;
}

export interface OpenedUnit {
  operation_id: string;
  workflow_id: string;
}

const MOST_TRIES = 10;

/**
 * Opens the row of one unit, pending until its workflow begins. Asked again by the same pass it is the same
 * unit; a further one of the same scope and day has the next number.
 */
export async function openUnit(tx: Tx, unit: UnitToOpen, now: Date): Promise<OpenedUnit> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const opened = (await knownUnit(tx, unit)) ?? (await tryToOpen(tx, unit, now));
    if (opened !== null) return opened;
    // Another pass took that number at this very moment.
  }
  throw new Error('units of one scope and day come too fast');
}

async function knownUnit(tx: Tx, { parentId, scope }: UnitToOpen): Promise<OpenedUnit | null> {
  const [known] = await tx.query<OpenedUnit>(
    `SELECT r.id AS operation_id, r.workflow_id
       FROM runs r
      WHERE r.workspace_id = $1 AND r.parent_id = $2 AND r.scope_type = $3 AND r.scope_id = $4`,
    [tx.workspace, parentId, scope.type, scope.id],
  );
  return known ?? null;
}

async function tryToOpen(tx: Tx, unit: UnitToOpen, now: Date): Promise<OpenedUnit | null> {
  const { type, scope, day } = unit;
  const { number } = await tx.one<{ number: number }>(
    `SELECT COALESCE(max(r.number), 0)::int + 1 AS number
       FROM runs r
      WHERE r.workspace_id = $1 AND r.type = $2 AND r.scope_type = $3 AND r.scope_id = $4
        AND (r.day = $5 OR r.type = 'reflection') AND r.parent_id IS NOT NULL`,
    [tx.workspace, type, scope.type, scope.id, day],
  );
  const scopePart = scope.type === 'workspace' ? null : idPart(`${scope.type}:${scope.id}`);
  const [opened] = await tx.query<OpenedUnit>(
    `INSERT INTO runs (workspace_id, id, type, scope_type, scope_id, state, workflow_id, created_at, parent_id,
                       day, dry_run, budget, versions, number)
     VALUES ($1, $2, $3, $4, $5, 'pending', $6, $7, $8, $9, $10, $11, $12, $13)
     ON CONFLICT DO NOTHING
     RETURNING id AS operation_id, workflow_id`,
    [
      tx.workspace,
      newId('op', now),
      type,
      scope.type,
      scope.id,
      unitWorkflowId(type, tx.workspace, { scopePart, day, number }),
      now,
      unit.parentId,
      day,
      unit.dryRun,
      unit.budget === null ? null : JSON.stringify(unit.budget),
      JSON.stringify(unit.versions),
      number,
    ],
  );
  return opened ?? null;
}

/** A unit's workflow has begun. @returns false where its row is gone or was ended meanwhile */
export async function startUnit(
  tx: Tx,
  operationId: string,
  runId: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE runs
        SET state = 'running', run_id = $3, started_at = COALESCE(started_at, $4)
      WHERE workspace_id = $1 AND id = $2 AND state IN ('pending', 'running')
     RETURNING id`,
    [tx.workspace, operationId, runId, now],
  );
  return rows.length > 0;
}
