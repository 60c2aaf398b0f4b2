import type { Via } from '../contracts/names';
import type { SeenCard } from './access-log';
import type { Tx } from './database';
import { TOTAL_CAP } from './paging';
import type { ReaderArguments } from './visible-cards';

/** An action by its hash, as far as one reader knows of it. */
export interface ActionRow {
  hash: string;
  text: string;
  created_at: string;
  blocked: { at: string; by: string; reason: string | null } | null;
  /** Of the insight in whose words it is shown; null where only its block is left. */
  told: SeenCard | null;
}

type KnownRow = Omit<ActionRow, 'told'> & { card_id: string | null; vias: Via[] | null };

/**
 * Actions of insights that the reader sees, in the words of one that they see; and what is blocked, for who sees
 * everything. `$1` to `$6` are the reader's.
 */
const KNOWN = `
WITH seen AS MATERIALIZED (
  SELECT v.card_id, array_agg(DISTINCT v.via) AS vias
    FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
   WHERE v.card_id = ANY (ARRAY(SELECT i.card_id FROM insights i WHERE i.workspace_id = $1))
   GROUP BY v.card_id
),
said AS MATERIALIZED (
  SELECT DISTINCT ON (a.hash) a.hash, a.text, seen.card_id, seen.vias
    FROM seen
    JOIN insights i ON i.workspace_id = $1 AND i.card_id = seen.card_id
    JOIN insight_actions a ON a.workspace_id = $1 AND a.insight_id = i.id
   ORDER BY a.hash, i.created_at, i.id
),
known AS MATERIALIZED (
  SELECT a.hash, COALESCE(said.text, a.text) AS text, a.created_at, a.reason_id, a.blocked_at, a.blocked_by,
         said.card_id, said.vias
    FROM actions a
    LEFT JOIN said ON said.hash = a.hash
   WHERE a.workspace_id = $1
     AND CASE WHEN a.blocked_at IS NULL THEN said.hash IS NOT NULL ELSE $4::boolean END
)`;

const SHOWN = `
  k.hash, k.text, k.created_at, k.card_id, k.vias,
  CASE WHEN k.blocked_at IS NOT NULL
       THEN jsonb_build_object('at', k.blocked_at, 'by', k.blocked_by, 'reason', r.text) END AS blocked`;

const REASON =
  'LEFT JOIN reasons r ON r.workspace_id = $1 AND r.id = k.reason_id AND k.blocked_at IS NOT NULL';

/** The newest first. @param limit counts the one that says there are more */
export async function listActions(
  tx: Tx,
  reader: ReaderArguments,
  blocked: boolean | null,
  { after, limit }: { after: readonly [createdAt: string, hash: string] | null; limit: number },
): Promise<{ actions: ActionRow[]; total: number }> {
  const rows = await tx.query<Omit<KnownRow, 'hash'> & { hash: string | null; total: number }>(
    `${KNOWN},
     matching AS (
       SELECT * FROM known k WHERE $7::boolean IS NULL OR (k.blocked_at IS NOT NULL) = $7
     ),
     total AS (
       SELECT count(*) AS total FROM (SELECT 1 FROM matching LIMIT ${TOTAL_CAP + 1}) counted
     ),
     page AS (
       SELECT m.* FROM matching m
        WHERE $8::timestamptz IS NULL OR m.created_at < $8 OR (m.created_at = $8 AND m.hash > $9)
        ORDER BY m.created_at DESC, m.hash
        LIMIT $10
     )
     SELECT total.total, ${SHOWN}
       FROM total
       LEFT JOIN page k ON true
       ${REASON}
      ORDER BY k.created_at DESC, k.hash`,
    [...reader, blocked, after?.[0] ?? null, after?.[1] ?? null, limit],
  );
  const actions = rows.flatMap(({ total: _total, hash, ...row }) =>
    hash === null ? [] : [shown({ hash, ...row })],
  );
  return { actions, total: rows[0]?.total ?? 0 };
}

/** @returns null for one that is not there, or that the reader may not know of */
export async function readAction(
  tx: Tx,
  reader: ReaderArguments,
  hash: string,
): Promise<ActionRow | null> {
  const [row] = await tx.query<KnownRow>(
    `${KNOWN} SELECT ${SHOWN} FROM known k ${REASON} WHERE k.hash = $7`,
    [...reader, hash],
  );
  return row === undefined ? null : shown(row);
}

/** Postgres writes a time inside of JSON otherwise than by itself. */
function shown({ blocked, card_id, vias, ...row }: KnownRow): ActionRow {
  const told = card_id === null || vias === null ? null : { id: card_id, vias };
  if (blocked === null) return { ...row, blocked, told };
  return { ...row, blocked: { ...blocked, at: new Date(blocked.at).toISOString() }, told };
}

export interface Block {
  hash: string;
  /** A person. */
  by: string;
  /** Of `reasons`. */
  reasonId: string | null;
  at: Date;
}

/** Blocks an action wherever it is recommended; again, the later word stands. @returns false where there is none */
export async function blockAction(tx: Tx, { hash, by, reasonId, at }: Block): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE actions SET blocked_at = $3, blocked_by = $4, reason_id = $5
      WHERE workspace_id = $1 AND hash = $2
     RETURNING hash`,
    [tx.workspace, hash, at, by, reasonId],
  );
  return rows.length > 0;
}

/** @returns whether it was blocked; null where there is no such action */
export async function unblockAction(tx: Tx, hash: string): Promise<boolean | null> {
  const [row] = await tx.query<{ was_blocked: boolean }>(
    `WITH held AS (
       SELECT blocked_at IS NOT NULL AS was_blocked FROM actions
        WHERE workspace_id = $1 AND hash = $2 FOR UPDATE
     ),
     freed AS (
       UPDATE actions SET blocked_at = NULL, blocked_by = NULL, reason_id = NULL
        WHERE workspace_id = $1 AND hash = $2
     )
     SELECT was_blocked FROM held`,
    [tx.workspace, hash],
  );
  return row?.was_blocked ?? null;
}
