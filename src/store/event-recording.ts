import type { SettledEvent } from '../contracts/event';
import type { Disposition, PrincipalKind } from '../contracts/names';
import type { Tx } from './database';
import { newId } from './ids';

/** An event that passed every check, with what is to become of it. */
export interface EventToRecord {
  event: SettledEvent;
  contentHash: Buffer;
  dedupeHash: Buffer;
  redactions: Record<string, number>;
  workflowId: string;
  disposition: Disposition;
  reason: string | null;
}

export interface Reporter {
  kind: PrincipalKind;
  id: string;
}

/** What is known of an event id that was recorded before. */
export interface RecordedEvent {
  event_id: string;
  content_hash: Buffer;
  operation_id: string;
  workflow_id: string;
  card_id: string | null;
  disposition: Disposition;
  /** A person stopped what it came from before it had its card. */
  was_stopped: boolean;
}

/**
 * Commits events with their capture, run and outbox rows, in one statement.
 * An id that is there already is left alone.
 * @param startAfterMs how long the outbox waits before it starts a capture: whoever reported may be first
 * @returns the operation of each id that was new.
 */
export async function recordEvents(
  tx: Tx,
  events: readonly EventToRecord[],
  reporter: Reporter,
  now: Date,
  startAfterMs = 0,
): Promise<Map<string, string>> {
  if (events.length === 0) return new Map();
  const rows = events.map((item) => rowOf(item, now));
  const recorded = await tx.query<{ event_id: string; operation_id: string }>(
    `WITH incoming AS (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS i (
         event_id text, agent_id text, kind text, outcome text, occurred_at timestamptz, payload jsonb,
         content_hash text, dedupe_hash text, redactions jsonb, operation_id text, workflow_id text,
         disposition text, reason text)
     ),
     new_events AS (
       INSERT INTO events (workspace_id, event_id, agent_id, reporter_kind, reporter_id, kind, outcome,
                           occurred_at, recorded_at, payload, content_hash, dedupe_hash, redactions)
       SELECT $1, event_id, agent_id, $3, $4, kind, outcome, occurred_at, $5, payload,
              decode(content_hash, 'hex'), decode(dedupe_hash, 'hex'), redactions
         FROM incoming
       ON CONFLICT DO NOTHING
       RETURNING event_id
     ),
     new_captures AS (
       INSERT INTO captures (workspace_id, event_id, operation_id, workflow_id, disposition, reason,
                             dedupe_hash, created_at, settled_at)
       SELECT $1, i.event_id, i.operation_id, i.workflow_id, i.disposition, i.reason,
              decode(i.dedupe_hash, 'hex'), $5, CASE WHEN i.disposition <> 'pending' THEN $5::timestamptz END
         FROM incoming i JOIN new_events USING (event_id)
       RETURNING event_id, operation_id
     ),
     new_runs AS (
       INSERT INTO runs (workspace_id, id, type, scope_type, scope_id, state, agent_id, workflow_id, created_at,
                         started_at, finished_at, result)
       SELECT $1, i.operation_id, 'capture', 'agent', i.agent_id,
              CASE WHEN i.disposition = 'pending' THEN 'pending' ELSE 'completed' END, i.agent_id, i.workflow_id, $5,
              CASE WHEN i.disposition <> 'pending' THEN $5::timestamptz END,
              CASE WHEN i.disposition <> 'pending' THEN $5::timestamptz END,
              CASE WHEN i.disposition = 'pending' THEN '{}'::jsonb
                   ELSE jsonb_build_object('event_id', i.event_id, 'disposition', i.disposition,
                                           'reason', i.reason) END
         FROM incoming i JOIN new_events USING (event_id)
     ),
     new_starts AS (
       INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
       SELECT $1, 'start_capture', i.workflow_id,
              jsonb_build_object('workspace', $1::text, 'event_id', i.event_id, 'operation_id', i.operation_id),
              $6, $5
         FROM incoming i JOIN new_events USING (event_id)
     )
     SELECT event_id, operation_id FROM new_captures`,
    [
      tx.workspace,
      JSON.stringify(rows),
      reporter.kind,
      reporter.id,
      now,
      new Date(now.getTime() + startAfterMs),
    ],
  );
  return new Map(recorded.map((row) => [row.event_id, row.operation_id]));
}

