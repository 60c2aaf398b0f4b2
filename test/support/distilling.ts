import type { CardDraft } from '../../src/contracts/card';
import type { SettledEvent } from '../../src/contracts/event';
import { distill, type OwnWarning } from '../../src/domain/distill/distill';
import type { Distiller } from '../../src/models/distiller';

/** A failed call of a tool, as a runtime reports it. */
export function failedCall(fields: Partial<SettledEvent> = {}): SettledEvent {
  return {
    event_id: 'call-1',
    kind: 'service_call',
    agent: 'scout',
    service: 'slack',
    operation: 'get_users_in_channel',
    outcome: 'failed',
    occurred_at: '2026-03-02T08:24:15Z',
    input: { channel: 'External' },
    error: 'ValueError: Channel External not found in the channels list',
    ...fields,
  };
}

/** What the distiller makes of an event, with the stand-in made as the activity makes it. */
export async function distilled(
  distiller: Distiller,
  event: SettledEvent,
  ownWarnings: readonly OwnWarning[] = [],
  signal: AbortSignal = new AbortController().signal,
): Promise<CardDraft> {
  return await distiller.distill(event, ownWarnings, distill(event, ownWarnings), signal);
}
