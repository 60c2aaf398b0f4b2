import { writeAudit } from './audit';
import { noteWhatIsSaid } from './card-writes-erased-terms';
import { sayRecord } from './card-writes-recounted';
import { type CompetenceKey, forgetObservations, recountCompetence } from './competence';
import type { Tx } from './database';
import { addItems, nextItems, setItems, withoutHeld } from './erasure-items';
import { noteLabels } from './erasure-labels';
import { deleteWith } from './erasure-tables';
import { ERASER, type ErasureWalk, hashed, NOTHING_LEFT, type WalkBatch } from './erasure-walk';
import { bury } from './tombstones';

/** Events of one transaction, each with its capture, run and what was counted of it. */
const EVENTS = 200;

/**
 * Erases the next events with their captures, drafts, runs and what was counted of them; records of who does what how
 * well are counted again. A capture that is under way finds nothing to file.
 */
export async function eraseEvents(tx: Tx, walk: ErasureWalk): Promise<WalkBatch> {
  const { erasureId } = walk;
  const due = await nextItems(tx, erasureId, { kind: 'event', states: ['root'], limit: EVENTS });
  if (due.length === 0) return NOTHING_LEFT;
  const free = await withoutHeld(tx, erasureId, 'event', due);
  // Whoever files one of them holds its capture: it has committed by now, or comes after and finds none.
  await tx.query(
    `SELECT event_id FROM captures WHERE workspace_id = $1 AND event_id = ANY ($2) ORDER BY event_id FOR UPDATE`,
    [tx.workspace, free],
  );
  await noteWhatIsSaid(tx, erasureId, 'event', free);
  await noteLabels(tx, erasureId, 'event', free);
  await addFiled(tx, erasureId, free);
  const observed = await recount(tx, walk, free);
  const purged = await deleteWith(tx, 'event', free);
  if (observed > 0) purged['competence_observations'] = observed;
  await bury(tx, { erasureId, at: walk.at }, hashed(walk, 'event', free));
  await setItems(tx, erasureId, 'event', free, 'done');
  if (free.length > 0) {
    await writeAudit(tx, {
      at: walk.now,
      actor: ERASER,
      action: 'events.erased',
      target: { type: 'erasure', id: erasureId },
      hashes: { events: free.length },
      channel: 'workflow',
      workflowId: walk.workflowId,
    });
  }
  return { touched: due.length, purged, more: due.length === EVENTS };
}

/** Cards that were filed at the last moment: the next walk finds them by what stands here. */
async function addFiled(tx: Tx, erasureId: string, events: readonly string[]): Promise<void> {
  const rows = await tx.query<{ id: string }>(
    `SELECT card_id AS id FROM captures
      WHERE workspace_id = $1 AND event_id = ANY ($2) AND card_id IS NOT NULL`,
    [tx.workspace, events],
  );
  await addItems(
    tx,
    erasureId,
    rows.map(({ id }) => ({ kind: 'card', id, state: 'root' })),
  );
}

async function recount(tx: Tx, walk: ErasureWalk, events: readonly string[]): Promise<number> {
  const keys = await tx.query<CompetenceKey & { observed: number; goes: boolean }>(
    `SELECT o.agent_id AS agent, o.task_type, count(*)::int AS observed,
            EXISTS (SELECT 1 FROM erasure_items i
                     WHERE i.workspace_id = $1 AND i.erasure_id = $3 AND i.kind = 'agent' AND i.id = o.agent_id) AS goes
       FROM competence_observations o
      WHERE o.workspace_id = $1 AND o.event_id = ANY ($2)
      GROUP BY o.agent_id, o.task_type
      ORDER BY o.agent_id, o.task_type`,
    [tx.workspace, events, walk.erasureId],
  );
  for (const { goes, ...key } of keys) {
    const { before, after } = await recountCompetence(tx, key, walk.now, () =>
      forgetObservations(tx, key, events),
    );
    // Of an agent that is erased itself nothing is said any more.
    if (goes) continue;
    await sayRecord(tx, before, after, {
      at: walk.now,
      actor: ERASER,
      channel: 'workflow',
      reason: 'the same record, without work that was erased',
      with: { erasure: walk.erasureId },
      makesVectors: walk.makesVectors,
    });
  }
  return keys.reduce((sum, { observed }) => sum + observed, 0);
}
