import { type CardStatus, RECALLED_STATUSES } from '../contracts/names';
import { auditCards, type ChangedCard } from './audit-cards';
import { reopenContradictions } from './card-writes-contradicted';
import { noteWhatIsSaid } from './card-writes-erased-terms';
import { leaveIndex, returnToIndex } from './card-writes-evicted';
import { giveBack } from './card-writes-given-back';
import { wordsOf } from './card-writes-purged';
import type { Tx } from './database';
import { forgetDrafts } from './erasure-drafts';
import { againCards, nextItems, reopenCards, setItems, withoutHeld } from './erasure-items';
import { noteLabels } from './erasure-labels';
import { deleteWith } from './erasure-tables';
import {
  ERASER,
  ERASURE,
  type ErasureWalk,
  hashed,
  NOTHING_LEFT,
  type WalkBatch,
} from './erasure-walk';
import { forgetWords, holdStatistics } from './rollup';
import { bury } from './tombstones';

/** Cards of one transaction: each is some forty postings and two dozen deletes by index. */
const CARDS = 100;

/**
 * Erases the next cards that go: their rows, versions, vectors, postings, edges and all that stands beside them, with
 * their tombstones, in one transaction. What was derived from them at the last moment is found here.
 */
export async function eraseCards(tx: Tx, walk: ErasureWalk): Promise<WalkBatch> {
  const { erasureId, now, workflowId } = walk;
  const due = await nextItems(tx, erasureId, {
    kind: 'card',
    states: ['root', 'falls'],
    limit: CARDS,
  });
  if (due.length === 0) return NOTHING_LEFT;
  // Before any card: whoever counts holds the counts first.
  await holdStatistics(tx);
  const cards = await holdErased(tx, await withoutHeld(tx, erasureId, 'card', due));
  const ids = cards.map(({ id }) => id);
  await noteWhatIsSaid(tx, erasureId, 'card', ids);
  await noteLabels(tx, erasureId, 'card', ids);
  await addDerived(tx, erasureId, ids);
  await giveBackMerged(tx, walk, ids);
  const words = await wordsOf(tx, ids);
  await leaveIndex(tx, ids);
  await forgetWords(tx, words);
  const actions = await actionsOf(tx, ids);
  await leaveMentions(tx, ids);
  const purged = await deleteWith(tx, 'card', ids);
  await forgetDrafts(tx, ids);
  purged['actions'] = await dropActions(tx, actions);
  await bury(tx, { erasureId, at: walk.at }, hashed(walk, 'card', ids));
  // Of those that were gone before too.
  await setItems(tx, erasureId, 'card', due, 'done');
  const audited = { at: now, by: ERASURE, action: 'card.erased', changed: [], workflowId };
  await auditCards(
    tx,
    audited,
    cards.map(({ id, version }) => ({ id, version: version + 1 })),
  );
  return { touched: due.length, purged, more: due.length === CARDS };
}

async function holdErased(tx: Tx, ids: readonly string[]): Promise<ChangedCard[]> {
  return await tx.query<ChangedCard>(
    `SELECT c.id, c.version FROM cards c WHERE c.workspace_id = $1 AND c.id = ANY ($2) ORDER BY c.id FOR UPDATE`,
    [tx.workspace, ids],
  );
}

/** Their edges go with them; whoever quotes them is judged in the next walk. */
async function addDerived(tx: Tx, erasureId: string, ids: readonly string[]): Promise<void> {
  const rows = await tx.query<{ id: string }>(
    `SELECT DISTINCT e.from_card AS id FROM edges e
      WHERE e.workspace_id = $1 AND e.to_card = ANY ($2) AND e.type = 'derived_from' AND e.from_card <> ALL ($2)`,
    [tx.workspace, ids],
  );
  await reopenCards(
    tx,
    erasureId,
    rows.map(({ id }) => id),
  );
  await againCards(tx, erasureId, await taughtBy(tx, ids));
}

