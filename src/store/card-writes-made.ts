import type { CardScope } from '../contracts/card';
import { type CardStatus, RECALLED_STATUSES, type Visibility } from '../contracts/names';
import { writeAudit } from './audit';
import { changeCard } from './card-edits';
import type { Tx } from './database';

/** Cards that passes made of others (notes, facts, skills): they come of them, and the system wrote them. */

/** Ids of what passes made of these cards and of what they had made of them, whatever its status is, by id. */
export async function madeOf(tx: Tx, cards: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `WITH RECURSIVE made AS (
       SELECT m.id
         FROM edges e
         JOIN cards m ON ${IS_MADE_BY_EDGE}
        WHERE e.workspace_id = $1 AND e.to_card = ANY ($2) AND e.type = 'derived_from'
       UNION
       SELECT m.id
         FROM made
         JOIN edges e ON e.workspace_id = $1 AND e.to_card = made.id AND e.type = 'derived_from'
         JOIN cards m ON ${IS_MADE_BY_EDGE}
     )
     SELECT id FROM made ORDER BY id`,
    [tx.workspace, cards],
  );
  return rows.map(({ id }) => id);
}

/** A competence card (also of the system) is a sum that is counted again, and tells no card. */
const IS_MADE_BY_EDGE = `m.workspace_id = e.workspace_id AND m.id = e.from_card AND m.writer_kind = 'system'
                       AND m.kind <> 'competence'`;

/** What a pass made, in use. */
export interface MadeCard {
  id: string;
  version: number;
  status: CardStatus;
  visibility: Visibility;
  /** The pass. */
  writer_id: string;
  scope: CardScope;
  /** Whether a person has shown it to more since. */
  promoted: boolean;
}

/** Holds what passes made of these cards, directly, as long as it is in use; by id. */
export async function holdMade(tx: Tx, cards: readonly string[]): Promise<MadeCard[]> {
  return await tx.query<MadeCard>(
    `SELECT m.id, m.version, m.status, m.visibility, m.writer_id, m.promoted_from IS NOT NULL AS promoted,
            jsonb_build_object('type', m.scope_type, 'id', m.scope_id) AS scope
       FROM cards m
      WHERE m.workspace_id = $1 AND m.status = ANY ($3) AND m.writer_kind = 'system' AND m.kind <> 'competence'
        AND m.id IN (SELECT e.from_card FROM edges e
                      WHERE e.workspace_id = $1 AND e.to_card = ANY ($2) AND e.type = 'derived_from')
      ORDER BY m.id
        FOR NO KEY UPDATE`,
    [tx.workspace, cards, RECALLED_STATUSES],
  );
}

const WIDTH: Readonly<Record<Visibility, number>> = { private: 0, household: 1, organization: 2 };

/** A card that fewer may see than before. */
export interface Narrowing {
  card: string;
  before: Visibility;
  after: Visibility;
  actor: { kind: string; id: string };
  channel: string;
  at: Date;
}

/**
 * What passes made of a card is shown to no more than the card is: where that was narrowed, it is too, in the same
 * transaction. What is out of use is narrowed as well: it may come back.
 */
export async function narrowMade(tx: Tx, narrowing: Narrowing): Promise<void> {
  const { card, before, after, actor, channel, at } = narrowing;
  if (WIDTH[after] >= WIDTH[before]) return;
  const made = await madeOf(tx, [card]);
  if (made.length === 0) return;
  const wide = await tx.query<{ id: string; version: number; visibility: Visibility }>(
    `SELECT m.id, m.version, m.visibility
       FROM cards m
      WHERE m.workspace_id = $1 AND m.id = ANY ($2) AND m.visibility <> 'private' AND m.purged_at IS NULL
      ORDER BY m.id
        FOR NO KEY UPDATE`,
    [tx.workspace, made],
  );
  for (const { id, version: expected, visibility } of wide) {
    if (WIDTH[visibility] <= WIDTH[after]) continue;
    const columns = { visibility: after };
    const version = await changeCard(tx, { id, expected, columns, action: 'narrowed', actor, at });
    if (version === null) throw new Error('a card whose row is held has moved on');
    await writeAudit(tx, {
      at,
      actor,
      action: 'card.narrowed',
      target: { type: 'card', id },
      changed: ['visibility'],
      versions: [expected, version],
      hashes: { follows: card },
      channel,
    });
  }
}
