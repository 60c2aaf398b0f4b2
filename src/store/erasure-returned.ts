import type { TombstoneKind } from '../contracts/erasure';
import type { Database } from './database';
import { walkTables } from './table-walk';

/** An id that stands in the database and whose keyed hash is a tombstone's. */
export interface ReturnedId {
  kind: TombstoneKind;
  id: string;
  /** The tables that name it, with how many of their rows. */
  tables: Map<string, number>;
}

export interface Buried {
  /** The keyed hash of an id of this kind, hex. */
  hashOf(kind: TombstoneKind, id: string): string;
  /** By kind and hash: when it was erased. Null where it is not. */
  erasedAt(kind: TombstoneKind, hash: string): Date | null;
}

/** Logs keep ids of cards and surrogates of names, and no content. */
const LOGS = ['audit_log', 'access_log', 'audit_chain', 'tombstones', 'erasures', 'erasure_items'];
/** Fields that name a thing of a kind, in whichever table; and the table whose `id` does. */
const FIELDS: Readonly<Record<TombstoneKind, { field: RegExp; table: string }>> = {
  event: { field: /event/, table: 'events' },
  card: { field: /card|^evidence$|^sources$/, table: 'cards' },
  subject: { field: /subject/, table: 'subjects' },
  person: { field: /person|^by_/, table: 'people' },
  agent: { field: /agent/, table: 'agents' },
  source: { field: /^service$/, table: 'sources' },
  project: { field: /project/, table: 'projects' },
  conversation: { field: /conversation/, table: 'conversations' },
};
const KINDS = Object.keys(FIELDS) as TombstoneKind[];
/** Of these, what was written after the erasure is new. */
const UNTIL: readonly TombstoneKind[] = ['subject', 'person', 'agent', 'source', 'project'];
/** When a row was written, as far as it says so. */
const WRITTEN = ['recorded_at', 'created_at', 'at', 'started_at'];
/** The longest id there is. */
const LONGEST_ID = 200;

/**
 * Finds which ids of the workspace are tombstoned, by hashing every value that names something, in whichever table.
 * Events, cards and conversations must not be there at all; what is about a subject, person, agent, source or project
 * only from later than its erasure.
 */
export async function returnedIds(
  database: Database,
  workspace: string,
  buried: Buried,
  onProgress: () => void = () => {},
): Promise<ReturnedId[]> {
  const known = new Map<string, Date | null>();
  const found = new Map<string, ReturnedId>();
  const erasedAt = (kind: TombstoneKind, id: string): Date | null => {
    const key = `${kind}:${id}`;
    const at = known.get(key);
    if (at !== undefined) return at;
    const asked = buried.erasedAt(kind, buried.hashOf(kind, id));
    known.set(key, asked);
    return asked;
  };
  const look = (table: string, text: string): void => {
    const row = JSON.parse(text) as Record<string, unknown>;
    const written = WRITTEN.map((column) => row[column]).find((time) => typeof time === 'string');
    const names = new Set<string>();
    namesIn(row, '', table, (kind, id) => {
      const at = erasedAt(kind, id);
      if (at === null) return;
      const isNew =
        UNTIL.includes(kind) && written !== undefined && new Date(written as string) > at;
      if (!isNew) names.add(`${kind}:${id}`);
    });
    for (const name of names) {
      const [kind] = name.split(':', 1) as [TombstoneKind];
      const so = found.get(name) ?? { kind, id: name.slice(kind.length + 1), tables: new Map() };
      so.tables.set(table, (so.tables.get(table) ?? 0) + 1);
      found.set(name, so);
    }
  };
  await walkTables(database, workspace, { without: LOGS, look, onProgress });
  return [...found.values()];
}

/**
 * Tells of every id that a value names, by the names of its fields.
 * @param table whose own ids are in `id`
 */
export function namesIn(
  value: unknown,
  field: string,
  table: string,
  named: (kind: TombstoneKind, id: string) => void,
): void {
  if (typeof value === 'string') {
    if (value.length === 0 || value.length > LONGEST_ID) return;
    for (const kind of KINDS) {
      const { field: pattern, table: own } = FIELDS[kind];
      if (pattern.test(field) || (table === own && isOwnId(field, kind))) named(kind, value);
    }
  } else if (Array.isArray(value)) {
    for (const one of value) namesIn(one, field, table, named);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, held] of Object.entries(value)) namesIn(held, key, table, named);
  }
}

/** `id` is the table's own; of a source it is its name. */
function isOwnId(field: string, kind: TombstoneKind): boolean {
  return field === (kind === 'source' ? 'name' : 'id');
}
