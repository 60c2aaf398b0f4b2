import type { CairnClient } from '../../client/client';
import { CairnError } from '../../client/error';
import type { StoppedCard } from '../../contracts/stop';
import { Failed } from '../failure';

export interface Lifted {
  /** Ids of the cards that are back, the one that was named last. */
  lifted: string[];
  failed: { id: string; code: string; detail: string }[];
}

/**
 * Takes the stop of a card back: a quarantined one is released, a deleted one restored. With `derived` the
 * cards that were stopped together with it too, and no others: they took their status at one time. The named
 * card comes last, so that a lift which was broken off goes on by being repeated.
 *
 * @throws {Failed} the card is neither quarantined nor deleted
 */
export async function liftCard(
  client: CairnClient,
  id: string,
  derived: boolean,
  reason: string | undefined,
): Promise<Lifted> {
  const { cards } = await client.cards.stop(id, { derived, action: 'delete', dry_run: true });
  const [root] = cards;
  if (root === undefined || !isStopped(root)) {
    throw new Failed(
      `${id} is ${root?.was ?? 'not there'}: there is no stop to lift.`,
      'not_stopped',
    );
  }
  const together = cards.filter(
    (card) => isStopped(card) && card.was === root.was && card.changed_at === root.changed_at,
  );
  const lifted: string[] = [];
  const failed: Lifted['failed'] = [];
  for (const card of together.reverse()) {
    try {
      if (card.was === 'deleted') await client.cards.restore(card.id);
      else await client.cards.release(card.id, reason);
      lifted.push(card.id);
    } catch (error) {
      if (!(error instanceof CairnError) || error.status === 0 || error.status >= 500) throw error;
      failed.push({ id: card.id, code: error.code, detail: error.detail });
    }
  }
  return { lifted, failed };
}

function isStopped({ was }: StoppedCard): boolean {
  return was === 'quarantined' || was === 'deleted';
}
