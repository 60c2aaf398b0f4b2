import { compactWorkflowId } from '../contracts/workflow-ids';
import { noteWhatIsSaid } from './card-writes-erased-terms';
import type { Tx } from './database';
import { nextItems, setItems, withoutHeld } from './erasure-items';
import { deleteWith } from './erasure-tables';
import { type ErasureWalk, hashed, NOTHING_LEFT, type WalkBatch } from './erasure-walk';
import { idPart } from './ids';
import { bury } from './tombstones';

/** Each may have thousands of messages. */
const CONVERSATIONS = 5;
const POSTED = 100;

/** Erases the next conversations whole, with what their compactions recorded. */
export async function eraseConversations(tx: Tx, walk: ErasureWalk): Promise<WalkBatch> {
  const { erasureId } = walk;
  const due = await nextItems(tx, erasureId, {
    kind: 'conversation',
    states: ['root'],
    limit: CONVERSATIONS,
  });
  if (due.length === 0) return NOTHING_LEFT;
  const free = await withoutHeld(tx, erasureId, 'conversation', due);
  // Whoever adds messages, or files facts, holds it.
  const held = await tx.query<{ id: string; compactions: number }>(
    `SELECT id, compactions FROM conversations WHERE workspace_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE`,
    [tx.workspace, free],
  );
  await noteWhatIsSaid(tx, erasureId, 'conversation', free);
  const purged = await deleteWith(tx, 'conversation', free);
  const compactions = held.flatMap(({ id, compactions: most }) =>
    Array.from({ length: most }, (_, n) => compactWorkflowId(tx.workspace, idPart(id), n + 1)),
  );
  const runs = await tx.query(
    `DELETE FROM runs WHERE workspace_id = $1 AND type = 'compaction' AND workflow_id = ANY ($2) RETURNING id`,
    [tx.workspace, compactions],
  );
  purged['runs'] = (purged['runs'] ?? 0) + runs.length;
  await bury(tx, { erasureId, at: walk.at }, hashed(walk, 'conversation', free));
  await setItems(tx, erasureId, 'conversation', free, 'done');
  return { touched: due.length, purged, more: due.length === CONVERSATIONS };
}

/** Erases what restricted agents posted and waits, or was decided. */
export async function erasePendingWrites(tx: Tx, walk: ErasureWalk): Promise<WalkBatch> {
  const { erasureId } = walk;
  const due = await nextItems(tx, erasureId, {
    kind: 'pending_write',
    states: ['root'],
    limit: POSTED,
  });
  if (due.length === 0) return NOTHING_LEFT;
  const free = await withoutHeld(tx, erasureId, 'pending_write', due);
  await noteWhatIsSaid(tx, erasureId, 'pending_write', free);
  const rows = await tx.query<{ reason_id: string | null }>(
    `SELECT reason_id FROM pending_writes WHERE workspace_id = $1 AND id = ANY ($2) FOR UPDATE`,
    [tx.workspace, free],
  );
  await tx.query('DELETE FROM reasons WHERE workspace_id = $1 AND id = ANY ($2)', [
    tx.workspace,
    rows.flatMap(({ reason_id }) => reason_id ?? []),
  ]);
  const purged = await deleteWith(tx, 'pending_write', free);
  await setItems(tx, erasureId, 'pending_write', free, 'done');
  return { touched: due.length, purged, more: due.length === POSTED };
}
