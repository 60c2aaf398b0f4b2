import type { Refused, SettledEvent } from '../contracts/event';
import type { Tx } from '../store/database';
import { erasedAmong, type HashedId, tombstoneKey } from '../store/tombstones';
import type { WorkspaceHasher } from './hashing';
import { tombstoneHash } from './tombstone-hash';

interface Mention {
  id: HashedId;
  pointer: string;
  /** An id that is erased for good; else what happened until the erasure. */
  forGood: boolean;
}

/** What of events names something that may be erased, asked for all of them at once. */
export async function readErased(
  tx: Tx,
  hasher: WorkspaceHasher,
  events: readonly SettledEvent[],
): Promise<(event: SettledEvent) => Refused | null> {
  const mentions = new Map(events.map((event) => [event, mentionsOf(hasher, event)]));
  const ids = new Map<string, HashedId>();
  for (const all of mentions.values()) for (const { id } of all) ids.set(tombstoneKey(id), id);
  const erased = await erasedAmong(tx, [...ids.values()]);
  return (event) => {
    const occurred = Date.parse(event.occurred_at);
    for (const { id, pointer, forGood } of mentions.get(event) ?? []) {
      const at = erased.get(tombstoneKey(id));
      if (at !== undefined && (forGood || occurred <= at.getTime())) return refusal(pointer);
    }
    return null;
  };
}

function mentionsOf(hasher: WorkspaceHasher, event: SettledEvent): Mention[] {
  const of = (
    kind: HashedId['kind'],
    id: string | undefined,
    pointer: string,
    forGood = false,
  ): Mention[] =>
    id === undefined
      ? []
      : [{ id: { kind, hash: tombstoneHash(hasher, kind, id) }, pointer, forGood }];
  return [
    ...of('event', event.event_id, '/event_id', true),
    ...of('event', event.parent_event, '/parent_event', true),
    ...of('subject', event.subject, '/subject'),
    ...of('agent', event.agent, '/agent'),
    ...of('agent', event.parent_agent, '/parent_agent'),
    ...of('agent', event.delegate?.agent, '/delegate/agent'),
    ...of('project', event.project, '/project'),
    ...of('source', event.service, '/service'),
  ];
}

function refusal(pointer: string): Refused {
  return {
    code: 'erased',
    pointer,
    detail: 'this was erased, or is about something that was; what happens from now on is taken',
  };
}
