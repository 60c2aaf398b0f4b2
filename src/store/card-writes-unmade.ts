import type { CardScope } from '../contracts/card';
import { type CardStatus, RECALLED_STATUSES } from '../contracts/names';
import { writeAudit } from './audit';
import { changeCard } from './card-edits';
import { reopenContradictions } from './card-writes-contradicted';
import { returnToIndex } from './card-writes-evicted';
import { REFLECTION } from './card-writes-found';
import { giveBack } from './card-writes-given-back';
import { holdMade, type MadeCard } from './card-writes-made';
import { CONSOLIDATION } from './card-writes-note';
import { FOLLOW_UP } from './card-writes-outcome';
import type { Tx } from './database';

/** Sources that a finding still rests on; with fewer it would be one card's word. */
const LEAST_SUPPORT = 2;

/** Cards that were taken out of use, and who did. */
export interface Unmaking {
  cards: readonly string[];
  /** The card that was named, as the audit of all that this changes has it. */
  root: string;
  actor: { kind: string; id: string };
  channel: string;
  workflowId?: string | null;
  at: Date;
}

/**
 * Unmakes what passes made of cards that were deleted, refused, held back or stopped, in the transaction that did so:
 * it would go on telling what they said. A note is archived, and its other sources are in use again, so that another
 * night tells of them without it. A finding of a reflection is archived once fewer than two of its sources still
 * stand, an outcome with its insight. What came of these follows. Each round archives cards that were in use, so that it ends.
 */
export async function unmake(tx: Tx, unmaking: Unmaking): Promise<void> {
  const { root } = unmaking;
  // Notes that went together with a source of theirs give back the others too.
  const stopped = unmaking.cards.filter((id) => id !== root);
  await giveBackSources(tx, stopped, unmaking);
  let gone = [...unmaking.cards];
  while (gone.length > 0) {
    const made = await holdMade(tx, gone);
    const notes = made.filter(({ writer_id }) => writer_id === CONSOLIDATION);
    await archive(tx, notes, unmaking);
    await giveBackSources(tx, idsOf(notes), unmaking);
    const unfounded = await withoutSupport(
      tx,
      made.filter(({ writer_id }) => writer_id === REFLECTION),
    );
    await archive(tx, unfounded, unmaking);
    const outcomes = made.filter(({ writer_id }) => writer_id === FOLLOW_UP);
    await archive(tx, outcomes, unmaking);
    gone = idsOf([...notes, ...unfounded, ...outcomes]);
  }
}

/**
 * Archives what passes made of a card in a scope that the card has left, whatever else it rests on, and takes it to
 * where the card is now: who stands in the old scope would read it there by its id. What a person showed there stays.
 */
export async function unmakeIn(
  tx: Tx,
  { left, now }: { left: CardScope; now: CardScope },
  unmaking: Unmaking,
): Promise<void> {
  const made = (await holdMade(tx, unmaking.cards)).filter(
    ({ scope, promoted }) => !promoted && scope.type === left.type && scope.id === left.id,
  );
  if (made.length === 0) return;
  await archive(tx, made, unmaking, now);
  await unmake(tx, { ...unmaking, cards: idsOf(made) });
}

const idsOf = (cards: readonly { id: string }[]) => cards.map(({ id }) => id);

async function archive(
  tx: Tx,
  cards: readonly MadeCard[],
  unmaking: Unmaking,
  scope: CardScope | null = null,
): Promise<void> {
  const { actor, at } = unmaking;
  for (const { id, version: expected, status: status_before } of cards) {
    const place = scope === null ? {} : { scope_type: scope.type, scope_id: scope.id };
    const columns = { status: 'archived', status_before, ...place } as const;
    const version = await changeCard(tx, { id, expected, columns, action: 'unmade', actor, at });
    if (version === null) throw new Error('a card whose row is held has moved on');
    const changed = scope === null ? ['status'] : ['status', 'scope'];
    const versions = [expected, version];
    await audit(tx, unmaking, { action: 'card.unmade', id, changed, versions });
  }
}