/** Cards of the same tasks whose last sentence was said since they were judged. */
async function taughtBy(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT DISTINCT r.id
       FROM cards c
       JOIN cards r ON r.workspace_id = $1 AND r.task = c.task
        AND ${EPISODE('r')} = ${EPISODE('c')}
      WHERE c.workspace_id = $1 AND c.id = ANY ($2) AND c.task IS NOT NULL AND r.id <> ALL ($2)
        AND EXISTS (SELECT 1 FROM card_versions v
                     WHERE v.workspace_id = $1 AND v.card_id = r.id AND v.action = 'reflected'
                       AND NOT EXISTS (SELECT 1 FROM card_versions l
                                        WHERE l.workspace_id = $1 AND l.card_id = r.id AND l.version > v.version
                                          AND l.action = 'rederived'))`,
    [tx.workspace, ids],
  );
  return rows.map(({ id }) => id);
}

/** As the index `cards_by_episode` has it. */
const EPISODE = (card: string) =>
  `(CASE WHEN ${card}.session IS NULL THEN ${card}.task ELSE ${card}.session END)`;

interface Retired {
  id: string;
  version: number;
  before: CardStatus;
}

/**
 * A card that was merged into one that goes, or was told in it, is in use again: it rests on an event of its own.
 * What else gave way to a card that goes stays as it is, in the place of nothing.
 */
async function giveBackMerged(tx: Tx, walk: ErasureWalk, ids: readonly string[]): Promise<void> {
  const merged = await tx.query<Retired>(
    `SELECT c.id, c.version,
            COALESCE((SELECT v.snapshot ->> 'status' FROM card_versions v
                       WHERE v.workspace_id = $1 AND v.card_id = c.id AND v.snapshot ->> 'status' = ANY ($4)
                       ORDER BY v.version DESC LIMIT 1), 'active') AS before
       FROM cards c
      WHERE c.workspace_id = $1 AND c.superseded_by = ANY ($2) AND c.id <> ALL ($2)
        AND c.status = 'superseded' AND c.purged_at IS NULL
        AND EXISTS (SELECT 1 FROM edges e
                     WHERE e.workspace_id = $1 AND e.from_card = c.superseded_by AND e.to_card = c.id
                       AND e.type = 'derived_from')
        AND NOT EXISTS (SELECT 1 FROM erasure_items i
                         WHERE i.workspace_id = $1 AND i.erasure_id = $3 AND i.kind = 'card' AND i.id = c.id
                           AND i.state IN ('root', 'falls', 'open'))
        AND NOT EXISTS (SELECT 1 FROM cards k
                         WHERE k.workspace_id = $1 AND k.key = c.key AND k.status = ANY ($4)
                           AND k.scope_type = c.scope_type AND k.scope_id = c.scope_id
                           AND COALESCE(k.subject, '') = COALESCE(c.subject, ''))
      ORDER BY c.id
        FOR NO KEY UPDATE OF c`,
    [tx.workspace, ids, walk.erasureId, RECALLED_STATUSES],
  );
  for (const { id, version: expected, before } of merged) {
    const card = { version: expected, status: 'superseded' } as const;
    const giving = { before, action: 'restored', actor: ERASER, at: walk.now };
    const version = await giveBack(tx, id, card, giving);
    await returnToIndex(tx, { id, version, at: walk.now });
    await reopenContradictions(tx, id, walk.now);
  }
}

/** Takes the ids out of lists and columns of rows that stay. */
async function leaveMentions(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const statement of MENTIONS) await tx.query(statement, [tx.workspace, ids]);
}

const without = (list: string) =>
  `ARRAY(SELECT x FROM unnest(${list}) WITH ORDINALITY AS l (x, n) WHERE x <> ALL ($2) ORDER BY n)`;

const MENTIONS = [
  'UPDATE cards SET superseded_by = NULL WHERE workspace_id = $1 AND superseded_by = ANY ($2)',
  'UPDATE skills SET replaced_by = NULL WHERE workspace_id = $1 AND replaced_by = ANY ($2)',
  `UPDATE skill_versions SET cards = ${without('cards')} WHERE workspace_id = $1 AND cards && $2::text[]`,
  `UPDATE run_changes SET related = ${without('related')} WHERE workspace_id = $1 AND related && $2::text[]`,
  'UPDATE competence SET card_id = NULL WHERE workspace_id = $1 AND card_id = ANY ($2)',
  // A link that a reflection drew says why, by all that it looked at.
  `DELETE FROM edges WHERE workspace_id = $1
      AND id IN (SELECT r.edge_id FROM reflections r WHERE r.workspace_id = $1 AND r.sources && $2::text[])`,
  `UPDATE reflections SET draft = NULL, sources = ${without('sources')},
          card_id = CASE WHEN card_id = ANY ($2) THEN NULL ELSE card_id END
    WHERE workspace_id = $1 AND (sources && $2::text[] OR card_id = ANY ($2))`,
  `DELETE FROM reflections
    WHERE workspace_id = $1 AND sources = '{}' AND draft IS NULL AND card_id IS NULL AND $2::text[] IS NOT NULL`,
];

async function actionsOf(tx: Tx, cards: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ hash: string }>(
    `SELECT DISTINCT a.hash
       FROM insights n
       JOIN insight_actions a ON a.workspace_id = $1 AND a.insight_id = n.id
      WHERE n.workspace_id = $1 AND n.card_id = ANY ($2)`,
    [tx.workspace, cards],
  );
  return rows.map(({ hash }) => hash);
}

/** What no insight recommends any more was said by those alone that went. */
async function dropActions(tx: Tx, hashes: readonly string[]): Promise<number> {
  const gone = await tx.query<{ hash: string; reason_id: string | null }>(
    `DELETE FROM actions a
      WHERE a.workspace_id = $1 AND a.hash = ANY ($2)
        AND NOT EXISTS (SELECT 1 FROM insight_actions i WHERE i.workspace_id = $1 AND i.hash = a.hash)
     RETURNING a.hash, a.reason_id`,
    [tx.workspace, hashes],
  );
  await tx.query(
    `DELETE FROM surrogates WHERE workspace_id = $1 AND kind = 'action' AND name = ANY ($2)`,
    [tx.workspace, gone.map(({ hash }) => hash)],
  );
  await tx.query('DELETE FROM reasons WHERE workspace_id = $1 AND id = ANY ($2)', [
    tx.workspace,
    gone.flatMap(({ reason_id }) => reason_id ?? []),
  ]);
  return gone.length;
}
