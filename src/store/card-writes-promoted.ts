import type { Card } from '../contracts/card';
import { RECALLED_STATUSES, type ScopeType } from '../contracts/names';
import type { PromotionChange } from '../contracts/proposal';
import { writeAudit } from './audit';
import type { Tx } from './database';
import type { Effect } from './proposal-effects';
import { type ProposalRow, setProposal } from './proposal-row';

export interface Scope {
  type: ScopeType;
  id: string;
}

export interface Move {
  cardId: string;
  /** The version that was looked at. */
  expected: number;
  to: Scope;
  action: 'promoted' | 'demoted';
  actor: { kind: string; id: string };
  at: Date;
}

/**
 * Gives a card another scope by compare-and-set, with the new version's snapshot. Its id, provenance, edges
 * and grants stay; a promotion keeps where it came from, and a demotion forgets it.
 * @returns the new version; null where the card has moved on
 */
export async function moveCard(tx: Tx, move: Move): Promise<number | null> {
  const [row] = await tx.query<{ version: number }>(
    `WITH moved AS (
       UPDATE cards c
          SET promoted_from = CASE WHEN $6 = 'promoted' THEN
                COALESCE(c.promoted_from, jsonb_build_object('type', c.scope_type, 'id', c.scope_id)) END,
              scope_type = $4, scope_id = $5, version = c.version + 1, edited_at = $9
        WHERE c.workspace_id = $1 AND c.id = $2 AND c.version = $3
       RETURNING c.*
     )
     INSERT INTO card_versions (workspace_id, card_id, version, at, actor_kind, actor_id, action, snapshot)
     SELECT m.workspace_id, m.id, m.version, $9, $7, $8, $6, card_snapshot(to_jsonb(m)) FROM moved m
     RETURNING version`,
    [
      tx.workspace,
      move.cardId,
      move.expected,
      move.to.type,
      move.to.id,
      move.action,
      move.actor.kind,
      move.actor.id,
      move.at,
    ],
  );
  return row?.version ?? null;
}

/** Where a promoted card came from; null where it was not promoted. */
export async function promotedFrom(tx: Tx, cardId: string): Promise<Scope | null> {
  const [row] = await tx.query<{ promoted_from: Scope | null }>(
    'SELECT promoted_from FROM cards WHERE workspace_id = $1 AND id = $2',
    [tx.workspace, cardId],
  );
  return row?.promoted_from ?? null;
}

/** The other card in use that stands in that scope under this card's key and subject; null for none. */
export async function cardInTheWay(tx: Tx, cardId: string, scope: Scope): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    `SELECT c.id
       FROM cards own
       JOIN cards c ON c.workspace_id = own.workspace_id AND c.key = own.key AND c.id <> own.id
                   AND COALESCE(c.subject, '') = COALESCE(own.subject, '')
      WHERE own.workspace_id = $1 AND own.id = $2
        AND c.scope_type = $3 AND c.scope_id = $4 AND c.status = ANY ($5)
      LIMIT 1`,
    [tx.workspace, cardId, scope.type, scope.id, RECALLED_STATUSES],
  );
  return row?.id ?? null;
}

interface Standing extends Pick<Card, 'id' | 'version' | 'status'> {
  scope_type: ScopeType;
  scope_id: string;
}

/** Approved, a card is moved to the scope that was asked for; one that changed meanwhile is looked at again. */
export const PROMOTION_EFFECT: Effect = {
  approve: async (tx, row, { at, request, workflowId }) => {
    const change = row.change as PromotionChange;
    const [card] = await tx.query<Standing>(
      `SELECT c.id, c.version, c.status, c.scope_type, c.scope_id
         FROM cards c
        WHERE c.workspace_id = $1 AND c.id = $2
          FOR UPDATE`,
      [tx.workspace, change.card_id],
    );
    const isInUse = card !== undefined && RECALLED_STATUSES.some((one) => one === card.status);
    if (!isInUse) {
      return {
        refusal: 'world_changed',
        row: await setProposal(tx, row, { status: 'lapsed', at }),
      };
    }
    if (card.version !== change.card_version) {
      return { refusal: 'world_changed', row: await lookAgain(tx, row, change, card, at) };
    }
    if ((await cardInTheWay(tx, card.id, change.to)) !== null) return { refusal: 'key_taken' };
    const actor = { kind: 'person', id: request.by };
    const move = { cardId: card.id, expected: card.version, to: change.to, actor, at } as const;
    const version = await moveCard(tx, { ...move, action: 'promoted' });
    if (version === null) throw new Error('a card whose row is held has moved on');
    await writeAudit(tx, {
      at,
      actor,
      action: 'card.promoted',
      target: { type: 'card', id: card.id },
      changed: ['scope'],
      versions: [card.version, version],
      channel: 'workflow',
      workflowId,
    });
    return { status: 'applied', fixId: null };
  },
  reject: async () => ({ status: 'rejected', fixId: null }),
};

/** Its next version is of the card as it now is. */
async function lookAgain(
  tx: Tx,
  row: ProposalRow,
  change: PromotionChange,
  card: Standing,
  at: Date,
): Promise<ProposalRow> {
  return await setProposal(tx, row, {
    status: row.status,
    version: row.version + 1,
    change: {
      ...change,
      card_version: card.version,
      from: { type: card.scope_type, id: card.scope_id },
    },
    at,
  });
}
