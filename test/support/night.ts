import type { WorkflowHandle } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createConsolidationActivities } from '../../src/activities/consolidation';
import type { CardScope } from '../../src/contracts/card';
import type { PartOutcome } from '../../src/contracts/consolidation';
import type { SettledEvent } from '../../src/contracts/event';
import type { PassRequest, PassResult, RunChange, UnitInput } from '../../src/contracts/passes';
import { TASK_QUEUES } from '../../src/contracts/task-queues';
import { createNoEmbedder } from '../../src/models/no-embedder';
import type { Database } from '../../src/store/database';
import { newId } from '../../src/store/ids';
import { beginPassRun, openUnit } from '../../src/store/pass-runs';
import type { FanOutRun, fanOut } from '../../src/workflows/fan-out';
import type { CaptureLane } from './capture-lane';
import { failedCall } from './distilling';

const DAY_MS = 86_400_000;

/** The night after now: what was recorded today is what it sums up. */
export function tomorrow(days = 1): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

let passes = 0;

/** Starts a consolidation as the Schedule or the API would. */
export async function startNight(
  lane: CaptureLane,
  workspace: string,
  more: Partial<FanOutRun> = {},
): Promise<WorkflowHandle<typeof fanOut>> {
  passes += 1;
  return await lane.env.client.workflow.start<typeof fanOut>('fanOut', {
    workflowId: `night/${workspace}/consolidation-${passes}`,
    taskQueue: TASK_QUEUES.workflows,
    args: [{ workspace, type: 'consolidation', at: tomorrow(), ...more } satisfies PassRequest],
  });
}

export async function night(
  lane: CaptureLane,
  workspace: string,
  more: Partial<FanOutRun> = {},
): Promise<PassResult> {
  return await (await startNight(lane, workspace, more)).result();
}

/** Files events as cards without Temporal; ids of the cards, in their order. */
export async function filed(
  lane: CaptureLane,
  workspace: string,
  events: readonly SettledEvent[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const input of await lane.record(workspace, events)) {
    const { card_id: id } = await lane.fileAgain(input);
    if (id === null) throw new Error(`no card of ${input.event_id}`);
    ids.push(id);
  }
  return ids;
}

/** Calls of `mailer.send_batch`, one a minute: those above a hundred recipients fail, the others work. */
export function batches(agent: string, sizes: readonly number[], more: Partial<SettledEvent> = {}) {
  return sizes.map((size, at): SettledEvent => {
    const { error: _error, ...call } = failedCall({
      event_id: `${agent}-${size}-${at}`,
      agent,
      service: 'mailer',
      operation: 'send_batch',
      input: { template: 'welcome', batch_size: size },
      occurred_at: `2026-03-02T08:${String(10 + at)}:00Z`,
      ...more,
    });
    if (size > 100) return { ...call, error: 'the limit is 100 per batch' };
    return { ...call, outcome: 'worked', output: { sent: size } };
  });
}

export interface StandingCard {
  id: string;
  kind: string;
  status: string;
  version: number;
  summary: string;
  sign: string;
  superseded_by: string | null;
  operation: string | null;
  scope_id: string;
  distilled_by: string;
  expires_at: string | null;
}

export async function cardsOf(lane: CaptureLane, workspace: string): Promise<StandingCard[]> {
  return await lane.rows<StandingCard>(workspace, 'SELECT * FROM cards ORDER BY recorded_at, id');
}

export async function notesOf(lane: CaptureLane, workspace: string): Promise<StandingCard[]> {
  return (await cardsOf(lane, workspace)).filter(({ kind }) => kind === 'insight');
}

/** Sources of a card by its lineage. */
export async function sourcesOf(
  lane: CaptureLane,
  workspace: string,
  card: string,
): Promise<string[]> {
  const rows = await lane.rows<{ to_card: string }>(
    workspace,
    "SELECT to_card FROM edges WHERE from_card = $1 AND type = 'derived_from' ORDER BY to_card",
    [card],
  );
  return rows.map(({ to_card }) => to_card);
}

/** The diff of all units of all passes of a workspace, in their order. */
export async function changesOf(lane: CaptureLane, workspace: string): Promise<RunChange[]> {
  return await lane.rows<RunChange>(
    workspace,
    `SELECT c.change, c.card_id, c.version_before, c.version_after, c.related, c.reason
       FROM run_changes c JOIN runs r ON r.workspace_id = c.workspace_id AND r.id = c.run_id
      ORDER BY r.created_at, r.id, c.n`,
  );
}

/** That nothing is half done: who retired has a note or a card in its place, and what it was made from. */
export async function expectNoHalfState(lane: CaptureLane, workspace: string): Promise<void> {
  const halves = await lane.rows(
    workspace,
    `SELECT c.id FROM cards c
      WHERE c.status = 'superseded'
        AND NOT EXISTS (SELECT 1 FROM cards n JOIN edges e ON e.from_card = n.id AND e.to_card = c.id
                                                          AND e.type = 'derived_from'
                         WHERE n.id = c.superseded_by)`,
  );
  expect(halves).toEqual([]);
  const orphans = await lane.rows(
    workspace,
    `SELECT n.id FROM cards n
      WHERE n.kind = 'insight'
        AND 3 > (SELECT count(*) FROM edges e WHERE e.from_card = n.id AND e.type = 'derived_from')`,
  );
  expect(orphans).toEqual([]);
}

/** The row of one unit, as a pass opens it; its day is tomorrow. */
export async function openUnitOf(
  database: Database,
  workspace: string,
  scope: CardScope,
  now: Date,
): Promise<UnitInput> {
  const day = new Date(now.getTime() + DAY_MS).toISOString().slice(0, 10);
  const shape = { type: 'consolidation', day, dryRun: false, budget: null, versions: {} } as const;
  const parentId = newId('op', now);
  const { operation_id } = await database.inWorkspace(workspace, async (tx) => {
    const workflow = { workflowId: `night/${parentId}`, runId: parentId };
    await beginPassRun(tx, { ...shape, ...workflow, operationId: parentId, scope }, now);
    return await openUnit(tx, { ...shape, parentId, scope }, now);
  });
  const input = { workspace, operation_id, parent_id: parentId, scope, day };
  return { ...input, dry_run: false, budget: null };
}

/** The steps of one scope's consolidation, one after the other and without Temporal. */
export async function consolidateByHand(
  database: Database,
  workspace: string,
  scope: CardScope,
  now: Date,
): Promise<PartOutcome[]> {
  const steps = createConsolidationActivities({
    database,
    clock: () => now,
    embedder: createNoEmbedder(),
    hasModel: false,
  });
  const unit = await openUnitOf(database, workspace, scope, now);
  const outcomes: PartOutcome[] = [];
  const run = async <T>(step: () => Promise<T>) =>
    (await new MockActivityEnvironment().run(step)) as T;
  let after = '';
  for (;;) {
    const batch = await run(() => steps.planScope({ unit, after }));
    for (const { part, kind } of batch.parts) {
      if (kind === 'note') await run(() => steps.draftByRules({ unit, part }));
      outcomes.push(await run(() => steps.commitPart({ unit, part })));
    }
    if (batch.next === null) return outcomes;
    after = batch.next;
  }
}
