import type { AuditSeal, LogName } from '../contracts/audit';
import type { Tx } from './database';
import { countCapped, type Slice } from './paging';

const SEAL = `SELECT c.n, c.hash, c.head, c.sealed_at, c.workflow_id,
                     jsonb_build_object('from', c.audit_from, 'to', c.audit_to, 'rows', c.audit_rows) AS audit,
                     jsonb_build_object('from', c.access_from, 'to', c.access_to, 'rows', c.access_rows) AS access
                FROM audit_chain c
               WHERE c.workspace_id = $1`;

/** Newest first. */
export async function listSeals(
  tx: Tx,
  page: { before: number | null; limit: number },
): Promise<Slice<AuditSeal>> {
  const rows = await tx.query<AuditSeal>(
    `${SEAL} AND ($2::int IS NULL OR c.n < $2) ORDER BY c.n DESC LIMIT $3`,
    [tx.workspace, page.before, page.limit],
  );
  return { rows, total: await countCapped(tx, SEAL, [tx.workspace]) };
}

/** How many seals there are, and which of them has this head. */
export async function chainLength(
  tx: Tx,
  head: string | null,
): Promise<{ seals: number; n: number | null }> {
  return await tx.one(
    `SELECT count(*) AS seals, min(c.n) FILTER (WHERE c.head = $2) AS n
       FROM audit_chain c
      WHERE c.workspace_id = $1`,
    [tx.workspace, head],
  );
}

/** Rows after these numbers, of both logs; counted up to one more than the cap. */
export async function countUnsealed(
  tx: Tx,
  after: Readonly<Record<LogName, string>>,
): Promise<number> {
  return await countCapped(
    tx,
    `SELECT 1 FROM audit_log WHERE workspace_id = $1 AND seq > $2::bigint
     UNION ALL
     SELECT 1 FROM access_log WHERE workspace_id = $1 AND id > $3::bigint`,
    [tx.workspace, after.audit, after.access],
  );
}
