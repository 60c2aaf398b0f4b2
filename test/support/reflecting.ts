import type { WorkflowHandle } from '@temporalio/client';
import type { SettledEvent } from '../../src/contracts/event';
import type { PassResult } from '../../src/contracts/passes';
import type { PolicyPatch } from '../../src/contracts/policy';
import { TASK_QUEUES } from '../../src/contracts/task-queues';
import { createHashedEmbedder } from '../../src/models/hashed-embedder';
import type { FanOutRun, fanOut } from '../../src/workflows/fan-out';
import type { CaptureLane, LaneModels } from './capture-lane';
import { failedCall } from './distilling';

let passes = 0;

/** Starts a reflection as the Schedule, the sweep or the API would; its workers have to run. */
export async function startReflection(
  lane: CaptureLane,
  workspace: string,
  more: Partial<FanOutRun> = {},
): Promise<WorkflowHandle<typeof fanOut>> {
  passes += 1;
  return await lane.env.client.workflow.start<typeof fanOut>('fanOut', {
    workflowId: `night/${workspace}/reflection-${passes}`,
    taskQueue: TASK_QUEUES.workflows,
    args: [{ workspace, type: 'reflection', ...more }],
  });
}

/** A reflection of the whole workspace, or of one scope, from its start to its record. */
export async function reflected(
  lane: CaptureLane,
  workspace: string,
  more: Partial<FanOutRun> = {},
  models: Partial<LaneModels> = {},
): Promise<PassResult> {
  return await lane.working(
    { embedder: createHashedEmbedder(), distiller: null, ...models },
    async () => (await startReflection(lane, workspace, more)).result(),
  );
}

/**
 * Payments of `booking.book`, an hour apart: each paid too little, failed, and worked once the whole price was paid.
 */
export function payments(
  agent: string,
  prices: readonly number[],
  more: Partial<SettledEvent> = {},
): SettledEvent[] {
  return prices.flatMap((price, at): SettledEvent[] => {
    const hour = String(8 + at).padStart(2, '0');
    const call = (paid: number, minute: string, name: string) =>
      failedCall({
        event_id: `${agent}-${price}-${name}`,
        agent,
        service: 'booking',
        operation: 'book',
        input: { room: `room ${price}`, payment_amount: paid },
        occurred_at: `2026-03-02T${hour}:${minute}:00Z`,
        ...more,
      });
    const failed = call(price / 2, '10', 'short');
    const { error: _error, ...worked } = call(price, '20', 'whole');
    return [
      { ...failed, error: `the payment amount does not add up, total price is ${price}` },
      { ...worked, outcome: 'worked', output: { booked: true } },
    ];
  });
}

export interface FoundCard {
  id: string;
  kind: string;
  status: string;
  version: number;
  summary: string;
  confidence: number;
  scope_type: string;
  scope_id: string;
  subject: string | null;
  visibility: string;
  distilled_by: string;
  writer_id: string;
}

/** Cards that reflections wrote, oldest first. */
export async function factsIn(lane: CaptureLane, workspace: string): Promise<FoundCard[]> {
  return await lane.rows<FoundCard>(
    workspace,
    `SELECT * FROM cards WHERE writer_id = 'reflection' ORDER BY recorded_at, id`,
  );
}

export interface KeptReflection {
  id: string;
  type: string;
  decision: string;
  reason: string;
  rule: number | null;
  sources: string[];
  evidence: number;
  card_id: string | null;
  edge_id: string | null;
  proposal_id: string | null;
  decided_at: string | null;
  text: string | null;
}

export async function reflectionsIn(
  lane: CaptureLane,
  workspace: string,
): Promise<KeptReflection[]> {
  return await lane.rows<KeptReflection>(
    workspace,
    `SELECT r.*, r.draft ->> 'text' AS text FROM reflections r ORDER BY r.created_at, r.id`,
  );
}

/** Actions of the audit that begin so, with what changed. */
export async function auditOf(
  lane: CaptureLane,
  workspace: string,
  prefix: string,
): Promise<string[]> {
  const rows = await lane.rows<{ action: string; changed: string[] }>(
    workspace,
    `SELECT action, changed FROM audit_log WHERE action LIKE $1 || '%' ORDER BY seq`,
    [prefix],
  );
  return rows.map(({ action, changed }) => [action, ...changed].join(' '));
}

export async function setPolicy(
  lane: CaptureLane,
  workspace: string,
  policy: PolicyPatch,
): Promise<void> {
  await lane.rows(
    workspace,
    `INSERT INTO policies (workspace_id, version, document, created_at)
     SELECT $1, COALESCE(max(version), 0) + 1, $2, now() FROM policies WHERE workspace_id = $1`,
    [workspace, JSON.stringify(policy)],
  );
}
