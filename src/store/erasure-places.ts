import type { SearchedPlace } from '../contracts/erasure';
import type { Database } from './database';
import { forgetStatistics, freshStatistics, rewriteEverything, rewriteOwn } from './erasure-scrub';
import { OWN_TABLES, searchStatistics, searchTables } from './erasure-search';
import type { ErasureTerms } from './erasure-terms';
import { idPart } from './ids';
import type { TemporalHistories } from './temporal-histories';
import { TermSearch } from './term-search';

/** The files of the embedded database, where they are ours to look into. */
export interface DurableFiles {
  /** Every byte of every file, but for those whose path ends so. */
  search(
    search: TermSearch,
    without: readonly string[],
    onProgress: () => void,
  ): Promise<SearchedPlace[]>;
  /** Our own log, which holds ids, loses them. */
  blackenLogs(search: TermSearch): void;
  /** What Temporal deleted goes out of its file too, when it ends; with what its tasks say of these workflows. */
  scrubTemporalLater(workflowIds: readonly string[]): Promise<void>;
}

export interface DurablePlaces {
  database: Database;
  /** Null where nobody could be asked: a test of the tables alone. */
  histories: TemporalHistories | null;
  /** Null where Postgres is a server of its own. */
  files: DurableFiles | null;
}

export interface PlacesSearch {
  workspace: string;
  terms: ErasureTerms;
  requestedAt: Date;
  /** What others say too counts as found. */
  sharedIsFound?: boolean;
  onProgress?: () => void;
}

/**
 * Looks for what was erased in every durable place: tables by the catalogue, what the planner remembers, Temporal's
 * histories, and the bytes of the data directory. What remains in the words of others is looked for in tables only.
 */
export async function searchPlaces(
  { database, histories, files }: DurablePlaces,
  { workspace, terms, requestedAt, sharedIsFound = false, onProgress = () => {} }: PlacesSearch,
): Promise<SearchedPlace[]> {
  const asked = { terms, requestedAt, sharedIsFound, onProgress };
  const tables = await searchTables(database, workspace, asked);
  const search = new TermSearch(tables.nowhere);
  const found = await histories?.search(workspace, search, onProgress);
  return [
    ...tables.places,
    await searchStatistics(database, tables.nowhere),
    ...(found === undefined ? [] : [found]),
    ...(await searchFiles({ database, files }, search, onProgress)),
  ];
}

/**
 * The same at the end of an erasure: takes out of planner, files and Temporal what deleting rows leaves there, and
 * looks for what is left then.
 */
export async function forgetInPlaces(
  { database, histories, files }: DurablePlaces,
  { workspace, terms, requestedAt, onProgress = () => {} }: PlacesSearch,
): Promise<SearchedPlace[]> {
  await freshStatistics(database);
  const asked = { terms, requestedAt, sharedIsFound: false, onProgress };
  const tables = await searchTables(database, workspace, asked);
  const search = new TermSearch(tables.nowhere);
  // Of a name that fits no id of a workflow a part of its hash stands there.
  const ids = new Set(terms.ids.flatMap((id) => [id, idPart(id)]));
  const forgotten = await histories?.forget(workspace, { search, ids, onProgress });
  if (files !== null) {
    files.blackenLogs(new TermSearch(terms));
    await files.scrubTemporalLater(forgotten?.deleted ?? []);
    await rewriteEverything(database);
  }
  return [
    ...tables.places,
    await searchStatistics(database, tables.nowhere),
    ...(forgotten === undefined ? [] : [forgotten.place]),
    ...(await searchFiles({ database, files }, search, onProgress)),
  ];
}

async function searchFiles(
  { database, files }: Pick<DurablePlaces, 'database' | 'files'>,
  search: TermSearch,
  onProgress: () => void,
): Promise<SearchedPlace[]> {
  if (files === null) return [];
  return await files.search(search, await ownFiles(database), onProgress);
}

/** The same for what the erasure wrote down itself, once it has ended. */
export async function scrubOwn({ database, files }: DurablePlaces): Promise<void> {
  await forgetStatistics(database);
  if (files !== null) await rewriteOwn(database, ['reasons', 'erasures']);
}

/** Of what an erasure writes down for itself, with what is stored beside them. */
async function ownFiles(database: Database): Promise<string[]> {
  const names = OWN_TABLES.map((name) => `'${name}'`).join(', ');
  const rows = await database.asOwner<{ path: string }>(
    `SELECT '/' || pg_relation_filepath(o.oid) AS path
       FROM pg_class c
       LEFT JOIN pg_index i ON i.indrelid = c.oid
       LEFT JOIN pg_class t ON t.oid = c.reltoastrelid
      CROSS JOIN LATERAL (VALUES (c.oid), (i.indexrelid), (t.oid)) AS o (oid)
      WHERE c.relnamespace = 'public'::regnamespace AND c.relname IN (${names}) AND o.oid IS NOT NULL`,
  );
  return rows.map(({ path }) => path);
}
