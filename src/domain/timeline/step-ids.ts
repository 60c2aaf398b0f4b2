/** Fields of what workflows and activities are given and answer that hold an id, and what the id is of. */
const ID_FIELDS: Readonly<Record<string, string>> = {
  event_id: 'event',
  card_id: 'card',
  skill_card: 'card',
  proposal_id: 'proposal',
  fix_id: 'fix',
  insight_id: 'insight',
  action_id: 'action',
  conversation_id: 'conversation',
  erasure_id: 'erasure',
  import_id: 'import',
  operation_id: 'run',
  parent_id: 'of run',
};
/** Records that stand in another and name what it is about. */
const RECORDS: readonly string[] = ['unit', 'request', 'last', 'answer'];
/** Ids of callers have at most 200 characters. */
const LONGEST = 300;

/**
 * The ids in these values, each once with the word for what it is of, in the order of the table above.
 * @example idsIn([{ event_id: 'call-7' }, { card_id: 'crd_1' }]) // ['event call-7', 'card crd_1']
 */
export function idsIn(values: readonly unknown[]): string[] {
  const found = values.flatMap(recordsOf);
  const named = Object.entries(ID_FIELDS).flatMap(([field, word]) =>
    found.flatMap((record) => idOf(record[field], word)),
  );
  return [...new Set([...named, ...found.flatMap(({ scope }) => scopeOf(scope))])];
}

function recordsOf(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const record = value as Record<string, unknown>;
  return [record, ...RECORDS.flatMap((name) => recordsOf(record[name]))];
}

function idOf(value: unknown, word: string): string[] {
  return typeof value === 'string' && value.length <= LONGEST ? [`${word} ${value}`] : [];
}

function scopeOf(scope: unknown): string[] {
  if (typeof scope !== 'object' || scope === null) return [];
  const { type, id } = scope as { type?: unknown; id?: unknown };
  return typeof type === 'string' ? idOf(id, type) : [];
}