/** Of these findings those that fewer sources than it takes bear out, in use or told in a note that is. */
async function withoutSupport(tx: Tx, findings: readonly MadeCard[]): Promise<MadeCard[]> {
  if (findings.length === 0) return [];
  const borneOut = await tx.query<{ id: string }>(
    `SELECT e.from_card AS id
       FROM edges e
       JOIN cards s ON s.workspace_id = e.workspace_id AND s.id = e.to_card
       LEFT JOIN cards n ON n.workspace_id = s.workspace_id AND n.id = s.superseded_by AND n.kind = 'insight'
                        AND n.status = ANY ($3)
      WHERE e.workspace_id = $1 AND e.from_card = ANY ($2) AND e.type = 'derived_from'
        AND (s.status = ANY ($3) OR s.status = 'superseded' AND n.id IS NOT NULL)
      GROUP BY e.from_card
     HAVING count(*) >= ${LEAST_SUPPORT}`,
    [tx.workspace, idsOf(findings), RECALLED_STATUSES],
  );
  const standing = new Set(idsOf(borneOut));
  return findings.filter(({ id }) => !standing.has(id));
}

interface Given {
  id: string;
  version: number;
  /** What it was before it retired. */
  before: CardStatus;
}

/**
 * Puts back in use what retired in favour of these cards alone, unless another card stands under its key by now. What
 * was deleted or held back itself stays so.
 */
async function giveBackSources(tx: Tx, made: readonly string[], unmaking: Unmaking): Promise<void> {
  if (made.length === 0) return;
  const { actor, at } = unmaking;
  const sources = await tx.query<Given>(
    `SELECT c.id, c.version,
            COALESCE(CASE WHEN c.status_before = ANY ($3) THEN c.status_before END,
                     (SELECT v.snapshot ->> 'status' FROM card_versions v
                       WHERE v.workspace_id = c.workspace_id AND v.card_id = c.id
                         AND v.snapshot ->> 'status' = ANY ($3)
                       ORDER BY v.version DESC LIMIT 1),
                     'active') AS before
       FROM cards c
      WHERE c.workspace_id = $1 AND c.status = 'superseded' AND c.superseded_by = ANY ($2) AND c.purged_at IS NULL
        AND c.id IN (SELECT e.to_card FROM edges e
                       JOIN cards m ON m.workspace_id = e.workspace_id AND m.id = e.from_card
                                   AND m.writer_kind = 'system' AND m.status <> ALL ($3)
                      WHERE e.workspace_id = $1 AND e.from_card = ANY ($2) AND e.type = 'derived_from')
        AND NOT EXISTS (
              SELECT 1 FROM cards k
               WHERE k.workspace_id = c.workspace_id AND k.key = c.key AND k.status = ANY ($3)
                 AND k.scope_type = c.scope_type AND k.scope_id = c.scope_id
                 AND COALESCE(k.subject, '') = COALESCE(c.subject, ''))
      ORDER BY c.id
        FOR NO KEY UPDATE OF c`,
    [tx.workspace, made, RECALLED_STATUSES],
  );
  for (const { id, version: expected, before } of sources) {
    const card = { version: expected, status: 'superseded' } as const;
    const version = await giveBack(tx, id, card, { before, action: 'restored', actor, at });
    const [changed, versions] = [['status'], [expected, version]];
    await audit(tx, unmaking, { action: 'card.restored', id, changed, versions });
    await returnToIndex(tx, { id, version, at });
    await reopenContradictions(tx, id, at);
  }
}

async function audit(
  tx: Tx,
  { root, actor, channel, workflowId = null, at }: Unmaking,
  { id, ...entry }: { action: string; id: string; changed: string[]; versions: number[] },
): Promise<void> {
  await writeAudit(tx, {
    ...entry,
    at,
    actor,
    target: { type: 'card', id },
    hashes: { unmade_with: root },
    channel,
    workflowId,
  });
}
