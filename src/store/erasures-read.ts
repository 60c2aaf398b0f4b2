import type { Erasure } from '../contracts/erasure';
import type { Tx } from './database';
import { countCapped, type Slice } from './paging';

const SELECT = `
  SELECT e.id, e.operation_id, e.workflow_id, e.status, e.dry_run, e.selector, e.legal_basis, r.text AS reason,
         jsonb_build_object('kind', e.requested_by_kind, 'id', COALESCE(s.name, e.requested_by)) AS requested_by,
         e.requested_at, e.completed_at,
         '{"purged": {}, "rederived": 0, "kept": 0, "held": 0}'::jsonb || e.counts AS counts, e.receipt
    FROM erasures e
    LEFT JOIN surrogates s ON s.workspace_id = e.workspace_id AND s.id = e.requested_by
    LEFT JOIN reasons r ON r.workspace_id = e.workspace_id AND r.id = e.reason_id
   WHERE e.workspace_id = $1`;

/** @param by a surrogate's name: only what this person asked for; null for whoever sees all */
export async function readErasure(tx: Tx, id: string, by: string | null): Promise<Erasure | null> {
  const [row] = await tx.query<Erasure>(
    `${SELECT} AND e.id = $2 AND ($3::text IS NULL OR e.requested_by_kind = 'person' AND s.name = $3)`,
    [tx.workspace, id, by],
  );
  return row ?? null;
}

export interface ErasurePage {
  by: string | null;
  /** The time and the id of the last one of the page before; null starts at the newest. */
  after: readonly [string, string] | null;
  limit: number;
}

/** The newest first; a list shows no receipts. */
export async function listErasures(
  tx: Tx,
  { by, after, limit }: ErasurePage,
): Promise<Slice<Omit<Erasure, 'receipt'>>> {
  const matching = `${SELECT} AND ($2::text IS NULL OR e.requested_by_kind = 'person' AND s.name = $2)`;
  const rows = await tx.query<Erasure>(
    `SELECT * FROM (${matching}) items
      WHERE $3::timestamptz IS NULL OR (requested_at, id) < ($3, $4)
      ORDER BY requested_at DESC, id DESC
      LIMIT $5`,
    [tx.workspace, by, after?.[0] ?? null, after?.[1] ?? null, limit + 1],
  );
  return {
    rows: rows.map(({ receipt: _receipt, ...row }) => row),
    total: await countCapped(tx, matching, [tx.workspace, by]),
  };
}
