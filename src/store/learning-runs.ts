import type { FiledSkill, LearnResult, Reflected } from '../contracts/learning';
import type { RunChangeKind } from '../contracts/passes';
import type { Tx } from './database';
import { endPass, openPass } from './passes';
import { dropDrafts } from './run-drafts';

/** One ending of a task that is looked at, as `runs` has it. */
export interface LearningRun {
  operationId: string;
  workflowId: string;
  runId: string;
}

export async function beginLearning(tx: Tx, run: LearningRun, now: Date): Promise<void> {
  await openPass(tx, { ...run, type: 'learning' }, now);
}

/** What is left of the run is its record; drafts of a proposal wait for its decision. */
export async function endLearning(
  tx: Tx,
  operationId: string,
  { result, calls, tokens }: { result: LearnResult; calls: number; tokens: number },
  now: Date,
): Promise<void> {
  const counts = {
    calls,
    tokens,
    skills: Number(result.learned === 'created' || result.learned === 'merged'),
    reflected: Number(result.reflected === 'reflected'),
    failure_cases: result.failure_cases,
  };
  await endPass(tx, operationId, counts, { ...result }, now);
  await tx.query('UPDATE runs SET cost = $3 WHERE workspace_id = $1 AND id = $2', [
    tx.workspace,
    operationId,
    tokens,
  ]);
  if (result.learned !== 'proposed') await dropDrafts(tx, operationId);
}

/** The record of a filing whose commit was not heard of: what its run has noted. */
export async function filedBefore(tx: Tx, operationId: string): Promise<FiledSkill | null> {
  const row = await noted(tx, operationId, [
    'created',
    'edited',
    'skipped',
    'rejected',
    'proposed',
  ]);
  if (row === null || row.reason === 'reflected') return null;
  return {
    learned: learnedOf(row),
    card_id: row.card_id,
    version: row.skill_version,
    similarity: null,
    reason: row.change === 'created' || row.change === 'edited' ? null : row.reason,
    proposal_id: row.change === 'proposed' ? (row.related[0] ?? null) : null,
  };
}

/** The same for the card of a failed task. */
export async function reflectedBefore(tx: Tx, operationId: string): Promise<Reflected | null> {
  const row = await noted(tx, operationId, ['edited']);
  return row?.reason === 'reflected' ? 'reflected' : null;
}

interface NotedRow {
  change: RunChangeKind;
  card_id: string | null;
  related: string[];
  reason: string | null;
  skill_version: number | null;
}

async function noted(
  tx: Tx,
  operationId: string,
  changes: readonly RunChangeKind[],
): Promise<NotedRow | null> {
  const [row] = await tx.query<NotedRow>(
    `SELECT r.change, r.card_id, r.related, r.reason,
            (SELECT max(v.version) FROM skill_versions v
              WHERE v.workspace_id = r.workspace_id AND v.card_id = r.card_id AND v.run_id = r.run_id) AS skill_version
       FROM run_changes r
      WHERE r.workspace_id = $1 AND r.run_id = $2 AND r.change = ANY ($3)
      ORDER BY r.n DESC LIMIT 1`,
    [tx.workspace, operationId, changes],
  );
  return row ?? null;
}

function learnedOf({ change, reason }: NotedRow): FiledSkill['learned'] {
  if (change === 'created') return 'created';
  if (change === 'edited') return 'merged';
  if (change === 'proposed') return 'proposed';
  if (reason === 'identical') return 'identical';
  return reason === 'regression' ? 'regressed' : 'rejected';
}
