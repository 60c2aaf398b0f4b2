import type { DeliveryState, WebhookDelivery, WebhookEvent } from '../contracts/webhook';
import type { AfterTry, TryOutcome } from '../domain/webhook-retry';
import type { Tx } from './database';
import {
  type DeliveryItem,
  postponeDelivery,
  QUEUED_FROM,
  removeDelivery,
} from './outbox-deliveries';
import { countCapped } from './paging';

/** How long the log keeps a delivery. */
const KEPT_MS = 30 * 24 * 60 * 60_000;
/** Of one workspace at a sweep. */
const MOST_FORGOTTEN = 10_000;

const COLUMNS = `n, id, type, state, attempts, last_status, last_error, created_at, delivered_at, next_at`;
const SELECT = `SELECT ${COLUMNS} FROM deliveries WHERE workspace_id = $1 AND webhook_id = $2`;

export async function readDelivery(
  tx: Tx,
  webhookId: string,
  n: number,
): Promise<WebhookDelivery | null> {
  const values = [tx.workspace, webhookId, n];
  const [row] = await tx.query<WebhookDelivery>(`${SELECT} AND n = $3`, values);
  return row ?? null;
}

export interface DeliveryFilter {
  webhookId: string;
  state: DeliveryState | null;
  /** Those with a smaller number; null starts at the newest. */
  before: number | null;
  limit: number;
}

/** Newest first, and how many there are in all. */
export async function listDeliveries(
  tx: Tx,
  { webhookId, state, before, limit }: DeliveryFilter,
): Promise<{ rows: WebhookDelivery[]; total: number }> {
  const select = `${SELECT} AND ($3::text IS NULL OR state = $3)`;
  const values = [tx.workspace, webhookId, state];
  const rows = await tx.query<WebhookDelivery>(
    `${select} AND ($4::bigint IS NULL OR n < $4) ORDER BY n DESC LIMIT $5`,
    [...values, before, limit],
  );
  return { rows, total: await countCapped(tx, select, values) };
}

/**
 * Sends it once more, with as many tries as at first; one that waits is brought forward.
 * @returns false where there is none.
 */
export async function retryDelivery(
  tx: Tx,
  webhookId: string,
  n: number,
  now: Date,
): Promise<boolean> {
  const found = await tx.query(
    `WITH again AS (
       UPDATE deliveries SET state = 'pending', round_tries = 0, next_at = $4::timestamptz
        WHERE workspace_id = $1 AND webhook_id = $2 AND n = $3
       RETURNING webhook_id, n
     ),
     waiting AS (
       UPDATE outbox o SET next_at = $4
         FROM again
        WHERE o.workspace_id = $1 AND o.webhook_id = again.webhook_id
          AND (o.arguments ->> 'n')::bigint = again.n
       RETURNING again.n
     ),
     queued AS (${QUEUED_FROM('again WHERE n NOT IN (SELECT n FROM waiting)', '$1', '$4')})
     SELECT n FROM again`,
    [tx.workspace, webhookId, n, now],
  );
  return found.length > 0;
}

/** What the sender needs to make a delivery, as of now. */
export interface DeliveryToMake {
  id: string;
  type: WebhookEvent;
  at: string;
  data: Record<string, string | number>;
  sealed: Buffer;
}

/** @returns null where it is gone, or is not to be made any more. */
export async function deliveryToMake(
  tx: Tx,
  { webhook_id, n }: DeliveryItem,
): Promise<DeliveryToMake | null> {
  const [row] = await tx.query<DeliveryToMake>(
    `SELECT d.id, d.type, d.at, d.data, w.sealed
       FROM deliveries d
       JOIN webhooks w ON w.workspace_id = d.workspace_id AND w.id = d.webhook_id
      WHERE d.workspace_id = $1 AND d.webhook_id = $2 AND d.n = $3 AND d.state = 'pending'`,
    [tx.workspace, webhook_id, n],
  );
  return row ?? null;
}

/**
 * Records a try, and takes its item out of the outbox or has it wait for the next.
 * @param next what follows from the number of tries of this round
 * @returns how the delivery stands now; null where it is gone
 */
export async function settleTry(
  tx: Tx,
  item: DeliveryItem,
  outcome: TryOutcome,
  next: (tries: number) => AfterTry,
  now: Date,
): Promise<DeliveryState | null> {
  const key = [tx.workspace, item.webhook_id, item.n];
  const [row] = await tx.query<{ round_tries: number }>(
    `SELECT round_tries FROM deliveries
      WHERE workspace_id = $1 AND webhook_id = $2 AND n = $3 AND state = 'pending'
        FOR UPDATE`,
    key,
  );
  if (row === undefined) {
    await removeDelivery(tx, item);
    return null;
  }
  const { state, delayMs } = next(row.round_tries + 1);
  const nextAt = delayMs === null ? null : new Date(now.getTime() + delayMs);
  await tx.query(
    `UPDATE deliveries
        SET state = $4, attempts = attempts + 1, round_tries = round_tries + 1, last_status = $5,
            last_error = $6, next_at = $7, delivered_at = CASE WHEN $4 = 'delivered' THEN $8 ELSE delivered_at END
      WHERE workspace_id = $1 AND webhook_id = $2 AND n = $3`,
    [...key, state, outcome.status, outcome.error, nextAt, now],
  );
  if (nextAt === null) await removeDelivery(tx, item);
  else await postponeDelivery(tx, item, nextAt, outcome.error ?? 'status');
  return state;
}

/** @returns how many went from the logs of the workspace's webhooks */
export async function forgetOldDeliveries(tx: Tx, now: Date): Promise<number> {
  const rows = await tx.query(
    `DELETE FROM deliveries d
      USING (SELECT webhook_id, n FROM deliveries
              WHERE workspace_id = $1 AND created_at < $2
              ORDER BY created_at LIMIT $3) old
      WHERE d.workspace_id = $1 AND d.webhook_id = old.webhook_id AND d.n = old.n
     RETURNING d.n`,
    [tx.workspace, new Date(now.getTime() - KEPT_MS), MOST_FORGOTTEN],
  );
  return rows.length;
}
