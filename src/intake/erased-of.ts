import type { Refused, SettledEvent } from '../contracts/event';
import type { Tx } from '../store/database';
import { type ParentEvent, readParents } from '../store/event-parents';
import { erasedAmong, type HashedId, tombstoneKey } from '../store/tombstones';
import type { WorkspaceHasher } from './hashing';
import { tombstoneHash } from './tombstone-hash';

interface Mention {
  id: HashedId;
  pointer: string;
  /** Epoch milliseconds when it happened; what is erased for good is so whenever that was. */
  at: number | null;
}

/**
 * What of events names something that may be erased, asked for all of them at once. An event that follows from another
 * is refused as soon as that one is about to go, whatever it is found by.
 */
export async function readErased(
  tx: Tx,
  hasher: WorkspaceHasher,
  events: readonly SettledEvent[],
): Promise<(event: SettledEvent) => Refused | null> {
  const parents = await readParents(tx, [
    ...new Set(events.flatMap((event) => event.parent_event ?? [])),
  ]);
  const ofParent = new Map(parents.map((parent) => [parent.event_id, mentionsOf(hasher, parent)]));
  const mentions = new Map(
    events.map((event) => [
      event,
      [...mentionsIn(hasher, event), ...(ofParent.get(event.parent_event ?? '') ?? [])],
    ]),
  );
  const ids = new Map<string, HashedId>();
  for (const all of mentions.values()) for (const { id } of all) ids.set(tombstoneKey(id), id);
  const erased = await erasedAmong(tx, [...ids.values()]);
  return (event) => {
    for (const { id, pointer, at } of mentions.get(event) ?? []) {
      const until = erased.get(tombstoneKey(id));
      if (until !== undefined && (at === null || at <= until.getTime())) return refusal(pointer);
    }
    return null;
  };
}

type Naming = readonly [HashedId['kind'], string | null | undefined, string];

function mentioned(
  hasher: WorkspaceHasher,
  at: number | null,
  named: readonly Naming[],
): Mention[] {
  return named.flatMap(([kind, id, pointer]) =>
    id == null ? [] : [{ id: { kind, hash: tombstoneHash(hasher, kind, id) }, pointer, at }],
  );
}

function mentionsIn(hasher: WorkspaceHasher, event: SettledEvent): Mention[] {
  return [
    ...mentioned(hasher, null, [
      ['event', event.event_id, '/event_id'],
      ['event', event.parent_event, PARENT],
    ]),
    ...mentioned(hasher, Date.parse(event.occurred_at), [
      ['subject', event.subject, '/subject'],
      ['agent', event.agent, '/agent'],
      ['agent', event.parent_agent, '/parent_agent'],
      ['agent', event.delegate?.agent, '/delegate/agent'],
      ['project', event.project, '/project'],
      ['source', event.service, '/service'],
    ]),
  ];
}

const PARENT = '/parent_event';

/** By all that an erasure finds an event by: a row that happened or was recorded until then goes. */
function mentionsOf(hasher: WorkspaceHasher, parent: ParentEvent): Mention[] {
  const { reporter_kind: kind, reporter_id: reporter } = parent;
  const earlier = Math.min(Date.parse(parent.occurred_at), Date.parse(parent.recorded_at));
  return [
    ...mentioned(hasher, null, [['card', parent.card_id, PARENT]]),
    ...mentioned(hasher, earlier, [
      ['subject', parent.subject, PARENT],
      ['agent', parent.agent, PARENT],
      ['agent', parent.delegate, PARENT],
      ['project', parent.project, PARENT],
      ['source', parent.service, PARENT],
      ...(kind === 'agent' || kind === 'person' ? [[kind, reporter, PARENT] as const] : []),
    ]),
  ];
}

function refusal(pointer: string): Refused {
  return {
    code: 'erased',
    pointer,
    detail: 'this was erased, or is about something that was; what happens from now on is taken',
  };
}
