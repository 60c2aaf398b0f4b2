import { createHash } from 'node:crypto';
import type { SealHorizon, SealTotals } from '../contracts/messages';
import {
  BEGINNING,
  type ChainEnd,
  endOf,
  NUMBER_OF,
  type PlainSeal,
  SEAL_COLUMNS,
  type Sha256,
  sealOf,
} from '../domain/audit-chain';
import { plainRows, plainSeal, writePlainly } from './audit-rows';
import type { Tx } from './database';

export const sha256: Sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex');

/** Rows of each log in a block: a few hundredths of a second to hash, and to find one of them again. */
export const BLOCK = 500;

/**
 * The last rows that there are, and the id of a transaction that began after them. Whoever took a number
 * up to these has an id below it (a trigger sees to that): once all of those have ended, no row can come
 * any more that belongs before them.
 */
export async function markHorizon(tx: Tx): Promise<SealHorizon> {
  return await tx.one<SealHorizon>(
    `SELECT (SELECT COALESCE(max(seq), 0)::text FROM audit_log WHERE workspace_id = $1) AS audit,
            (SELECT COALESCE(max(id), 0)::text FROM access_log WHERE workspace_id = $1) AS access,
            pg_current_xact_id()::text AS xid`,
    [tx.workspace],
  );
}

/**
 * Whether all transactions before the horizon have ended. `foreign`: its id is none that this server has
 * given out; the database was moved to another one meanwhile.
 */
export async function horizonState(
  tx: Tx,
  { xid }: SealHorizon,
): Promise<'settled' | 'waiting' | 'foreign'> {
  const { state } = await tx.one<{ state: 'settled' | 'waiting' | 'foreign' }>(
    `SELECT CASE WHEN $1::xid8 >= pg_snapshot_xmax(pg_current_snapshot()) THEN 'foreign'
                 WHEN $1::xid8 > pg_snapshot_xmin(pg_current_snapshot()) THEN 'waiting'
                 ELSE 'settled' END AS state`,
    [xid],
  );
  return state;
}

/** Whether a block was sealed, and whether there is more up to the horizon. */
export interface Sealed {
  sealed: boolean;
  more: boolean;
}

/** Seals the next block up to a horizon that is settled. */
export async function sealNext(
  tx: Tx,
  made: { horizon: SealHorizon; at: Date; workflowId: string },
): Promise<Sealed> {
  await writePlainly(tx);
  const last = await plainSeal(tx, 'last');
  const end = last === null ? BEGINNING : endOf(last);
  const audit = await blockOf(tx, 'audit', end, made.horizon);
  const access = await blockOf(tx, 'access', end, made.horizon);
  if (audit.rows.length + access.rows.length === 0) return { sealed: false, more: false };
  const { sealed_at } = await tx.one<{ sealed_at: string }>(
    'SELECT $1::timestamptz::text AS sealed_at',
    [made.at],
  );
  const seal = sealOf(
    {
      workspace: tx.workspace,
      end,
      to: { audit: audit.to, access: access.to },
      rows: { audit: audit.rows, access: access.rows },
      sealedAt: sealed_at,
      workflowId: made.workflowId,
    },
    sha256,
  );
  // Somebody else had this number first: there may be more after theirs.
  if (!(await insertSeal(tx, seal))) return { sealed: false, more: true };
  return { sealed: true, more: audit.more || access.more };
}

async function blockOf(tx: Tx, log: 'audit' | 'access', end: ChainEnd, horizon: SealHorizon) {
  const after = end.n === 0 ? null : end[log];
  const rows = await plainRows(tx, log, { after, to: horizon[log], limit: BLOCK });
  const more = rows.length === BLOCK;
  const last = rows.at(-1)?.[NUMBER_OF[log]] ?? end[log];
  return { rows, more, to: more ? last : higher(horizon[log], end[log]) };
}

/** Another sealer may have gone beyond this horizon. */
function higher(one: string, other: string): string {
  return BigInt(one) > BigInt(other) ? one : other;
}

async function insertSeal(tx: Tx, seal: PlainSeal): Promise<boolean> {
  const places = SEAL_COLUMNS.map((_, at) => `$${at + 1}`).join(', ');
  const rows = await tx.query(
    `INSERT INTO audit_chain (${SEAL_COLUMNS.join(', ')})
     VALUES (${places})
     ON CONFLICT DO NOTHING
     RETURNING n`,
    SEAL_COLUMNS.map((column) => seal[column]),
  );
  return rows.length > 0;
}

/** What a pass has sealed from its first block on, and the head that it leaves. */
export async function sealTotals(
  tx: Tx,
  pass: { workflowId: string; first: number },
): Promise<SealTotals> {
  return await tx.one<SealTotals>(
    `SELECT (SELECT n FROM audit_chain WHERE workspace_id = $1 ORDER BY n DESC LIMIT 1) AS n,
            (SELECT head FROM audit_chain WHERE workspace_id = $1 ORDER BY n DESC LIMIT 1) AS head,
            count(*) AS seals, COALESCE(sum(c.audit_rows), 0) AS audit_rows,
            COALESCE(sum(c.access_rows), 0) AS access_rows
       FROM audit_chain c
      WHERE c.workspace_id = $1 AND c.n >= $3 AND c.workflow_id = $2`,
    [tx.workspace, pass.workflowId, pass.first],
  );
}
