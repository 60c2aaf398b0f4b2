import type { Session } from '../contracts/session';
import type { Tx } from './database';

/** An agent at work in a session. */
export interface Joiner {
  id: string;
  agent: string;
}

/** How old the mark of the last activity may get before it is moved: not every event has to write it. */
const ACTIVE_STEP_MS = 3_600_000;

/**
 * Takes agents into their sessions, in this order: whoever comes first opens one and is its root; an
 * ancestor of the root who comes later is its root from then on, since a sub-agent's event may well settle
 * before its parent's. Where only a final event of a sub-agent's had ended it, it goes on.
 */
export async function joinSessions(tx: Tx, joiners: readonly Joiner[], now: Date): Promise<void> {
  if (joiners.length === 0) return;
  const touched = new Date(now.getTime() - ACTIVE_STEP_MS);
  const values = [tx.workspace, JSON.stringify(joiners), now];
  const due = await tx.query<{ id: string }>(
    `WITH joined AS (
       SELECT j.id, j.agent, j.n
         FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS (id text, agent text)) WITH ORDINALITY
              AS j (id, agent, n)
     ),
     opened AS (
       INSERT INTO sessions (workspace_id, id, root_agent, started_at)
       SELECT DISTINCT ON (id) $1, id, agent, $3::timestamptz FROM joined ORDER BY id, n
       ON CONFLICT DO NOTHING
       RETURNING id
     )
     SELECT j.id
       FROM joined j JOIN sessions s ON s.workspace_id = $1 AND s.id = j.id
      WHERE COALESCE(s.active_at, s.started_at) < $4
         OR EXISTS (SELECT 1 FROM spawned_by($1, s.root_agent) up WHERE up.id = j.agent AND up.hops > 0)
     UNION
     SELECT o.id FROM opened o JOIN joined j USING (id) GROUP BY o.id HAVING count(DISTINCT j.agent) > 1
     UNION
     -- Opened by somebody else while this waited, so that this statement does not see it.
     SELECT j.id FROM joined j
      WHERE NOT EXISTS (SELECT 1 FROM opened o WHERE o.id = j.id)
        AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.workspace_id = $1 AND s.id = j.id)`,
    [...values, touched],
  );
  if (due.length === 0) return;
  const ids = due.map(({ id }) => id);
  // Held first: of two ancestors who come at one moment the second is compared with what the first left.
  await holdSessions(tx, ids);
  await tx.query(
    `UPDATE sessions s
        SET root_agent = COALESCE(t.above, s.root_agent), active_at = $3,
            ended_at = CASE WHEN t.above IS NOT NULL AND s.ended_by = 'final' THEN NULL ELSE s.ended_at END,
            ended_by = CASE WHEN t.above IS NOT NULL AND s.ended_by = 'final' THEN NULL ELSE s.ended_by END
       FROM (SELECT DISTINCT ON (j.id) j.id, up.id AS above
               FROM jsonb_to_recordset($2::jsonb) AS j (id text, agent text)
               JOIN sessions held ON held.workspace_id = $1 AND held.id = j.id
               LEFT JOIN LATERAL spawned_by($1, held.root_agent) up ON up.id = j.agent AND up.hops > 0
              WHERE j.id = ANY ($4)
              ORDER BY j.id, up.hops DESC NULLS LAST) t
      WHERE s.workspace_id = $1 AND s.id = t.id`,
    [...values, ids],
  );
}

/** Ends the sessions that one of these is the root of, or an ancestor of the root; what stood there is gone. */
export async function endByFinalEvents(
  tx: Tx,
  finals: readonly Joiner[],
  now: Date,
): Promise<void> {
  if (finals.length === 0) return;
  await holdSessions(
    tx,
    finals.map(({ id }) => id),
  );
  const ended = await tx.query<{ id: string }>(
    `UPDATE sessions s SET ended_at = $3, ended_by = 'final'
       FROM jsonb_to_recordset($2::jsonb) AS f (id text, agent text)
      WHERE s.workspace_id = $1 AND s.id = f.id AND s.ended_at IS NULL
        AND EXISTS (SELECT 1 FROM spawned_by($1, s.root_agent) up WHERE up.id = f.agent)
     RETURNING s.id`,
    [tx.workspace, JSON.stringify(finals), now],
  );
  if (ended.length > 0) {
    await wipe(
      tx,
      ended.map(({ id }) => id),
    );
  }
}

/** A statement of its own, after the sessions' rows are held: it sees what was written until then. */
async function wipe(tx: Tx, sessions: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM blackboard WHERE workspace_id = $1 AND session_id = ANY ($2)', [
    tx.workspace,
    sessions,
  ]);
}

/** A session as somebody sees it, and whether they are its root or an ancestor of that. */
export interface SeenSession extends Session {
  is_at_top: boolean;
}

/**
 * @param agent who looks: the session's root is it, or spawned it, or was spawned by it; null sees all
 * @param upwards whether who spawned the root sees it too, without having joined
 */
export async function findSession(
  tx: Tx,
  id: string,
  { agent, upwards }: { agent: string | null; upwards: boolean },
): Promise<SeenSession | null> {
  const [row] = await tx.query<SeenSession>(
    `SELECT s.id, s.root_agent, CASE WHEN s.ended_at IS NULL THEN 'open' ELSE 'ended' END AS status,
            s.started_at, s.ended_at, count(b.key) AS keys, COALESCE(sum(b.bytes), 0) AS bytes,
            $3::text IS NULL OR EXISTS (SELECT 1 FROM spawned_by($1, s.root_agent) up WHERE up.id = $3)
              AS is_at_top
       FROM sessions s
       LEFT JOIN blackboard b ON b.workspace_id = $1 AND b.session_id = s.id
      WHERE s.workspace_id = $1 AND s.id = $2
        AND ($3::text IS NULL
             OR EXISTS (SELECT 1 FROM spawned_by($1, $3) up WHERE up.id = s.root_agent)
             OR $4 AND EXISTS (SELECT 1 FROM spawned_by($1, s.root_agent) up WHERE up.id = $3))
      GROUP BY s.workspace_id, s.id`,
    [tx.workspace, id, agent, upwards],
  );
  return row ?? null;
}

/** Holds the rows until the transaction ends: writers of one blackboard come one after the other. */
export async function holdSessions(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    'SELECT 1 FROM sessions WHERE workspace_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE',
    [tx.workspace, ids],
  );
}

/** Ends one for good. @returns whether it was open */
export async function endSession(tx: Tx, id: string, now: Date): Promise<boolean> {
  const ended = await tx.query(
    `UPDATE sessions SET ended_at = COALESCE(ended_at, $3), ended_by = 'asked'
      WHERE workspace_id = $1 AND id = $2 AND ended_by IS DISTINCT FROM 'asked' RETURNING id`,
    [tx.workspace, id, now],
  );
  await wipe(tx, [id]);
  return ended.length > 0;
}
