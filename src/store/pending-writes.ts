import type { JsonObject } from '../contracts/event';
import type {
  PendingWrite,
  PendingWriteStatus,
  PendingWriteType,
} from '../contracts/pending-write';
import type { Principal } from '../contracts/principal';
import { PENDING_WRITE_MS } from '../domain/retention';
import type { Tx } from './database';
import { countCapped, type Slice } from './paging';

export interface NewPendingWrite {
  id: string;
  agent: string;
  type: PendingWriteType;
  /** Redacted. */
  content: JsonObject;
  session: string | null;
  at: Date;
}

export async function insertPendingWrite(tx: Tx, write: NewPendingWrite): Promise<void> {
  await tx.query(
    `INSERT INTO pending_writes (workspace_id, id, agent_id, type, content, session, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      tx.workspace,
      write.id,
      write.agent,
      write.type,
      JSON.stringify(write.content),
      write.session,
      write.at,
    ],
  );
}

/** Of an insight, without the actions that a person has blocked: nobody sees those, waiting or saved. */
const WRITE = `
  CASE WHEN w.type = 'insight' AND w.content IS NOT NULL
       THEN jsonb_set(w.content, '{insight,actions}', COALESCE((
              SELECT jsonb_agg(e.action ORDER BY e.place)
                FROM jsonb_array_elements(w.content #> '{insight,actions}') WITH ORDINALITY AS e (action, place)
               WHERE NOT EXISTS (
                       SELECT 1 FROM actions k
                        WHERE k.workspace_id = w.workspace_id AND k.hash = e.action ->> 'hash'
                          AND k.blocked_at IS NOT NULL)), '[]'))
       ELSE w.content END`;

/** `$2` is the agent whose own and whose descendants' it is asked for; null asks for all of the workspace. */
const SEEN = `
  WITH RECURSIVE below AS (
    SELECT a.id FROM agents a WHERE a.workspace_id = $1 AND a.id = $2
    UNION
    SELECT a.id FROM below b JOIN agents a ON a.workspace_id = $1 AND a.parent_agent = b.id
  )
  SELECT w.id, w.type, w.status, w.agent_id AS agent, a.parent_agent AS parent, w.session, ${WRITE} AS write,
         w.created_at, w.decided_at, r.text AS reason, w.card_id,
         CASE WHEN w.decided_by_id IS NOT NULL
              THEN jsonb_build_object('kind', w.decided_by_kind, 'id', w.decided_by_id) END AS decided_by
    FROM pending_writes w
    JOIN agents a ON a.workspace_id = w.workspace_id AND a.id = w.agent_id
    LEFT JOIN reasons r ON r.workspace_id = w.workspace_id AND r.id = w.reason_id
   WHERE w.workspace_id = $1 AND ($2::text IS NULL OR w.agent_id IN (SELECT b.id FROM below b))`;

type Row = Omit<PendingWrite, 'expires_at'>;

function shown(row: Row): PendingWrite {
  const expires = new Date(Date.parse(row.created_at) + PENDING_WRITE_MS);
  return { ...row, expires_at: expires.toISOString() };
}

/** @returns null for one that is not there, and for one of an agent that is neither `agent` nor below it */
export async function readPendingWrite(
  tx: Tx,
  agent: string | null,
  id: string,
): Promise<PendingWrite | null> {
  const [row] = await tx.query<Row>(`${SEEN} AND w.id = $3`, [tx.workspace, agent, id]);
  return row === undefined ? null : shown(row);
}

export interface PendingWriteFilter {
  status: readonly PendingWriteStatus[] | null;
  /** Who posted it. */
  agent: string | null;
}

/** The last posted first. */
export async function listPendingWrites(
  tx: Tx,
  agent: string | null,
  filter: PendingWriteFilter,
  page: { after: readonly [createdAt: string, id: string] | null; limit: number },
): Promise<Slice<PendingWrite>> {
  const matching = `${SEEN}
     AND ($3::text[] IS NULL OR w.status = ANY ($3))
     AND ($4::text IS NULL OR w.agent_id = $4)`;
  const values = [tx.workspace, agent, filter.status, filter.agent];
  const rows = await tx.query<Row>(
    `${matching}
     AND ($5::timestamptz IS NULL OR w.created_at < $5 OR (w.created_at = $5 AND w.id > $6))
     ORDER BY w.created_at DESC, w.id
     LIMIT $7`,
    [...values, page.after?.[0] ?? null, page.after?.[1] ?? null, page.limit + 1],
  );
  return { rows: rows.map(shown), total: await countCapped(tx, matching, values) };
}

/** Holds the row, so that of two who decide at one moment the second finds it decided. */
export async function holdPendingWrite(tx: Tx, id: string): Promise<PendingWriteStatus | null> {
  const [row] = await tx.query<{ status: PendingWriteStatus }>(
    'SELECT status FROM pending_writes WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
    [tx.workspace, id],
  );
  return row?.status ?? null;
}

export interface PendingDecision {
  id: string;
  /** Null rejects it. */
  cardId: string | null;
  by: Pick<Principal, 'kind' | 'id'>;
  reasonId: string | null;
  at: Date;
}

/** Its text goes with the decision: the card has it, or nobody. */
export async function decidePendingWrite(tx: Tx, decision: PendingDecision): Promise<void> {
  await tx.query(
    `UPDATE pending_writes
        SET status = CASE WHEN $3::text IS NULL THEN 'rejected' ELSE 'accepted' END, card_id = $3, content = NULL,
            decided_at = $4, decided_by_kind = $5, decided_by_id = $6, reason_id = $7
      WHERE workspace_id = $1 AND id = $2 AND status = 'waiting'`,
    [
      tx.workspace,
      decision.id,
      decision.cardId,
      decision.at,
      decision.by.kind,
      decision.by.id,
      decision.reasonId,
    ],
  );
}

/** Drops the text of what was posted up to `since` and nobody decided. @returns how many */
export async function expirePendingWrites(tx: Tx, since: Date, now: Date): Promise<number> {
  const { expired } = await tx.one<{ expired: number }>(
    `WITH expired AS (
       UPDATE pending_writes SET status = 'expired', content = NULL, decided_at = $3
        WHERE workspace_id = $1 AND status = 'waiting' AND created_at <= $2
          AND NOT is_held($1, 'pending_write', id)
        RETURNING 1
     )
     SELECT count(*) AS expired FROM expired`,
    [tx.workspace, since, now],
  );
  return expired;
}
