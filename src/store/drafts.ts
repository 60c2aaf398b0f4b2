import type { CardDraft } from '../contracts/card';
import type { SettledEvent } from '../contracts/event';
import type { OwnWarning } from '../domain/distill/distill';
import { stepOf } from '../domain/strike-step';
import type { Tx } from './database';
import { OWN_WARNINGS } from './filing-warnings';

export interface EventToDistill {
  event: SettledEvent;
  /** The writer's own earlier warnings about the same step, the latest first. */
  ownWarnings: OwnWarning[];
}

/** @returns null where the event's payload is gone. */
export async function readEventToDistill(tx: Tx, eventId: string): Promise<EventToDistill | null> {
  const [row] = await tx.query<{ payload: SettledEvent | null }>(
    'SELECT payload FROM events WHERE workspace_id = $1 AND event_id = $2',
    [tx.workspace, eventId],
  );
  const event = row?.payload ?? null;
  if (event === null) return null;
  return { event, ownWarnings: await ownWarningsBefore(tx, event) };
}

async function ownWarningsBefore(tx: Tx, event: SettledEvent): Promise<OwnWarning[]> {
  if (event.outcome !== 'worked' || stepOf(event) === null) return [];
  return await tx.query<OwnWarning>(OWN_WARNINGS, [
    tx.workspace,
    event.agent,
    event.service ?? null,
    event.operation ?? null,
    event.occurred_at,
  ]);
}

/** The draft stays in Postgres: what Temporal carries is that there is one. */
export async function saveDraft(
  tx: Tx,
  eventId: string,
  draft: CardDraft,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO capture_drafts (workspace_id, event_id, draft, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (workspace_id, event_id) DO UPDATE SET draft = EXCLUDED.draft, created_at = EXCLUDED.created_at`,
    [tx.workspace, eventId, JSON.stringify(draft), now],
  );
}
