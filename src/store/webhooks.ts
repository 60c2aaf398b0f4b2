import type { WebhookBody, WebhookEvent } from '../contracts/webhook';
import type { Tx } from './database';
import { newId } from './ids';
import { QUEUED_FROM } from './outbox-deliveries';
import { type Slice, type SliceRequest, sliceById } from './paging';

/** As it is kept: the address and the secret are readable with the installation's key only. */
export interface StoredWebhook {
  id: string;
  sealed: Buffer;
  has_secret: boolean;
  events: WebhookEvent[];
  created_at: string;
  changed_at: string;
}

const SELECT = `SELECT id, sealed, has_secret, events, created_at, changed_at
                  FROM webhooks WHERE workspace_id = $1`;

export async function readWebhook(tx: Tx, id: string): Promise<StoredWebhook | null> {
  const [row] = await tx.query<StoredWebhook>(`${SELECT} AND id = $2`, [tx.workspace, id]);
  return row ?? null;
}

export async function listWebhooks(tx: Tx, page: SliceRequest): Promise<Slice<StoredWebhook>> {
  return await sliceById<StoredWebhook>(tx, SELECT, [tx.workspace], page);
}

/** The same, held until the transaction ends: for whoever decides by it what to write. */
export async function lockWebhook(tx: Tx, id: string): Promise<StoredWebhook | null> {
  const [row] = await tx.query<StoredWebhook>(`${SELECT} AND id = $2 FOR NO KEY UPDATE`, [
    tx.workspace,
    id,
  ]);
  return row ?? null;
}

export interface WebhookWrite extends Pick<StoredWebhook, 'id' | 'sealed' | 'has_secret'> {
  events: readonly WebhookEvent[];
  now: Date;
}

/** @returns null where there is one by this id already. */
export async function insertWebhook(tx: Tx, write: WebhookWrite): Promise<StoredWebhook | null> {
  const [row] = await tx.query<StoredWebhook>(
    `INSERT INTO webhooks (workspace_id, id, sealed, has_secret, events, created_at, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT DO NOTHING
     RETURNING id, sealed, has_secret, events, created_at, changed_at`,
    [tx.workspace, write.id, write.sealed, write.has_secret, write.events, write.now],
  );
  return row ?? null;
}

export async function updateWebhook(tx: Tx, write: WebhookWrite): Promise<StoredWebhook> {
  return await tx.one<StoredWebhook>(
    `UPDATE webhooks SET sealed = $3, has_secret = $4, events = $5, changed_at = $6
      WHERE workspace_id = $1 AND id = $2
     RETURNING id, sealed, has_secret, events, created_at, changed_at`,
    [tx.workspace, write.id, write.sealed, write.has_secret, write.events, write.now],
  );
}

/** Takes its log along, and what was still to be sent. @returns whether there was one */
export async function deleteWebhook(tx: Tx, id: string): Promise<boolean> {
  const gone = await tx.query(
    'DELETE FROM webhooks WHERE workspace_id = $1 AND id = $2 RETURNING id',
    [tx.workspace, id],
  );
  await tx.query('DELETE FROM outbox WHERE workspace_id = $1 AND webhook_id = $2', [
    tx.workspace,
    id,
  ]);
  return gone.length > 0;
}

/** Something to be told: ids and codes, no content. */
export interface Announcement {
  type: WebhookEvent;
  /** When it happened, which is now. */
  at: Date;
  data: WebhookBody['data'];
}

/**
 * Tells every webhook of the workspace that subscribes, once the caller's transaction commits: a row of
 * its log and an item of the outbox each. A transaction that is rolled back tells nobody. Each such
 * webhook is held until then, so that its deliveries are counted one after the other: call it last.
 *
 * @example await announce(tx, { type: 'proposal.opened', at: now, data: { proposal_id: id } });
 */
export async function announce(tx: Tx, announcement: Announcement): Promise<void> {
  await enqueue(tx, announcement, null);
}

/** Tells this webhook, whatever it subscribes to. @returns the number of the delivery; null without one */
export async function announceTo(
  tx: Tx,
  webhookId: string,
  announcement: Announcement,
): Promise<number | null> {
  const [n] = await enqueue(tx, announcement, webhookId);
  return n ?? null;
}

async function enqueue(
  tx: Tx,
  { type, at, data }: Announcement,
  only: string | null,
): Promise<number[]> {
  const made = await tx.query<{ n: number }>(
    `WITH told AS (
       SELECT id FROM webhooks
        WHERE workspace_id = $1 AND CASE WHEN $6::text IS NULL THEN $2 = ANY (events) ELSE id = $6 END
        ORDER BY id
          FOR NO KEY UPDATE
     ),
     counted AS (
       UPDATE webhooks w
          SET last_n = w.last_n + 1
         FROM told
        WHERE w.workspace_id = $1 AND w.id = told.id
       RETURNING w.id, w.last_n
     ),
     made AS (
       INSERT INTO deliveries (workspace_id, webhook_id, n, id, type, at, data, state, created_at, next_at)
       SELECT $1, c.id, c.last_n, $3, $2, $4::timestamptz, $5, 'pending', $4, $4 FROM counted c
       RETURNING webhook_id, n
     ),
     queued AS (${QUEUED_FROM('made', '$1', '$4')})
     SELECT n FROM made`,
    [tx.workspace, type, newId('msg', at), at, JSON.stringify(data), only],
  );
  return made.map(({ n }) => n);
}
