import type { TombstoneKind } from '../contracts/erasure';
import type { Tx } from './database';

export interface DatedTombstone {
  kind: TombstoneKind;
  hash: Buffer;
  /** Of a subject, person, agent, source or project: what happened later is not erased. */
  at: Date;
}

/** Every tombstone of the workspace, each with the last erasure of it, in one order. */
export async function allTombstones(tx: Tx): Promise<DatedTombstone[]> {
  const rows = await tx.query<{ kind: TombstoneKind; hash: Buffer; at: string }>(
    `SELECT kind, hash, max(at) AS at FROM tombstones
      WHERE workspace_id = $1
      GROUP BY kind, hash
      ORDER BY kind, hash`,
    [tx.workspace],
  );
  return rows.map(({ kind, hash, at }) => ({ kind, hash, at: new Date(at) }));
}

/** Writes those that are not there, as of an erasure. @returns how many */
export async function writeTombstones(
  tx: Tx,
  erasureId: string,
  tombstones: readonly DatedTombstone[],
): Promise<number> {
  const rows = await tx.query(
    `INSERT INTO tombstones (workspace_id, kind, hash, erasure_id, at)
     SELECT $1, b.kind, b.hash, $2, b.at
       FROM unnest($3::text[], $4::bytea[], $5::timestamptz[]) AS b (kind, hash, at)
      WHERE NOT EXISTS (SELECT 1 FROM tombstones t
                         WHERE t.workspace_id = $1 AND t.kind = b.kind AND t.hash = b.hash AND t.at >= b.at)
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    [
      tx.workspace,
      erasureId,
      tombstones.map(({ kind }) => kind),
      tombstones.map(({ hash }) => hash),
      tombstones.map(({ at }) => at),
    ],
  );
  return rows.length;
}
