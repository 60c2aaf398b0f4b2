import type { Json } from '../contracts/event';
import { forgetSessions } from './card-writes-erased-sessions';
import type { Tx } from './database';
import { noteTerms } from './erasure-terms';
import type { ErasureWalk, WalkBatch } from './erasure-walk';

const ENTRIES = 200;

/** Kinds whose ids say whom or what an entry is about; a service is called by a word that anybody uses. */
const KINDS = `('subject', 'person', 'agent', 'project', 'event', 'card', 'conversation', 'pending_write')`;

/** Every string and every key that a document holds, whole. */
const WHOLE = `
  SELECT v #>> '{}' AS word FROM jsonb_path_query(b.value, 'strict $.**') AS v WHERE jsonb_typeof(v) = 'string'
   UNION ALL
  SELECT k FROM jsonb_path_query(b.value, 'strict $.**') AS v
   CROSS JOIN LATERAL jsonb_object_keys(CASE WHEN jsonb_typeof(v) = 'object' THEN v ELSE '{}' END) AS k`;

/**
 * Erases the next entries of working memory that name what goes, by their key, by a key or by a whole value, whoever
 * wrote them; with them sessions of which nothing is left. What was written since is new.
 */
export async function eraseEntries(tx: Tx, { erasureId, at }: ErasureWalk): Promise<WalkBatch> {
  const gone = await tx.query<{ session_id: string; key: string; value: Json }>(
    `WITH named AS MATERIALIZED (
       SELECT i.id, i.at FROM erasure_items i
        WHERE i.workspace_id = $1 AND i.erasure_id = $2 AND i.kind IN ${KINDS}
          AND (i.state = 'root' OR i.state = 'done' AND i.was IN ('root', 'falls'))
       UNION ALL
       SELECT t.term, NULL FROM erasure_terms t
        WHERE t.workspace_id = $1 AND t.erasure_id = $2 AND t.kind = 'id'
          AND t.term NOT IN (SELECT l.label
                               FROM events e
                              CROSS JOIN LATERAL (VALUES (e.payload ->> 'task'), (e.payload ->> 'session')) AS l (label)
                              WHERE e.workspace_id = $1 AND l.label IS NOT NULL)
     ),
     due AS (
       SELECT b.session_id, b.key FROM blackboard b
        WHERE b.workspace_id = $1
          AND EXISTS (SELECT 1 FROM (SELECT b.key AS word UNION ALL ${WHOLE}) w
                        JOIN named n ON n.id = w.word
                       WHERE b.updated_at <= COALESCE(n.at, $3))
        LIMIT ${ENTRIES}
     )
     DELETE FROM blackboard b USING due d
      WHERE b.workspace_id = $1 AND b.session_id = d.session_id AND b.key = d.key
     RETURNING b.session_id, b.key, b.value`,
    [tx.workspace, erasureId, at],
  );
  await noteTerms(tx, erasureId, { texts: gone.map(({ key, value }) => [key, value]) });
  const sessions = await emptied(
    tx,
    gone.map(({ session_id }) => session_id),
  );
  const purged = await forgetSessions(tx, sessions);
  purged['blackboard'] = (purged['blackboard'] ?? 0) + gone.length;
  return { touched: gone.length, purged, more: gone.length === ENTRIES };
}

async function emptied(tx: Tx, sessions: readonly string[]): Promise<string[]> {
  if (sessions.length === 0) return [];
  const rows = await tx.query<{ id: string }>(
    `SELECT DISTINCT s.id FROM unnest($2::text[]) AS s (id)
      WHERE NOT EXISTS (SELECT 1 FROM blackboard b WHERE b.workspace_id = $1 AND b.session_id = s.id)`,
    [tx.workspace, sessions],
  );
  return rows.map(({ id }) => id);
}
