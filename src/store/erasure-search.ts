import type { SearchedPlace } from '../contracts/erasure';
import type { Database } from './database';
import type { ErasureTerms } from './erasure-terms';
import { walkTables } from './table-walk';
import { TermSearch } from './term-search';

/** What an erasure writes down for itself, until it has ended. */
export const OWN_TABLES: readonly string[] = ['erasure_items', 'erasure_terms'];
/** Said by somebody, and not made from what others said: what stands here too was not the erased one's alone. */
const SAYINGS: readonly string[] = ['events', 'messages', 'cards'];
/** Words of a card that stays: who said that said these. */
const OF_SAYINGS: readonly string[] = ['entities'];
/** Rules that people wrote: they stay, with whom they name. */
const RULES: readonly string[] = ['policies'];
/** Fields that hold an id of somebody or something, and not a name that anybody may use. */
const NAMING =
  /agent|person|subject|project|event|conversation|session|task|actor|owner|writer|parent|^(?:id|name|by_|root)/;
/** When a row was written, as far as it says so. */
const WRITTEN = ['recorded_at', 'created_at', 'at', 'started_at'];

export interface SearchOfTables {
  terms: ErasureTerms;
  /** Rows from later on may name somebody again. */
  requestedAt: Date;
  /** What others say too counts as found. */
  sharedIsFound: boolean;
  /** Called between two statements. */
  onProgress?: () => void;
}

export interface SearchedTables {
  places: SearchedPlace[];
  /** The terms that stand in no row at all: these are to be in no other place either. */
  nowhere: ErasureTerms;
}

/**
 * Looks for the terms in every column of every table that there is, by the catalogue, as far as the workspace goes.
 * A text that remains in what somebody else said is `shared` and no finding; an id that stands as a value of its own
 * in a row from before the request always is one.
 */
export async function searchTables(
  database: Database,
  workspace: string,
  { terms, requestedAt, sharedIsFound, onProgress = () => {} }: SearchOfTables,
): Promise<SearchedTables> {
  const finder = new Finder(terms, { requestedAt, sharedIsFound });
  const walked = await walkTables(database, workspace, {
    without: OWN_TABLES,
    look: (table, row) => finder.look(table, row),
    onProgress,
  });
  const places = [...walked].map(([name, searched]) => ({
    place: `table ${name}`,
    searched,
    ...finder.found(name),
  }));
  return { places, nowhere: finder.nowhere() };
}

/** Keeps of each term where it was found, and whether somebody else says it too. */
class Finder {
  private readonly search: TermSearch;
  private readonly saidElsewhere = new Set<number>();
  private readonly certain = new Map<string, number>();
  private readonly ruled = new Map<string, number>();
  private readonly open = new Map<string, Map<number, number>>();
  private readonly seen = new Set<number>();

  constructor(
    terms: ErasureTerms,
    private readonly rules: Pick<SearchOfTables, 'requestedAt' | 'sharedIsFound'>,
  ) {
    this.search = new TermSearch(terms);
  }

  look(table: string, text: string): void {
    const found = this.search.inText(text);
    if (found.size === 0) return;
    const row = JSON.parse(text) as Record<string, unknown>;
    const isSaying =
      !this.rules.sharedIsFound && SAYINGS.includes(table) && row.writer_kind !== 'system';
    for (const term of found) {
      this.seen.add(term);
      if (this.search.isId(term) && isKeptByLog(table, row, this.search.termOf(term))) continue;
      if (RULES.includes(table) && !this.rules.sharedIsFound) {
        this.ruled.set(table, (this.ruled.get(table) ?? 0) + 1);
      } else if (this.isNamed(table, row, term)) {
        if (this.isOld(table, row)) this.certain.set(table, (this.certain.get(table) ?? 0) + 1);
      } else if (isSaying) {
        this.saidElsewhere.add(term);
      } else {
        const counts = this.open.get(table) ?? new Map<number, number>();
        counts.set(term, (counts.get(term) ?? 0) + 1);
        this.open.set(table, counts);
      }
    }
  }

  found(table: string): Pick<SearchedPlace, 'found' | 'shared'> {
    let found = this.certain.get(table) ?? 0;
    let shared = this.ruled.get(table) ?? 0;
    for (const [term, count] of this.open.get(table) ?? []) {
      if (this.saidElsewhere.has(term)) shared += count;
      else found += count;
    }
    return shared === 0 ? { found } : { found, shared };
  }

  nowhere(): ErasureTerms {
    return this.search.without(this.seen);
  }

  private isNamed(table: string, row: Record<string, unknown>, term: number): boolean {
    if (!this.search.isId(term) || OF_SAYINGS.includes(table)) return false;
    return names(row, this.search.termOf(term), fieldsOf(table));
  }

  private isOld(table: string, row: Record<string, unknown>): boolean {
    const written = (table === 'blackboard' ? ['updated_at'] : WRITTEN)
      .map((column) => row[column])
      .find((time) => typeof time === 'string');
    return written === undefined || new Date(written as string) <= this.rules.requestedAt;
  }
}

/** Whose id the caller chose, and which are no names. */
const ROWS_OF_LOG = ['event', 'conversation', 'session'];

/**
 * Whether an id stands in a row of a log only where it says of which row it is, by its id or by its workflow, or in
 * which session somebody read: the logs are sealed and outlive their rows. Whoever and whatever has a name stands there
 * as a surrogate.
 */
function isKeptByLog(table: string, row: Record<string, unknown>, id: string): boolean {
  const target = ROWS_OF_LOG.includes(String(row.target_type)) ? null : row.target_id;
  const kept = {
    audit_log: { workflow_id: null, target_id: target },
    access_log: { session: null },
  };
  if (table !== 'audit_log' && table !== 'access_log') return false;
  return !JSON.stringify({ ...row, ...kept[table] }).includes(id);
}

/** Working memory has the fields that its writers want. */
function fieldsOf(table: string): RegExp {
  return table === 'blackboard' ? /^/ : NAMING;
}

/** Whether a field that names somebody or something has this id, and nothing else, as its value. */
function names(value: unknown, id: string, fields: RegExp, field = ''): boolean {
  if (value === id) return fields.test(field);
  if (Array.isArray(value)) return value.some((one) => names(one, id, fields, field));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, held]) => names(held, id, fields, key));
}

/**
 * What the planner remembers of columns: it keeps values as they were. Asked as the owner of the tables, so of all
 * workspaces: it is to be made anew before (`freshStatistics`), and asked for terms that stand in no row.
 */
export async function searchStatistics(
  database: Database,
  nowhere: ErasureTerms,
): Promise<SearchedPlace> {
  const search = new TermSearch(nowhere);
  const rows = await database.asOwner<{ row: string }>(
    `SELECT concat_ws(' ', s.most_common_vals::text, s.histogram_bounds::text, s.most_common_elems::text) AS row
       FROM pg_stats s
      WHERE s.schemaname = 'public' AND s.tablename NOT IN (${OWN_TABLES.map((name) => `'${name}'`).join(', ')})`,
  );
  const found = rows.filter(({ row }) => search.inText(row).size > 0).length;
  return { place: 'planner statistics', searched: rows.length, found };
}
