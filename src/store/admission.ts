import type { SettledEvent } from '../contracts/event';
import type { Admission } from '../contracts/messages';
import type { Disposition, DistilledBy, MemoryMode } from '../contracts/names';
import { admissionOf } from '../domain/admission';
import { type Settlement, settleCapture } from './captures';
import type { Tx } from './database';
import { readSettings } from './settings';

export interface AdmissionRequest {
  eventId: string;
  /** Who would write the card. */
  distiller: DistilledBy;
  runId: string | null;
  now: Date;
}

interface EventToAdmit {
  disposition: Disposition;
  reason: string | null;
  card_id: string | null;
  payload: SettledEvent | null;
  memory_mode: MemoryMode;
  subject_memory: 'on' | 'off';
  twin: string | null;
}

/**
 * Decides again what the edge decided, on the modes and the policy of this moment: the stricter wins.
 * An event that was settled before, by another try of the same capture, keeps its disposition.
 */
export async function admitEvent(tx: Tx, request: AdmissionRequest): Promise<Admission> {
  const { distiller } = request;
  const found = await readEvent(tx, request.eventId, request.runId, request.now);
  if (found === null)
    return { decision: 'erased', reason: 'event_missing', card_id: null, distiller };
  if (found.disposition !== 'pending') {
    return { decision: found.disposition, reason: found.reason, card_id: found.card_id, distiller };
  }
  const refuse = async (decision: Settlement['disposition'], reason: string | null) => {
    await settleCapture(tx, {
      eventId: request.eventId,
      disposition: decision,
      reason,
      now: request.now,
    });
    return { decision, reason, card_id: null, distiller };
  };
  if (found.payload === null) return refuse('erased', 'payload_missing');
  if (found.twin !== null) return refuse('duplicate_content', 'same_content');
  const settings = await readSettings(tx);
  if (settings === null) return refuse('erased', 'workspace_missing');
  const decision = admissionOf(
    found.payload,
    { workspace: settings.memoryMode, agent: found.memory_mode, subject: found.subject_memory },
    settings.policy,
  );
  return decision.disposition === 'pending'
    ? { decision: 'admit', reason: null, card_id: null, distiller }
    : refuse(decision.disposition, decision.reason);
}

/** Also marks the run as running: one round trip for both. */
async function readEvent(
  tx: Tx,
  eventId: string,
  runId: string | null,
  now: Date,
): Promise<EventToAdmit | null> {
  const [row] = await tx.query<EventToAdmit>(
    `WITH started AS (
       UPDATE runs r
          SET state = 'running', run_id = $3, started_at = COALESCE(started_at, $4)
         FROM captures c
        WHERE c.workspace_id = $1 AND c.event_id = $2 AND c.disposition = 'pending'
          AND r.workspace_id = $1 AND r.id = c.operation_id
     ),
     named AS (
       UPDATE runs r
          SET run_id = $3
         FROM captures c
        WHERE c.workspace_id = $1 AND c.event_id = $2 AND c.disposition <> 'pending'
          AND r.workspace_id = $1 AND r.id = c.operation_id AND r.run_id IS NULL
     )
     SELECT c.disposition, c.reason, c.card_id, e.payload,
            COALESCE(a.memory_mode, 'automatic') AS memory_mode,
            COALESCE(s.memory, 'on') AS subject_memory,
            (SELECT t.event_id
               FROM captures t
              WHERE t.workspace_id = $1 AND t.dedupe_hash = c.dedupe_hash
                AND t.disposition = 'carded' AND t.event_id <> c.event_id
              LIMIT 1) AS twin
       FROM captures c
       JOIN events e ON e.workspace_id = c.workspace_id AND e.event_id = c.event_id
       LEFT JOIN agents a ON a.workspace_id = e.workspace_id AND a.id = e.agent_id
       LEFT JOIN subjects s ON s.workspace_id = e.workspace_id AND s.id = e.payload ->> 'subject'
      WHERE c.workspace_id = $1 AND c.event_id = $2`,
    [tx.workspace, eventId, runId, now],
  );
  return row ?? null;
}
