import type { Card } from '../contracts/card';
import { VIAS, type Via } from '../contracts/names';
import type { RecallWeights } from '../contracts/policy';
import type { Pools, RecallFilters } from '../contracts/recall';
import type { InputFields } from '../domain/input-fields';
import type { WalkedEdge } from '../domain/pagerank';
import type { Candidate, OtherEnd, RecallEdge } from '../domain/recall-pipeline';
import { substance } from '../domain/substance';
import { type CardRow, cardOf } from './card-row';
import type { Tx } from './database';
import type { IndexedVectors } from './recall-many';
import type { RewordedIndex } from './recall-past';
import { RECALL_AMONG_FEW, recallAmongMany } from './recall-statement';
import { SCAN_WIDTH } from './vector-index';
import type { ReaderArguments } from './visible-cards';

export interface RecallRead {
  reader: ReaderArguments;
  /** Of the query, by `lexicalTerms`. */
  terms: readonly string[];
  /** Null leaves the dense arm out. */
  vector: readonly number[] | null;
  embedder: string;
  /** The query without the names in it, by the same embedder; null where it names nobody. */
  bareVector: readonly number[] | null;
  /** The query by the embedder whose vectors are being replaced; null at all other times. */
  older: { vector: readonly number[]; model: string } | null;
  /** What the query names, by `namesAsked`. */
  names: readonly string[];
  /** The time it speaks of; null where open. */
  from: Date | null;
  until: Date | null;
  arms: RecallWeights['arms'];
  /** By what index the nearest are found; null compares all that is visible. */
  index: IndexedVectors | null;
  asOf: Date;
  knownAt: Date;
  filters: RecallFilters;
  project: string | null;
  /** The subject beside whom nobody else is spoken of. */
  about?: string | null;
  /** Cards taken from each arm. */
  perArm: number;
  /** How cards that were reworded since `knownAt` were indexed then. */
  reworded: readonly RewordedIndex[];
}

export interface RecallFound {
  candidates: Candidate[];
  edges: RecallEdge[];
  /** What the graph arm walks over. */
  walked: WalkedEdge[];
  others: OtherEnd[];
  pools: Pools;
}

interface RecallRow {
  candidates: (CardRow & {
    via: Via[];
    dense: number | null;
    dense_context: number | null;
    lexical: number | null;
    lexical_context: number | null;
    structured: number | null;
    named: number | null;
    neighbour: number | null;
    episode: number | null;
    recency: number | null;
    is_newest_note: boolean;
    /** Null where no operation is named: nothing is compared by it. */
    input_fields: InputFields | null;
    words: number;
    touched_at: string;
    has_vector: boolean;
  })[];
  /** Two candidates by their places, the lower first. */
  near: [number, number][];
  edges: RecallEdge[];
  walked: WalkedEdge[];
  others: OtherEnd[];
  pools: Partial<Pools>;
}

/**
 * A scan of the index goes on until enough of what it brings may be seen, and gives up after so many: a
 * twentieth of a million.
 */
const SCAN_ON = `SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true),
                        set_config('hnsw.ef_search', '${SCAN_WIDTH}', true),
                        set_config('hnsw.max_scan_tuples', '50000', true)`;

const statements = new Map<string, string>();

function amongMany(index: IndexedVectors): string {
  const key = `${index.dims} ${index.model}`;
  const made = statements.get(key) ?? recallAmongMany(index);
  statements.set(key, made);
  return made;
}

/** Recall's one read; `recall-statement.ts` says what of. */
export async function readForRecall(tx: Tx, read: RecallRead): Promise<RecallFound> {
  if (read.index !== null) await tx.query(SCAN_ON);
  const statement = read.index === null ? RECALL_AMONG_FEW : amongMany(read.index);
  const row = await tx.one<RecallRow>(statement, [
    ...read.reader,
    read.knownAt,
    read.asOf,
    read.terms,
    vectorText(read.vector),
    read.embedder,
    read.perArm,
    read.project,
    JSON.stringify(filterValues(read)),
    JSON.stringify(read.reworded.map((card) => ({ ...card, vector: vectorText(card.vector) }))),
    read.names,
    vectorText(read.bareVector),
    JSON.stringify(read.arms),
    read.from,
    read.until,
    vectorText(read.older?.vector),
    read.older?.model ?? null,
  ]);
  const none = Object.fromEntries(VIAS.map((via) => [via, 0])) as Pools;
  return {
    candidates: withNear(row),
    edges: row.edges,
    walked: row.walked,
    others: row.others.map((other) => ({
      ...other,
      valid_from: utc(other.valid_from),
      valid_to: utcOrNull(other.valid_to ?? null),
    })),
    pools: { ...none, ...row.pools },
  };
}

function vectorText(vector: readonly number[] | null | undefined): string | null {
  return vector == null ? null : `[${vector.join(',')}]`;
}

/** Single values become lists, so that the statement has one form for both. */
function filterValues({ filters, about }: RecallRead): Record<string, unknown> {
  const list = (value: string | string[] | undefined): string[] | undefined =>
    value === undefined ? undefined : Array.isArray(value) ? value : [value];
  return {
    ...filters,
    kind: list(filters.kind),
    sign: list(filters.sign),
    ...(about == null ? {} : { about }),
  };
}

function withNear({ candidates, near }: RecallRow): Candidate[] {
  const nearTo = candidates.map(() => new Set<string>());
  for (const [one, other] of near) {
    const [a, b] = [candidates[one], candidates[other]];
    if (!a || !b) throw new Error(`no candidates at ${one} and ${other}`);
    nearTo[one]?.add(b.id);
    nearTo[other]?.add(a.id);
  }
  return candidates.map((row, place) => ({
    ...candidateOf(row),
    vector: row.has_vector ? { near: nearTo[place] ?? new Set() } : null,
  }));
}

function candidateOf(row: RecallRow['candidates'][number]): Candidate {
  return {
    ...withUtcTimes(cardOf(row)),
    via: row.via,
    dense: row.dense,
    dense_context: row.dense_context,
    lexical: row.lexical,
    lexical_context: row.lexical_context,
    structured: row.structured,
    named: row.named,
    neighbour: row.neighbour,
    episode: row.episode,
    substance: substance(row.summary, row.words),
    recency: row.recency,
    is_newest_note: row.is_newest_note,
    ...(row.input_fields === null ? {} : { input_fields: row.input_fields }),
    // Of `withNear`, likewise.
    vector: null,
    fold_key: null,
    proven_uses: row.use_count,
    touched_at: utc(row.touched_at),
  };
}

/** JSON carries times with an offset; every surface shows them in UTC. */
function withUtcTimes<T extends Card>(card: T): T {
  return {
    ...card,
    valid_from: utc(card.valid_from),
    valid_to: utcOrNull(card.valid_to),
    recorded_at: utc(card.recorded_at),
    expires_at: utcOrNull(card.expires_at),
    last_used_at: utcOrNull(card.last_used_at),
  };
}

function utc(time: string): string {
  return new Date(time).toISOString();
}

function utcOrNull(time: string | null): string | null {
  return time === null ? null : utc(time);
}
