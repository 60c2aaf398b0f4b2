import { distill } from '../domain/distill/distill';
import type { Tx } from './database';
import { readCapture } from './filing-admission';

/**
 * Takes back what models wrote and nobody filed yet, where it was found in cards that go or were just written again: of
 * a pass the part, of a capture that waits for its card the words, which the rules find in its own event instead. The
 * cards are held, so that a draft which comes later sees that they moved.
 */
export async function forgetDrafts(tx: Tx, cards: readonly string[]): Promise<void> {
  if (cards.length === 0) return;
  await tx.query('DELETE FROM run_drafts WHERE workspace_id = $1 AND sources && $2::text[]', [
    tx.workspace,
    cards,
  ]);
  const quoting = await tx.query<{ event_id: string; pending: boolean }>(
    `SELECT d.event_id, c.disposition = 'pending' AS pending
       FROM capture_drafts d
       JOIN captures c ON c.workspace_id = $1 AND c.event_id = d.event_id
      WHERE d.workspace_id = $1 AND d.draft -> 'derived_from' ?| $2::text[]
      ORDER BY d.event_id
        FOR UPDATE OF d`,
    [tx.workspace, cards],
  );
  for (const { event_id, pending } of quoting) await draftAnew(tx, event_id, pending, cards);
}

async function draftAnew(
  tx: Tx,
  eventId: string,
  isPending: boolean,
  without: readonly string[],
): Promise<void> {
  const found = isPending ? await readCapture(tx, eventId) : null;
  if (found === null || found.event === null) {
    await tx.query('DELETE FROM capture_drafts WHERE workspace_id = $1 AND event_id = $2', [
      tx.workspace,
      eventId,
    ]);
    return;
  }
  const own = found.ownWarnings.filter(({ card_id }) => !without.includes(card_id));
  await tx.query('UPDATE capture_drafts SET draft = $3 WHERE workspace_id = $1 AND event_id = $2', [
    tx.workspace,
    eventId,
    JSON.stringify(distill(found.event, own)),
  ]);
}
