import type { Tx } from './database';

/** Which request of whom: the key is kept as a keyed hash, since a caller may write anything into it. */
export interface IdempotentRequest {
  principal: string;
  key: string;
  requestHash: Buffer;
}

/** The ids of what a write made or changed; never a body. */
export type Reference = Readonly<Record<string, string | number | readonly string[] | null>>;

export interface EarlierAnswer {
  request_hash: Buffer;
  status: number;
  resource: Reference;
}

/**
 * Takes the key for this transaction. A second request with the same key waits here until the first one
 * commits or gives up.
 * @returns what was answered before, or null where the key was free and is now taken.
 */
export async function takeKey(
  tx: Tx,
  request: IdempotentRequest,
  now: Date,
): Promise<EarlierAnswer | null> {
  const taken = await tx.query(
    `INSERT INTO idempotency (workspace_id, principal, key, request_hash, status, resource, created_at)
     VALUES ($1, $2, $3, $4, 0, '{}', $5)
     ON CONFLICT DO NOTHING
     RETURNING key`,
    [tx.workspace, request.principal, request.key, request.requestHash, now],
  );
  if (taken.length > 0) return null;
  return await tx.one<EarlierAnswer>(
    `SELECT request_hash, status, resource
       FROM idempotency
      WHERE workspace_id = $1 AND principal = $2 AND key = $3`,
    [tx.workspace, request.principal, request.key],
  );
}

/** In the transaction that took the key: what a repetition is answered from. */
export async function keepAnswer(
  tx: Tx,
  request: IdempotentRequest,
  status: number,
  resource: Reference,
): Promise<void> {
  await tx.query(
    `UPDATE idempotency SET status = $4, resource = $5
      WHERE workspace_id = $1 AND principal = $2 AND key = $3`,
    [tx.workspace, request.principal, request.key, status, JSON.stringify(resource)],
  );
}
