import type { Card } from '../contracts/card';
import { RECALLED_STATUSES, type ScopeType } from '../contracts/names';
import type { PromotionChange } from '../contracts/proposal';
import { writeAudit } from './audit';
import { changeCard } from './card-edits';
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
  const { cardId: id, expected, to, action, actor, at } = move;
  const promoted_from = action === 'promoted' ? await originOf(tx, id) : null;
  const columns = { scope_type: to.type, scope_id: to.id, promoted_from };
  return await changeCard(tx, { id, expected, columns, action, actor, at });
}

/** Of a card that is promoted twice, where it was before the first time. */
async function originOf(tx: Tx, cardId: string): Promise<Scope | null> {
  const [row] = await tx.query<{ origin: Scope }>(
    `SELECT COALESCE(promoted_from, jsonb_build_object('type', scope_type, 'id', scope_id)) AS origin
       FROM cards WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, cardId],
  );
  return row?.origin ?? null;
}

/** Where a promoted card came from; null where it was not promoted. */
export async function promotedFrom(tx: Tx, cardId: string): Promise<Scope | null> {
  const [row] = await tx.query<{ promoted_from: Scope | null }>(
    'SELECT promoted_from FROM cards WHERE workspace_id = $1 AND id = $2',
    [tx.workspace, cardId],
  );
  return row?.promoted_from ?? null;
}

/**
 * The other card in use that stands in that scope under this card's key and subject, or whose skill has the name
 * of this one's there; null for none.
 */
export async function cardInTheWay(tx: Tx, cardId: string, scope: Scope): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    `SELECT c.id
       FROM cards own
       JOIN cards c ON c.workspace_id = own.workspace_id AND c.key = own.key AND c.id <> own.id
                   AND COALESCE(c.subject, '') = COALESCE(own.subject, '')
      WHERE own.workspace_id = $1 AND own.id = $2
        AND c.scope_type = $3 AND c.scope_id = $4 AND c.status = ANY ($5)
      UNION ALL
     SELECT other.card_id
       FROM skills own
       JOIN skills other ON other.workspace_id = own.workspace_id AND other.name = own.name
                        AND other.card_id <> own.card_id AND other.holds_name
      WHERE own.workspace_id = $1 AND own.card_id = $2 AND other.scope_type = $3 AND other.scope_id = $4
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
