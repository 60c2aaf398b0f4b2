import type { CardDraft } from '../contracts/card';
import type { SettledEvent } from '../contracts/event';
import { distill, type OwnWarning } from '../domain/distill/distill';
import type { Tx } from './database';
import { readCapture } from './filing-admission';
import { areAsShown, quotedIn } from './filing-sources';

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

export interface WrittenDraft {
  draft: CardDraft;
  /** The earlier warnings that its writer was shown. */
  shown: readonly OwnWarning[];
}

/**
 * The draft stays in Postgres: what Temporal carries is that there is one. A slow try whose capture was
 * settled meanwhile leaves nothing behind: an erasure would not look for it. Where a warning that it quotes is no more
 * what its writer was shown, the rules write it, from the warnings of now.
 * @returns what was kept
 */
export async function saveDraft(
  tx: Tx,
  eventId: string,
  written: WrittenDraft,
  now: Date,
): Promise<CardDraft> {
  const draft = await draftOfNow(tx, eventId, written);
  await tx.query(
    `INSERT INTO capture_drafts (workspace_id, event_id, draft, created_at)
     SELECT c.workspace_id, c.event_id, $3, $4
       FROM captures c
      WHERE c.workspace_id = $1 AND c.event_id = $2 AND (c.disposition = 'pending' OR c.needs_distill)
        FOR SHARE
     ON CONFLICT (workspace_id, event_id) DO UPDATE SET draft = EXCLUDED.draft, created_at = EXCLUDED.created_at`,
    [tx.workspace, eventId, JSON.stringify(draft), now],
  );
  return draft;
}

async function draftOfNow(
  tx: Tx,
  eventId: string,
  { draft, shown }: WrittenDraft,
): Promise<CardDraft> {
  if (await areAsShown(tx, eventId, quotedIn(draft, shown))) return draft;
  const found = await readEventToDistill(tx, eventId);
  return found === null ? draft : distill(found.event, found.ownWarnings);
}
