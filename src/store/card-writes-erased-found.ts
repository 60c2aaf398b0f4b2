import type { Tx } from './database';

/** Rows that one statement looks through. */
const PAGE = 2_000;
/** Rows of a small table that one statement adds. */
const ADDED = 1_000;

/** What a page came to: null where it was the last one. */
export interface FoundPage {
  found: number;
  next: string | null;
}

interface PageRow {
  seen: number;
  last: string | null;
  found: number;
}

/** What was named and is looked for; of a row that both happened and was recorded after that, nothing. */
const NAMED = `
  JOIN erasure_items n ON n.workspace_id = $1 AND n.erasure_id = $2 AND n.kind = v.kind AND n.id = v.id
                      AND n.at IS NOT NULL`;

/**
 * Of the next events those that are by, about or of what was named: reported, done, delegated to, about, at a service,
 * in a project.
 */
export async function findEvents(tx: Tx, erasureId: string, after: string): Promise<FoundPage> {
  const page = await tx.one<PageRow>(
    `WITH page AS MATERIALIZED (
       SELECT e.event_id, e.agent_id, e.reporter_kind, e.reporter_id, e.occurred_at, e.recorded_at,
              e.payload ->> 'subject' AS subject, e.payload ->> 'service' AS service,
              e.payload ->> 'project' AS project, e.payload -> 'delegate' ->> 'agent' AS delegate
         FROM events e
        WHERE e.workspace_id = $1 AND e.event_id > $3
        ORDER BY e.event_id
        LIMIT ${PAGE}
     ),
     found AS (
       INSERT INTO erasure_items (workspace_id, erasure_id, kind, id, state)
       SELECT DISTINCT $1, $2, 'event', p.event_id, 'root'
         FROM page p
        CROSS JOIN LATERAL (VALUES ('subject', p.subject), ('agent', p.agent_id), ('agent', p.delegate),
                                   ('source', p.service), ('project', p.project), (p.reporter_kind, p.reporter_id))
              AS v (kind, id)
         ${NAMED}
        WHERE p.recorded_at <= n.at OR p.occurred_at <= n.at
       ON CONFLICT DO NOTHING
       RETURNING 1
     )
     SELECT (SELECT count(*)::int FROM page) AS seen,
            (SELECT event_id FROM page ORDER BY event_id DESC LIMIT 1) AS last,
            (SELECT count(*)::int FROM found) AS found`,
    [tx.workspace, erasureId, after],
  );
  return endOf(page);
}

/** The same of cards, with the events that they were made from. */
export async function findCards(tx: Tx, erasureId: string, after: string): Promise<FoundPage> {
  const page = await tx.one<PageRow>(
    `WITH page AS MATERIALIZED (
       SELECT c.id, c.subject, c.agent_id, c.service, c.project, c.scope_type, c.scope_id, c.writer_kind, c.writer_id,
              c.recorded_at
         FROM cards c
        WHERE c.workspace_id = $1 AND c.id > $3
        ORDER BY c.id
        LIMIT ${PAGE}
     ),
     found AS (
       INSERT INTO erasure_items AS k (workspace_id, erasure_id, kind, id, state)
       SELECT DISTINCT $1, $2, 'card', p.id, 'root'
         FROM page p
        CROSS JOIN LATERAL (VALUES ('subject', p.subject), ('agent', p.agent_id), ('source', p.service),
                                   ('project', p.project), (p.scope_type, p.scope_id), (p.writer_kind, p.writer_id))
              AS v (kind, id)
         ${NAMED}
        WHERE p.recorded_at <= n.at
       ON CONFLICT (workspace_id, erasure_id, kind, id) DO UPDATE SET state = 'root'
          WHERE k.state IN ('open', 'stands')
       RETURNING 1
     )
     SELECT (SELECT count(*)::int FROM page) AS seen,
            (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last,
            (SELECT count(*)::int FROM found) AS found`,
    [tx.workspace, erasureId, after],
  );
  return endOf(page);
}

function endOf({ seen, last, found }: PageRow): FoundPage {
  return { found, next: seen < PAGE ? null : last };
}

/** Conversations and what restricted agents posted: both are found by an index, or are few. */
export async function findBeside(tx: Tx, erasureId: string): Promise<FoundPage> {
  const { found } = await tx.one<{ found: number }>(
    `WITH conversing AS (
       INSERT INTO erasure_items (workspace_id, erasure_id, kind, id, state)
       SELECT DISTINCT $1, $2, 'conversation', c.id, 'root'
         FROM conversations c
        CROSS JOIN LATERAL (VALUES ('subject', c.subject), ('agent', c.agent_id), ('project', c.project)) AS v (kind, id)
         ${NAMED}
        WHERE c.created_at <= n.at
          AND NOT EXISTS (SELECT 1 FROM erasure_items k
                           WHERE k.workspace_id = $1 AND k.erasure_id = $2 AND k.kind = 'conversation' AND k.id = c.id)
        LIMIT ${ADDED}
       ON CONFLICT DO NOTHING
       RETURNING 1
     ),
     posted AS (
       INSERT INTO erasure_items (workspace_id, erasure_id, kind, id, state)
       SELECT DISTINCT $1, $2, 'pending_write', w.id, 'root'
         FROM pending_writes w
        CROSS JOIN LATERAL (VALUES ('agent', w.agent_id), ('subject', w.content ->> 'subject'),
                                   ('project', w.content ->> 'project'),
                                   ('source', w.content -> 'hints' ->> 'service')) AS v (kind, id)
         ${NAMED}
        WHERE w.created_at <= n.at
          AND NOT EXISTS (SELECT 1 FROM erasure_items k
                           WHERE k.workspace_id = $1 AND k.erasure_id = $2 AND k.kind = 'pending_write' AND k.id = w.id)
        LIMIT ${ADDED}
       ON CONFLICT DO NOTHING
       RETURNING 1
     )
     SELECT (SELECT count(*)::int FROM conversing) + (SELECT count(*)::int FROM posted) AS found`,
    [tx.workspace, erasureId],
  );
  return { found, next: found === 0 ? null : 'more' };
}
