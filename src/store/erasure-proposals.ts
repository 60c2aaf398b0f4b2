import { emptyProposals } from './card-writes-quoted';
import { lapseProposal } from './card-writes-unfounded';
import type { Tx } from './database';
import { saidAgain } from './erasure-fixes';
import { nextItems, setItems, withoutHeld } from './erasure-items';
import { deleteWith } from './erasure-tables';
import { noteTerms } from './erasure-terms';
import { ERASER, type ErasureWalk, NOTHING_LEFT, type WalkBatch } from './erasure-walk';
import { holdProposal, isDecidable } from './proposal-row';

const PROPOSALS = 50;

/**
 * Takes the words out of the next proposals that rest on what goes or is written again. What waits for a decision, or
 * for a runtime to apply it, lapses: it was found in what is not there any more. A fix that enough other failures bear
 * out is said again from those, and stays as it was decided. The record of what was decided stays.
 */
export async function eraseProposals(tx: Tx, walk: ErasureWalk): Promise<WalkBatch> {
  const { erasureId } = walk;
  const due = await nextItems(tx, erasureId, {
    kind: 'proposal',
    states: ['root'],
    limit: PROPOSALS,
  });
  if (due.length === 0) return NOTHING_LEFT;
  const free = await withoutHeld(tx, erasureId, 'proposal', await resting(tx, erasureId, due));
  await noteTerms(tx, erasureId, { texts: await saidIn(tx, free) });
  await emptyProposals(tx, free);
  await tx.query(
    'UPDATE config_fixes SET note = NULL WHERE workspace_id = $1 AND proposal_id = ANY ($2)',
    [tx.workspace, free],
  );
  await tx.query(
    'UPDATE proposal_decisions SET reason_id = NULL WHERE workspace_id = $1 AND proposal_id = ANY ($2)',
    [tx.workspace, free],
  );
  const kept = new Set<string>();
  for (const id of free) {
    const row = await holdProposal(tx, id);
    if (row === null) continue;
    const { now: at } = walk;
    if (await saidAgain(tx, erasureId, row, at)) {
      kept.add(id);
      continue;
    }
    const isWaiting = isDecidable(row.status) || row.status === 'approved';
    if (!isWaiting) continue;
    await lapseProposal(tx, row, { root: erasureId, actor: ERASER, channel: 'workflow', at });
  }
  const emptied = free.filter((id) => !kept.has(id));
  await tx.query(
    `UPDATE proposals p
        SET matter = 'erased:' || p.id,
            evidence = ARRAY(SELECT x FROM unnest(p.evidence) WITH ORDINALITY AS l (x, n)
                              WHERE NOT EXISTS (SELECT 1 FROM erasure_items i
                                                 WHERE i.workspace_id = $1 AND i.erasure_id = $3 AND i.kind = 'card'
                                                   AND i.id = x AND (i.state IN ('root', 'falls')
                                                     OR i.state = 'done' AND i.was IN ('root', 'falls')))
                              ORDER BY n)
      WHERE p.workspace_id = $1 AND p.id = ANY ($2)`,
    [tx.workspace, emptied, erasureId],
  );
  const purged = await deleteWith(tx, 'proposal', emptied);
  purged['proposals'] = emptied.length;
  await setItems(tx, erasureId, 'proposal', due, 'done');
  return { touched: due.length, purged, more: due.length === PROPOSALS };
}

/** Those of which a card goes, went, or is written again; of the others nothing was touched after all. */
async function resting(tx: Tx, erasureId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT p.id FROM proposals p
      WHERE p.workspace_id = $1 AND p.id = ANY ($2)
        AND EXISTS (SELECT 1 FROM erasure_items i
                     WHERE i.workspace_id = $1 AND i.erasure_id = $3 AND i.kind = 'card' AND i.id = ANY (p.evidence)
                       AND (i.state IN ('root', 'falls', 'stands') OR i.state = 'done' AND i.was <> 'open'))
      ORDER BY p.id`,
    [tx.workspace, ids, erasureId],
  );
  return rows.map(({ id }) => id);
}

/** What people said of them; what is proposed is in the words of rules, of a model, or of the cards. */
async function saidIn(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ text: string }>(
    `SELECT r.text FROM reasons r
      WHERE r.workspace_id = $1
        AND r.id IN (SELECT d.reason_id FROM proposal_decisions d WHERE d.workspace_id = $1 AND d.proposal_id = ANY ($2)
                     UNION ALL
                     SELECT p.change ->> 'reason_id' FROM proposals p WHERE p.workspace_id = $1 AND p.id = ANY ($2))`,
    [tx.workspace, ids],
  );
  return rows.map(({ text }) => text);
}
