import type { Tx } from './database';

/** What an event that is there was by, about and of: all that an erasure finds it by. Times are RFC 3339. */
export interface ParentEvent {
  event_id: string;
  subject: string | null;
  agent: string;
  delegate: string | null;
  service: string | null;
  project: string | null;
  /** Who reported it. */
  reporter_kind: string;
  reporter_id: string;
  card_id: string | null;
  occurred_at: string;
  recorded_at: string;
}

/** Of these the events that may be about to be erased: none where nothing ever was, and none that a legal hold keeps. */
export async function readParents(tx: Tx, ids: readonly string[]): Promise<ParentEvent[]> {
  if (ids.length === 0) return [];
  return await tx.query<ParentEvent>(
    `SELECT e.event_id, e.payload ->> 'subject' AS subject, e.agent_id AS agent,
            e.payload -> 'delegate' ->> 'agent' AS delegate, e.payload ->> 'service' AS service,
            e.payload ->> 'project' AS project, e.reporter_kind, e.reporter_id, c.card_id, e.occurred_at, e.recorded_at
       FROM events e
       LEFT JOIN captures c ON c.workspace_id = $1 AND c.event_id = e.event_id
      WHERE e.workspace_id = $1 AND e.event_id = ANY ($2)
        AND EXISTS (SELECT 1 FROM tombstones t WHERE t.workspace_id = $1)
        AND NOT is_held($1, 'event', e.event_id)`,
    [tx.workspace, ids],
  );
}
