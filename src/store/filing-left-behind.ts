import {
  IDEMPOTENCY_KEPT_MS,
  REDISTILL_AGAIN_AFTER_MS,
  RESTART_AGAIN_AFTER_MS,
  STUCK_AFTER_MS,
} from '../domain/upkeep';
import type { Tx } from './database';
import { restartStuck } from './event-recording';
import type { OutboxAction } from './outbox';

/** Of one workspace at one sweep: an outage leaves thousands, and the next sweep comes in minutes. */
const MOST_RESTARTS = 500;
const MOST_FORGOTTEN = 10_000;

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms);

/** The next workspaces by id. Across workspaces. */
export async function workspacesAfter(
  tx: Tx,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(
    'SELECT workspace_id AS id FROM workspaces WHERE workspace_id > $1 ORDER BY workspace_id LIMIT $2',
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Sends the start of captures once more that stay pending with nothing about to be sent: terminated in
 * Temporal, or lost with its data. One whose workflow still runs is left alone by the start itself.
 * @returns how many
 */
export async function restartLeftBehind(tx: Tx, now: Date): Promise<number> {
  const rows = await tx.query<{ event_id: string }>(
    `UPDATE captures k
        SET swept_at = $2
       FROM (SELECT c.event_id
               FROM captures c
              WHERE c.workspace_id = $1 AND c.disposition = 'pending' AND c.created_at < $3
                AND (c.swept_at IS NULL OR c.swept_at < $4)
                AND NOT EXISTS (SELECT 1 FROM outbox o
                                 WHERE o.workspace_id = $1 AND o.workflow_id = c.workflow_id)
                -- While a file comes in its card may be on its way.
                AND NOT EXISTS (SELECT 1 FROM imports m WHERE m.workspace_id = $1 AND m.state = 'accepted')
              ORDER BY c.created_at
              LIMIT $5) left_behind
      WHERE k.workspace_id = $1 AND k.event_id = left_behind.event_id
     RETURNING k.event_id`,
    [
      tx.workspace,
      now,
      before(now, STUCK_AFTER_MS),
      before(now, RESTART_AGAIN_AFTER_MS),
      MOST_RESTARTS,
    ],
  );
  await restartStuck(
    tx,
    rows.map(({ event_id }) => event_id),
    now,
  );
  return rows.length;
}

/** Starts `embed` where a card has no vector. @returns whether it did */
export async function startLateVectors(tx: Tx, workflowId: string, now: Date): Promise<boolean> {
  const waiting = `SELECT 1 FROM cards c
                    WHERE c.workspace_id = $1 AND c.embedder IS NULL AND c.status <> 'deleted'`;
  return await startWhere(tx, { action: 'start_embed', workflowId, now, waiting, values: [] });
}

/**
 * Starts `redistill` where a card waits for the model, unless the model was found away a moment ago.
 * @returns whether it did
 */
export async function startRedistilling(tx: Tx, workflowId: string, now: Date): Promise<boolean> {
  const waiting = `SELECT 1 FROM captures k
                    WHERE k.workspace_id = $1 AND k.needs_distill
                      AND NOT EXISTS (SELECT 1 FROM runs r
                                       WHERE r.workspace_id = $1 AND r.workflow_id = $3 AND r.type <> 'capture'
                                         AND r.result ->> 'status' = 'partial' AND r.finished_at > $5)`;
  const values = [before(now, REDISTILL_AGAIN_AFTER_MS)];
  return await startWhere(tx, { action: 'start_redistill', workflowId, now, waiting, values });
}

interface Start {
  action: OutboxAction;
  workflowId: string;
  now: Date;
  /** A query of $1 workspace, $3 workflow id, and `values` from $5 on: starts where it finds a row. */
  waiting: string;
  values: readonly unknown[];
}

async function startWhere(tx: Tx, start: Start): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     SELECT $1, $2, $3, jsonb_build_object('workspace', $1::text), $4, $4
      WHERE EXISTS (${start.waiting})
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE workspace_id = $1 AND action = $2)
     RETURNING id`,
    [tx.workspace, start.action, start.workflowId, start.now, ...start.values],
  );
  return rows.length > 0;
}

/** @returns how many keys went */
export async function forgetOldKeys(tx: Tx, now: Date): Promise<number> {
  const rows = await tx.query(
    `DELETE FROM idempotency i
      USING (SELECT principal, key FROM idempotency
              WHERE workspace_id = $1 AND created_at < $2
              ORDER BY created_at LIMIT $3) old
      WHERE i.workspace_id = $1 AND i.principal = old.principal AND i.key = old.key
     RETURNING i.key`,
    [tx.workspace, before(now, IDEMPOTENCY_KEPT_MS), MOST_FORGOTTEN],
  );
  return rows.length;
}

/** Cards that only their words find. */
export async function countWithoutVector(tx: Tx): Promise<number> {
  const { waiting } = await tx.one<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM cards
      WHERE workspace_id = $1 AND embedder IS NULL AND status <> 'deleted'`,
    [tx.workspace],
  );
  return waiting;
}
