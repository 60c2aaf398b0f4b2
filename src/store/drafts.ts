import type { CardDraft } from '../contracts/card';
import type { SettledEvent } from '../contracts/event';
import type { OwnWarning } from '../domain/distill/distill';
import type { Tx } from './database';
import { readCapture } from './filing-admission';

export interface EventToDistill {
  event: SettledEvent;
  /** The writer's own earlier warnings about the same step, the latest first. */
  ownWarnings: OwnWarning[];
}

/** @returns null where the event's payload is gone. */
export async function readEventToDistill(tx: Tx, eventId: string): Promise<EventToDistill | null> {
  const found = await readCapture(tx, eventId);
  if (found === null || found.event === null) return null;
  return { event: found.event, ownWarnings: found.ownWarnings };
}

/**
 * The draft stays in Postgres: what Temporal carries is that there is one. A slow try whose capture was
 * settled meanwhile leaves nothing behind: an erasure would not look for it.
 */
export async function saveDraft(
  tx: Tx,
  eventId: string,
  draft: CardDraft,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO capture_drafts (workspace_id, event_id, draft, created_at)
     SELECT c.workspace_id, c.event_id, $3, $4
       FROM captures c
      WHERE c.workspace_id = $1 AND c.event_id = $2 AND (c.disposition = 'pending' OR c.needs_distill)
        FOR SHARE
     ON CONFLICT (workspace_id, event_id) DO UPDATE SET draft = EXCLUDED.draft, created_at = EXCLUDED.created_at`,
    [tx.workspace, eventId, JSON.stringify(draft), now],
  );
}
