import type { Tx } from './database';

/** A delivery to make: of which webhook, and which of its deliveries. */
export interface DeliveryItem {
  workspace_id: string;
  id: number;
  webhook_id: string;
  n: number;
}

/**
 * SQL that has the sender make deliveries: an item of the outbox for each.
 * @param from rows of `webhook_id` and `n`
 * @param workspace @param at placeholders
 */
export const QUEUED_FROM = (from: string, workspace: string, at: string): string =>
  `INSERT INTO outbox (workspace_id, action, workflow_id, webhook_id, arguments, next_at, created_at)
   SELECT ${workspace}, 'deliver_webhook', 'deliver/' || ${workspace}::text || '/' || webhook_id || '/' || n,
          webhook_id, jsonb_build_object('n', n::text), ${at}::timestamptz, ${at}
     FROM ${from}`;

export interface DeliveryLease {
  now: Date;
  leaseMs: number;
  /** How many at most, and how many of one webhook. */
  limit: number;
  eachLimit: number;
  /** Webhooks that have something in hand already; nothing more is taken of them. */
  busy: readonly Pick<DeliveryItem, 'workspace_id' | 'webhook_id'>[];
}

/**
 * Takes deliveries that are due and nobody else holds: the oldest few of each webhook, so that one with a
 * long queue takes no more of the places than its share. It steps from webhook to webhook along the index,
 * whatever waits for each.
 */
export async function leaseDeliveries(tx: Tx, lease: DeliveryLease): Promise<DeliveryItem[]> {
  const { now, leaseMs, limit, eachLimit, busy } = lease;
  return await tx.query<DeliveryItem>(
    `WITH RECURSIVE queues AS (
       (SELECT o.workspace_id, o.webhook_id
          FROM outbox o
         WHERE o.webhook_id IS NOT NULL
         ORDER BY o.workspace_id, o.webhook_id
         LIMIT 1)
       UNION ALL
       SELECT next.workspace_id, next.webhook_id
         FROM queues q
        CROSS JOIN LATERAL (
          SELECT o.workspace_id, o.webhook_id
            FROM outbox o
           WHERE o.webhook_id IS NOT NULL
             AND (o.workspace_id, o.webhook_id) > (q.workspace_id, q.webhook_id)
           ORDER BY o.workspace_id, o.webhook_id
           LIMIT 1
        ) next
     ),
     due AS MATERIALIZED (
       SELECT o.workspace_id, o.id
         FROM queues q
        CROSS JOIN LATERAL (
          SELECT workspace_id, id, next_at
            FROM outbox
           WHERE workspace_id = q.workspace_id AND webhook_id = q.webhook_id
             AND next_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
           ORDER BY next_at, id
           LIMIT $4
             FOR UPDATE SKIP LOCKED
        ) o
        WHERE NOT EXISTS (SELECT 1 FROM unnest($5::text[], $6::text[]) AS b (workspace_id, webhook_id)
                           WHERE b.workspace_id = q.workspace_id AND b.webhook_id = q.webhook_id)
        ORDER BY o.next_at, o.id
        LIMIT $3
     )
     UPDATE outbox o
        SET leased_until = $2, attempts = o.attempts + 1
       FROM due
      WHERE o.workspace_id = due.workspace_id AND o.id = due.id
     RETURNING o.workspace_id, o.id, o.webhook_id, (o.arguments ->> 'n')::bigint AS n`,
    [
      now,
      new Date(now.getTime() + leaseMs),
      limit,
      eachLimit,
      busy.map((one) => one.workspace_id),
      busy.map((one) => one.webhook_id),
    ],
  );
}

/** Hands back what was taken and not sent, for the next sender to take at once. */
export async function handBack(tx: Tx, { id }: DeliveryItem): Promise<void> {
  await tx.query('UPDATE outbox SET leased_until = NULL WHERE workspace_id = $1 AND id = $2', [
    tx.workspace,
    id,
  ]);
}

/** It was sent, or is not to be. */
export async function removeDelivery(tx: Tx, { id }: DeliveryItem): Promise<void> {
  await tx.query('DELETE FROM outbox WHERE workspace_id = $1 AND id = $2', [tx.workspace, id]);
}

/** The same item again later. @param reason a code */
export async function postponeDelivery(
  tx: Tx,
  { id }: DeliveryItem,
  nextAt: Date,
  reason: string,
): Promise<void> {
  await tx.query(
    `UPDATE outbox SET leased_until = NULL, next_at = $3, last_error = $4
      WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, id, nextAt, reason],
  );
}
