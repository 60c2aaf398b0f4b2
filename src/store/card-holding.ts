import { writeAudit } from './audit';
import type { NewCard } from './card-writes';
import type { Tx } from './database';
import { announce } from './webhooks';

/** Why the policy holds a card back; the one reason there is. */
export const HELD_FOR = 'instruction_like';

/** The card as it is filed where the policy holds it back; a release gives it the status that it would have had. */
export function heldCard(card: NewCard): NewCard {
  return { ...card, status: 'quarantined', statusBefore: card.status };
}

/** Records and announces that the policy and no person held a card back; who released it stands there later. */
export async function auditHolding(
  tx: Tx,
  held: {
    id: string;
    /** Of the card, as in every audit row: the one it has, after the one it had. */
    versions: readonly number[];
    at: Date;
    channel: string;
    workflowId: string | null;
  },
): Promise<void> {
  await writeAudit(tx, {
    at: held.at,
    actor: { kind: 'system', id: 'policy' },
    action: 'card.quarantined',
    target: { type: 'card', id: held.id },
    changed: ['status'],
    versions: held.versions,
    channel: held.channel,
    workflowId: held.workflowId,
  });
  await announce(tx, { type: 'card.quarantined', at: held.at, data: { card_id: held.id } });
}
