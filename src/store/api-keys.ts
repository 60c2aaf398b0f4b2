import type { PrincipalKind } from '../contracts/names';
import type { ApiKey } from '../contracts/principal';
import type { Tx } from './database';
import { countCapped, type Slice, type SliceRequest } from './paging';

export interface NewKey {
  id: string;
  /** SHA-256 of the key, which itself is kept nowhere. */
  hash: Buffer;
  principal: { kind: PrincipalKind; id: string };
  name: string | null;
  expiresAt: Date | null;
  /** Requests a minute, where it has a number of its own. */
  requestsPerMinute?: number | null;
  /** The key that it takes the place of. */
  replaces?: string | null;
  now: Date;
}

const COLUMNS = `id, jsonb_build_object('kind', principal_kind, 'id', principal_id) AS principal, name,
                 created_at, expires_at, revoked_at, last_used_at, requests_per_minute, replaces`;
const SELECT = `SELECT ${COLUMNS} FROM api_keys WHERE workspace_id = $1`;

export async function insertKey(tx: Tx, key: NewKey): Promise<ApiKey> {
  return await tx.one<ApiKey>(
    `INSERT INTO api_keys (workspace_id, id, key_hash, principal_kind, principal_id, name, created_at, expires_at,
                           requests_per_minute, replaces)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     RETURNING ${COLUMNS}`,
    [
      tx.workspace,
      key.id,
      key.hash,
      key.principal.kind,
      key.principal.id,
      key.name,
      key.now,
      key.expiresAt,
      key.requestsPerMinute ?? null,
      key.replaces ?? null,
    ],
  );
}

export async function readKey(tx: Tx, id: string): Promise<ApiKey | null> {
  const [row] = await tx.query<ApiKey>(`${SELECT} AND id = $2`, [tx.workspace, id]);
  return row ?? null;
}

/** Newest first, those that are good no more included. */
export async function listKeys(tx: Tx, page: SliceRequest): Promise<Slice<ApiKey>> {
  const rows = await tx.query<ApiKey>(
    `${SELECT} AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [tx.workspace, page.after, page.limit + 1],
  );
  return { rows, total: await countCapped(tx, SELECT, [tx.workspace]) };
}

/** From its commit on the key is nobody's. @returns whether it was still good. */
export async function revokeKey(tx: Tx, id: string, now: Date): Promise<boolean> {
  const revoked = await tx.query(
    `UPDATE api_keys SET revoked_at = $3
      WHERE workspace_id = $1 AND id = $2 AND revoked_at IS NULL
      RETURNING id`,
    [tx.workspace, id, now],
  );
  return revoked.length > 0;
}

/** Whether it may be used now. */
export async function isGoodKey(tx: Tx, id: string, now: Date): Promise<boolean> {
  const good = await tx.query(
    `SELECT id FROM api_keys
      WHERE workspace_id = $1 AND id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)`,
    [tx.workspace, id, now],
  );
  return good.length > 0;
}

/** What rotating looks at, held until the transaction ends. */
export interface HeldKey extends ApiKey {
  /** The installation's own, which its environment sets. */
  bootstrap: boolean;
  is_good: boolean;
}

export async function holdKey(tx: Tx, id: string, now: Date): Promise<HeldKey | null> {
  const [row] = await tx.query<HeldKey>(
    `SELECT ${COLUMNS}, bootstrap, revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3) AS is_good
       FROM api_keys
      WHERE workspace_id = $1 AND id = $2
        FOR UPDATE`,
    [tx.workspace, id, now],
  );
  return row ?? null;
}

/** The key runs out at this time, if not before. */
export async function endKeyAt(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query(
    `UPDATE api_keys SET expires_at = LEAST(expires_at, $3)
      WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, id, at],
  );
}
