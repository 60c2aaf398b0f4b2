import type { StoryEvent, StoryInjection, StoryReader } from '../contracts/story';
import type { Tx } from './database';

/** The event that a card was made of, with the operation that made it; null where it was made of none. */
export async function readOrigin(
  tx: Tx,
  eventId: string | null,
): Promise<{ event: StoryEvent; operationId: string } | null> {
  if (eventId === null) return null;
  const [row] = await tx.query<StoryEvent & { operation_id: string }>(
    `SELECT e.event_id, e.kind, e.outcome, e.agent_id AS agent, e.occurred_at, e.recorded_at, c.operation_id,
            jsonb_build_object('kind', e.reporter_kind, 'id', e.reporter_id) AS reported_by
       FROM events e
       JOIN captures c ON c.workspace_id = e.workspace_id AND c.event_id = e.event_id
      WHERE e.workspace_id = $1 AND e.event_id = $2`,
    [tx.workspace, eventId],
  );
  if (row === undefined) return null;
  const { operation_id, ...event } = row;
  return { event, operationId: operation_id };
}

export interface Exposure {
  reads: number;
  first_at: string | null;
  last_at: string | null;
  by: StoryReader[];
}

const READS = `
  FROM access_log l
 WHERE l.workspace_id = $1 AND l.card_ids @> ARRAY[$2::text]`;

/** Who saw a card that was not theirs, from the access log; whoever saw it last first. */
export async function readExposure(tx: Tx, cardId: string, limit: number): Promise<Exposure> {
  const whole = await tx.one<Omit<Exposure, 'by'>>(
    `SELECT count(*) AS reads, min(l.at) AS first_at, max(l.at) AS last_at ${READS}`,
    [tx.workspace, cardId],
  );
  const by = await tx.query<StoryReader>(
    `SELECT COALESCE(agent.name, r.agent) AS agent, COALESCE(person.name, r.person) AS person, r.via, r.reads,
            r.first_at, r.last_at
       FROM (SELECT l.agent, l.person, l.via, count(*) AS reads, min(l.at) AS first_at, max(l.at) AS last_at
             ${READS}
              GROUP BY l.agent, l.person, l.via
              ORDER BY max(l.at) DESC, l.agent, l.person, l.via
              LIMIT $3) r
       LEFT JOIN surrogates agent  ON agent.workspace_id = $1 AND agent.id = r.agent
       LEFT JOIN surrogates person ON person.workspace_id = $1 AND person.id = r.person
      ORDER BY r.last_at DESC, r.agent, r.person, r.via`,
    [tx.workspace, cardId, limit],
  );
  return { ...whole, by };
}

export interface Injections {
  recalls: number;
  /** Distinct ones that were named. */
  sessions: number;
  first_at: string | null;
  last_at: string | null;
  latest: StoryInjection[];
}

const INJECTED = `
  FROM recall_cards rc
  JOIN recalls r ON r.workspace_id = rc.workspace_id AND r.id = rc.recall_id
 WHERE rc.workspace_id = $1 AND rc.card_id = $2`;

/** The recalls that put a card into a context, own ones too; the latest first. */
export async function readInjections(tx: Tx, cardId: string, limit: number): Promise<Injections> {
  const whole = await tx.one<Omit<Injections, 'latest'>>(
    `SELECT count(*) AS recalls, count(DISTINCT r.session) AS sessions, min(r.at) AS first_at,
            max(r.at) AS last_at ${INJECTED}`,
    [tx.workspace, cardId],
  );
  const latest = await tx.query<StoryInjection>(
    `SELECT r.id AS recall_id, r.at, r.agent_id AS agent, r.person_id AS person, r.session, r.intent, rc.section,
            rc.position, rc.score, rc.via, rc.proven_at
     ${INJECTED}
      ORDER BY r.at DESC, r.id
      LIMIT $3`,
    [tx.workspace, cardId, limit],
  );
  return { ...whole, latest };
}
