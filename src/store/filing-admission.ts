import type { CardDraft } from '../contracts/card';
import type { SettledEvent } from '../contracts/event';
import type { CaptureResult } from '../contracts/messages';
import type { Disposition, MemoryMode, PrincipalKind } from '../contracts/names';
import type { Policy } from '../contracts/policy';
import { admissionOf } from '../domain/admission';
import type { OwnWarning } from '../domain/distill/distill';
import { mergePolicy } from '../domain/policy';
import { stepOf } from '../domain/strike-step';
import type { Settlement } from './captures';
import type { Tx } from './database';
import { SUBJECTS_OFF } from './subjects';

/** Everything a capture decides by, read at one moment. */
export interface FoundCapture {
  disposition: Disposition;
  reason: string | null;
  operationId: string;
  cardId: string | null;
  /** Null once its retention is over. */
  event: SettledEvent | null;
  reporter: { kind: PrincipalKind; id: string };
  team: string | null;
  modes: { workspace: MemoryMode; agent: MemoryMode; subject: 'on' | 'off' };
  /** A person stopped its agent, who reported it, or its service. */
  stopped: boolean;
  policy: Policy;
  /** Another event of the same content has its card already. */
  hasTwin: boolean;
  /** The writer's own earlier warnings about the same step, the latest first. */
  ownWarnings: OwnWarning[];
  /** What a model left to be filed. */
  draft: CardDraft | null;
  /** The record of a capture that is settled. */
  record: CaptureResult | null;
}

interface Row {
  disposition: Disposition;
  reason: string | null;
  operation_id: string;
  card_id: string | null;
  payload: SettledEvent | null;
  reporter_kind: PrincipalKind;
  reporter_id: string;
  team_id: string | null;
  workspace_mode: MemoryMode;
  agent_mode: MemoryMode;
  subject_mode: 'on' | 'off';
  stopped: boolean;
  policy: Partial<Policy> | null;
  has_twin: boolean;
  own_warnings: OwnWarning[] | null;
  draft: CardDraft | null;
  record: CaptureResult | null;
}

/** One statement: a capture asks once for all it has to know. @returns null where the event is gone. */
export async function readCapture(tx: Tx, eventId: string): Promise<FoundCapture | null> {
  const [row] = await tx.query<Row>(
    `SELECT c.disposition, c.reason, c.operation_id, c.card_id, e.payload, e.reporter_kind, e.reporter_id,
            a.team_id,
            w.memory_mode AS workspace_mode,
            COALESCE(a.memory_mode, 'automatic') AS agent_mode,
            COALESCE(s.memory, 'on') AS subject_mode,
            is_stopped($1, e.agent_id, e.reporter_kind, e.reporter_id, e.payload ->> 'service') AS stopped,
            (SELECT p.document
               FROM policies p
              WHERE p.workspace_id = $1
              ORDER BY p.version DESC LIMIT 1) AS policy,
            EXISTS (SELECT 1
                      FROM captures t
                     WHERE t.workspace_id = $1 AND t.dedupe_hash = c.dedupe_hash
                       AND t.card_id IS NOT NULL AND t.event_id <> c.event_id) AS has_twin,
            (SELECT jsonb_agg(to_jsonb(own) ORDER BY own.occurred_at DESC, own.card_id)
               FROM (SELECT k.id AS card_id, k.summary, k.input_fields, k.error_signature, k.service, k.operation,
                            k.valid_from AS occurred_at
                       FROM cards k
                      WHERE e.outcome = 'worked'
                        AND k.workspace_id = $1
                        AND k.scope_type = 'agent' AND k.scope_id = e.agent_id
                        AND k.kind = 'constraint' AND k.sign = 'failed'
                        AND k.status IN ('pending', 'active', 'validated')
                        AND (k.subject IN (${SUBJECTS_OFF})) IS NOT TRUE
                        AND k.service IS NOT DISTINCT FROM e.payload ->> 'service'
                        AND k.operation IS NOT DISTINCT FROM e.payload ->> 'operation'
                        AND k.valid_from < e.occurred_at
                      ORDER BY k.valid_from DESC, k.id
                      LIMIT 10) own) AS own_warnings,
            d.draft,
            r.result AS record
       FROM captures c
       JOIN events e ON e.workspace_id = $1 AND e.event_id = c.event_id
       JOIN workspaces w ON w.workspace_id = $1
       LEFT JOIN agents a ON a.workspace_id = $1 AND a.id = e.agent_id
       LEFT JOIN subjects s ON s.workspace_id = $1 AND s.id = e.payload ->> 'subject'
       LEFT JOIN capture_drafts d ON d.workspace_id = $1 AND d.event_id = c.event_id
       LEFT JOIN runs r ON r.workspace_id = $1 AND r.id = c.operation_id
             AND c.disposition IN ('carded', 'quarantined') AND c.card_id IS NOT NULL
      WHERE c.workspace_id = $1 AND c.event_id = $2`,
    [tx.workspace, eventId],
  );
  return row === undefined ? null : foundOf(row);
}

function foundOf(row: Row): FoundCapture {
  const event = row.payload;
  return {
    disposition: row.disposition,
    reason: row.reason,
    operationId: row.operation_id,
    cardId: row.card_id,
    event,
    reporter: { kind: row.reporter_kind, id: row.reporter_id },
    team: row.team_id,
    modes: { workspace: row.workspace_mode, agent: row.agent_mode, subject: row.subject_mode },
    stopped: row.stopped,
    policy: mergePolicy(row.policy ?? {}),
    hasTwin: row.has_twin,
    ownWarnings: event === null || stepOf(event) === null ? [] : (row.own_warnings ?? []),
    draft: row.draft,
    record: row.record,
  };
}

/** Why a pending event gets no card. */
export type Refusal = Pick<Settlement, 'disposition' | 'reason'>;

/**
 * Decides again what the edge decided, on the modes, the policy and the stops of this moment: the stricter
 * wins. What is stopped is held back, with its payload for a person to look at.
 * @returns null where the pending event goes on to its card.
 */
export function refusalOf(found: FoundCapture): Refusal | null {
  if (found.event === null) return { disposition: 'erased', reason: 'payload_missing' };
  if (found.hasTwin) return { disposition: 'duplicate_content', reason: 'same_content' };
  const { disposition, reason } = admissionOf(found.event, found.modes, found.policy);
  if (disposition !== 'pending') return { disposition, reason };
  return found.stopped ? { disposition: 'quarantined', reason: 'stopped' } : null;
}

/** The capture goes on to a model: its run is seen to run. */
export async function markRunning(
  tx: Tx,
  operationId: string,
  runId: string | null,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE runs
        SET state = 'running', run_id = $3, started_at = COALESCE(started_at, $4)
      WHERE workspace_id = $1 AND id = $2 AND state IN ('pending', 'running')`,
    [tx.workspace, operationId, runId, now],
  );
}

/** What was settled at the edge is recorded by a workflow all the same; this says by which. */
export async function nameRun(tx: Tx, operationId: string, runId: string | null): Promise<void> {
  await tx.query(
    'UPDATE runs SET run_id = $3 WHERE workspace_id = $1 AND id = $2 AND run_id IS NULL',
    [tx.workspace, operationId, runId],
  );
}
