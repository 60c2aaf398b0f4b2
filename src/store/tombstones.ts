import type { TombstoneKind } from '../contracts/erasure';
import type { Tx } from './database';

/** An id that is asked about or buried, as its keyed hash. */
export interface HashedId {
  kind: TombstoneKind;
  hash: Buffer;
}

export const tombstoneKey = ({ kind, hash }: HashedId): string => `${kind}:${hash.toString('hex')}`;

/** Writes tombstones, in the transaction in which what they stand for goes; again it changes nothing. */
export async function bury(
  tx: Tx,
  { erasureId, at }: { erasureId: string; at: Date },
  ids: readonly HashedId[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `INSERT INTO tombstones (workspace_id, kind, hash, erasure_id, at)
     SELECT $1, b.kind, b.hash, $2, $3 FROM unnest($4::text[], $5::bytea[]) AS b (kind, hash)
     ON CONFLICT DO NOTHING`,
    [tx.workspace, erasureId, at, ids.map(({ kind }) => kind), ids.map(({ hash }) => hash)],
  );
}

/**
 * Which of these are erased, by `tombstoneKey`, and when the last erasure of each was asked for. An event, a card or
 * a conversation is so for good; of a subject, a person, an agent, a source or a project what happened until then.
 */
export async function erasedAmong(tx: Tx, ids: readonly HashedId[]): Promise<Map<string, Date>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<HashedId & { at: string }>(
    `SELECT t.kind, t.hash, max(t.at) AS at
       FROM unnest($2::text[], $3::bytea[]) AS b (kind, hash)
       JOIN tombstones t ON t.workspace_id = $1 AND t.kind = b.kind AND t.hash = b.hash
      GROUP BY t.kind, t.hash`,
    [tx.workspace, ids.map(({ kind }) => kind), ids.map(({ hash }) => hash)],
  );
  return new Map(rows.map(({ at, ...id }) => [tombstoneKey(id), new Date(at)]));
}

/** Of one erasure, in one order. */
export async function tombstonesOf(tx: Tx, erasureId: string): Promise<HashedId[]> {
  return await tx.query<HashedId>(
    'SELECT kind, hash FROM tombstones WHERE workspace_id = $1 AND erasure_id = $2 ORDER BY kind, hash',
    [tx.workspace, erasureId],
  );
}