export async function findRecorded(
  tx: Tx,
  eventIds: readonly string[],
): Promise<Map<string, RecordedEvent>> {
  const rows = await tx.query<RecordedEvent>(
    `SELECT e.event_id, e.content_hash, c.operation_id, c.workflow_id, c.card_id, c.disposition,
            c.disposition = 'quarantined' AND c.reason = 'stopped' AND c.card_id IS NULL AS was_stopped
       FROM events e
       JOIN captures c ON c.workspace_id = e.workspace_id AND c.event_id = e.event_id
      WHERE e.workspace_id = $1 AND e.event_id = ANY ($2)`,
    [tx.workspace, eventIds],
  );
  return new Map(rows.map((row) => [row.event_id, row]));
}

/** A capture takes seconds: one that has waited this long may have lost its workflow. */
const STUCK_MS = 60_000;

/**
 * Sends the start of these captures once more where they are still pending and nothing is about to be
 * sent: an operator terminated the workflow, or Temporal lost it. One that still runs is left as it is.
 */
export async function restartStuck(tx: Tx, eventIds: readonly string[], now: Date): Promise<void> {
  if (eventIds.length === 0) return;
  await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     SELECT $1, 'restart_capture', c.workflow_id,
            jsonb_build_object('workspace', $1::text, 'event_id', c.event_id, 'operation_id', c.operation_id),
            $3, $3
       FROM captures c
      WHERE c.workspace_id = $1 AND c.event_id = ANY ($2) AND c.disposition = 'pending' AND c.created_at < $4
        AND NOT EXISTS (SELECT 1 FROM outbox o
                         WHERE o.workspace_id = $1 AND o.workflow_id = c.workflow_id)`,
    [tx.workspace, eventIds, now, new Date(now.getTime() - STUCK_MS)],
  );
}

/**
 * An event whose capture failed and that is reported once more gets another try: what made it fail may
 * have been mended. So does one that was held back by a stop which a person has lifted. One whose payload
 * is gone stays as it is.
 * @returns the events that are pending again.
 */
export async function reopenFailed(
  tx: Tx,
  eventIds: readonly string[],
  now: Date,
): Promise<string[]> {
  if (eventIds.length === 0) return [];
  const reopened = await tx.query<{ event_id: string }>(
    `WITH reopened AS (
       UPDATE captures c
          SET disposition = 'pending', reason = NULL, settled_at = NULL, created_at = $3
         FROM events e
        WHERE c.workspace_id = $1 AND c.event_id = ANY ($2)
          AND (c.disposition = 'failed'
            OR c.disposition = 'quarantined' AND c.reason = 'stopped' AND c.card_id IS NULL)
          AND e.workspace_id = $1 AND e.event_id = c.event_id AND e.payload IS NOT NULL
       RETURNING c.event_id, c.workflow_id, c.operation_id
     ),
     runs_again AS (
       UPDATE runs r
          SET state = 'pending', error = NULL, result = '{}', started_at = NULL, finished_at = NULL
         FROM reopened o
        WHERE r.workspace_id = $1 AND r.id = o.operation_id
     ),
     starts AS (
       INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
       SELECT $1, 'restart_capture', o.workflow_id,
              jsonb_build_object('workspace', $1::text, 'event_id', o.event_id, 'operation_id', o.operation_id),
              $3, $3
         FROM reopened o
     )
     SELECT event_id FROM reopened`,
    [tx.workspace, eventIds, now],
  );
  return reopened.map(({ event_id }) => event_id);
}

/** What is not to be remembered leaves its id, its agent and its hash (design §5). */
function rowOf(item: EventToRecord, now: Date): Record<string, unknown> {
  const kept = item.disposition === 'pending';
  return {
    event_id: item.event.event_id,
    agent_id: item.event.agent,
    kind: kept ? item.event.kind : null,
    outcome: kept ? item.event.outcome : null,
    occurred_at: kept ? item.event.occurred_at : null,
    payload: kept ? item.event : null,
    content_hash: item.contentHash.toString('hex'),
    dedupe_hash: kept ? item.dedupeHash.toString('hex') : null,
    redactions: kept ? item.redactions : {},
    operation_id: newId('op', now),
    workflow_id: item.workflowId,
    disposition: item.disposition,
    reason: item.reason,
  };
}
