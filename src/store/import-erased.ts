import type { TombstoneKind } from '../contracts/erasure';
import type { Json, JsonObject } from '../contracts/event';
import type { Tx } from './database';
import { erasedAmong, tombstoneKey } from './tombstones';

/** The keyed hash of an id of this workspace. */
export type TombstoneHash = (kind: TombstoneKind, id: string) => Buffer;

type Names = readonly (readonly [kind: TombstoneKind, column: string])[];

const OF_CARD: Names = [['card', 'card_id']];
const OF_EVENT: Names = [['event', 'event_id']];
const OF_CONVERSATION: Names = [['conversation', 'conversation_id']];

/** What a line names that may be erased, by its type; a column may hold a list. */
const NAMED: Readonly<Record<string, Names>> = {
  subject: [['subject', 'id']],
  person: [
    ['person', 'id'],
    ['subject', 'subject_id'],
  ],
  agent: [['agent', 'id']],
  project: [['project', 'id']],
  session: [['agent', 'root_agent']],
  source: [['source', 'name']],
  event: [
    ['event', 'event_id'],
    ['agent', 'agent_id'],
    ['source', 'reporter_id'],
    ['subject', 'payload.subject'],
    ['project', 'payload.project'],
  ],
  capture: OF_EVENT,
  strike: OF_EVENT,
  competence_observation: OF_EVENT,
  fix_observation: OF_EVENT,
  card: [
    ['card', 'id'],
    ['event', 'event_id'],
    ['agent', 'agent_id'],
    ['subject', 'subject'],
    ['project', 'project'],
  ],
  card_version: [
    ['card', 'card_id'],
    ['subject', 'snapshot.subject'],
  ],
  card_usage: OF_CARD,
  card_grant: OF_CARD,
  card_group_grant: OF_CARD,
  confidence_mark: OF_CARD,
  recall_card: OF_CARD,
  watch: OF_CARD,
  skill: OF_CARD,
  skill_version: [
    ['card', 'card_id'],
    ['card', 'cards'],
    ['event', 'events'],
  ],
  skill_test: [
    ['card', 'card_id'],
    ['card', 'source_card'],
    ['event', 'source_event'],
  ],
  insight: OF_CARD,
  edge: [
    ['card', 'from_card'],
    ['card', 'to_card'],
  ],
  proposal: [['card', 'evidence']],
  reflection: [['card', 'sources']],
  conversation: [
    ['conversation', 'id'],
    ['agent', 'agent_id'],
    ['subject', 'subject'],
    ['project', 'project'],
  ],
  message: OF_CONVERSATION,
  conversation_detail: OF_CONVERSATION,
  pending_write: [['agent', 'agent_id']],
};

/** Of these what happened after the erasure is not erased. */
const UNTIL: ReadonlySet<TombstoneKind> = new Set([
  'subject',
  'person',
  'agent',
  'source',
  'project',
]);
/** When a row happened, by the first of these that it has. */
const TIMES = ['occurred_at', 'valid_from', 'recorded_at', 'created_at', 'started_at', 'at'];

/** Which of the rows are erased here, or are about somebody who was: by their places in the list. */
export async function erasedRows(
  tx: Tx,
  type: string,
  rows: readonly JsonObject[],
  hashOf: TombstoneHash,
): Promise<Set<number>> {
  const names = NAMED[type] ?? [];
  const named = rows.flatMap((row, at) =>
    names.flatMap(([kind, column]) =>
      idsIn(row, column).map((id) => ({ at, kind, hash: hashOf(kind, id), when: whenOf(row) })),
    ),
  );
  const erased = await erasedAmong(tx, named);
  const found = named.filter(({ kind, hash, when }) => {
    const until = erased.get(tombstoneKey({ kind, hash }));
    if (until === undefined) return false;
    return !UNTIL.has(kind) || when === null || when <= until.getTime();
  });
  return new Set(found.map(({ at }) => at));
}

function idsIn(row: JsonObject, column: string): string[] {
  const [first = '', second] = column.split('.');
  const value: Json = row[first] ?? null;
  const found = second === undefined ? value : isObject(value) ? (value[second] ?? null) : null;
  return (Array.isArray(found) ? found : [found]).filter((id) => typeof id === 'string');
}

function whenOf(row: JsonObject): number | null {
  const time = TIMES.map((column) => row[column]).find((value) => typeof value === 'string');
  const at = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
