import type { CardScope } from '../contracts/card';
import type { PassRequest } from '../contracts/passes';
import { passWorkflowId } from '../contracts/workflow-ids';
import { durationMs } from '../domain/durations';
import type { Tx } from './database';
import { idPart } from './ids';
import { readSettings } from './settings';

/** Filed since the last look: fewer show little that is new. */
const ENOUGH = 20;
/** Scopes that one sweep looks at; those beyond them have the night. */
const MOST_SCOPES = 500;

/**
 * Starts a reflection of each scope in which enough was filed since the last one, and nothing for a while: what was
 * learned in a day's work is there before the next begins. Not where the policy pauses reflections, and once in such
 * a while for each scope, so that one that fails is not started at every sweep.
 * @returns how many
 */
export async function startQuietReflections(tx: Tx, now: Date): Promise<number> {
  const settings = await readSettings(tx);
  if (settings === null || settings.memoryMode === 'off' || settings.policy.reflection.paused)
    return 0;
  const quietMs = durationMs(settings.policy.reflection.quiet);
  const scopes = await quietScopes(tx, new Date(now.getTime() - quietMs));
  for (const scope of scopes) await start(tx, scope, now);
  return scopes.length;
}

/**
 * By `cards_by_scope`, from one scope to the next: of each the newest card, and where that is old enough, and was not
 * looked at, as many of the others as are enough.
 */
async function quietScopes(tx: Tx, since: Date): Promise<CardScope[]> {
  return await tx.query<CardScope>(
    `WITH RECURSIVE walk (scope_type, scope_id, newest, n) AS (
       (SELECT c.scope_type, c.scope_id,
               (SELECT max(k.recorded_at) FROM cards k
                 WHERE k.workspace_id = $1 AND k.scope_type = c.scope_type AND k.scope_id = c.scope_id), 1
          FROM cards c
         WHERE c.workspace_id = $1
         ORDER BY c.scope_type, c.scope_id
         LIMIT 1)
       UNION ALL
       SELECT next.scope_type, next.scope_id, next.newest, w.n + 1
         FROM walk w,
              LATERAL (SELECT c.scope_type, c.scope_id,
                              (SELECT max(k.recorded_at) FROM cards k
                                WHERE k.workspace_id = $1 AND k.scope_type = c.scope_type
                                  AND k.scope_id = c.scope_id) AS newest
                         FROM cards c
                        WHERE c.workspace_id = $1 AND (c.scope_type, c.scope_id) > (w.scope_type, w.scope_id)
                        ORDER BY c.scope_type, c.scope_id
                        LIMIT 1) next
        WHERE w.n < ${MOST_SCOPES}
     )
     SELECT w.scope_type AS type, w.scope_id AS id
       FROM walk w
       LEFT JOIN reflected_scopes r
         ON r.workspace_id = $1 AND r.scope_type = w.scope_type AND r.scope_id = w.scope_id
      WHERE w.newest <= $2 AND (r.quiet_at IS NULL OR r.quiet_at <= $2)
        AND (r.read_to IS NULL OR r.read_to < w.newest)
        AND ${ENOUGH} = (SELECT count(*)
                           FROM (SELECT 1 FROM cards c
                                  WHERE c.workspace_id = $1 AND c.scope_type = w.scope_type
                                    AND c.scope_id = w.scope_id AND c.tier = 'episodic'
                                    AND (r.read_to IS NULL OR date_trunc('milliseconds', c.recorded_at) > r.read_to)
                                  LIMIT ${ENOUGH}) filed)
      ORDER BY w.n`,
    [tx.workspace, since],
  );
}

async function start(tx: Tx, scope: CardScope, now: Date): Promise<void> {
  const request: PassRequest = {
    workspace: tx.workspace,
    type: 'reflection',
    scope,
    at: now.toISOString(),
  };
  const workflowId = passWorkflowId(
    tx.workspace,
    'reflection',
    `quiet-${idPart(`${scope.type}:${scope.id}`)}`,
  );
  await tx.query(
    `WITH started AS (
       INSERT INTO reflected_scopes (workspace_id, scope_type, scope_id, read_to, read_id, quiet_at)
       VALUES ($1, $2, $3, '-infinity', '', $4)
       ON CONFLICT (workspace_id, scope_type, scope_id) DO UPDATE SET quiet_at = EXCLUDED.quiet_at
     )
     INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     VALUES ($1, 'start_pass', $5, $6, $4, $4)`,
    [tx.workspace, scope.type, scope.id, now, workflowId, JSON.stringify(request)],
  );
}
