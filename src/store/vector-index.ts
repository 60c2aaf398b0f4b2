import { createHash } from 'node:crypto';
import type { Database } from './database';

/**
 * Below it a scan of all that is visible is as fast, and exact. Design §4 says about 20,000, of vectors alone;
 * with the other arms a scan of 10,000 costs twice what the indexes cost (measured: 104 and 50 ms).
 */
export const INDEXED_FROM = 2_000;
/** A build over a million vectors takes minutes; nothing waits for it. */
const BUILD_DEADLINE_MS = 4 * 3_600_000;

/**
 * How wide a graph is looked through when a vector finds its place in it. pgvector's own 64 tells near copies
 * apart badly: of 100,000 vectors in clusters of a hundred it brings .79 of the true neighbours, this one .97; the
 * build takes twice as long.
 */
const BUILD_WIDTH = 400;
/** How wide a query looks; with half of it .94 of them are found, in the same time. */
export const SCAN_WIDTH = 400;

/** The name of the index over the vectors of one model; one that is built another way has another. */
export function vectorIndexName(model: string): string {
  return `${nameOf(model)}_${BUILD_WIDTH}`;
}

function nameOf(model: string): string {
  return `card_embeddings_near_${createHash('sha256').update(model).digest('hex').slice(0, 16)}`;
}

/** A model's name as SQL text; it comes from the configuration, and from nobody else. */
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

interface Model {
  model: string;
  dims: number;
}

/**
 * Builds the index over the vectors of each model that has enough of them, beside all reading and
 * writing. Columns of vectors have no dimension, so the index is over a cast, and of one model.
 * @returns the names of those it built.
 */
export async function indexVectors(database: Database): Promise<string[]> {
  const [size] = await database.asOwner<{ rows: number }>(
    `SELECT reltuples AS rows FROM pg_class WHERE oid = 'card_embeddings'::regclass`,
  );
  if ((size?.rows ?? 0) < INDEXED_FROM) return [];
  // The commonest models of the planner's own statistics: counting a million rows is no upkeep.
  const models = await database.asOwner<Model>(
    `SELECT m.model, (SELECT e.dims FROM card_embeddings e WHERE e.model = m.model LIMIT 1) AS dims
       FROM pg_stats s
      CROSS JOIN LATERAL unnest(s.most_common_vals::text::text[], s.most_common_freqs) AS m (model, share)
      WHERE s.tablename = 'card_embeddings' AND s.attname = 'model' AND m.share * ${size?.rows ?? 0} >= ${INDEXED_FROM}`,
  );
  const built: string[] = [];
  for (const { model, dims } of models.filter((one) => one.dims > 0)) {
    const name = vectorIndexName(model);
    const [found] = await database.asOwner<{ valid: boolean }>(
      `SELECT i.indisvalid AS valid FROM pg_index i WHERE i.indexrelid = to_regclass('${name}')`,
    );
    if (found !== undefined) continue;
    await database.asOwner(
      `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON card_embeddings
        USING hnsw ((embedding::vector(${dims})) vector_cosine_ops) WITH (ef_construction = ${BUILD_WIDTH})
        WHERE field = 'summary' AND model = ${literal(model)}`,
      BUILD_DEADLINE_MS,
    );
    built.push(name);
    await dropOthers(database, model, name);
  }
  return built;
}

/** Those of the same vectors that were built another way. */
async function dropOthers(database: Database, model: string, kept: string): Promise<void> {
  const others = await database.asOwner<{ name: string }>(
    `SELECT indexname AS name FROM pg_indexes
      WHERE tablename = 'card_embeddings' AND starts_with(indexname, '${nameOf(model)}') AND indexname <> '${kept}'`,
  );
  for (const { name } of others) {
    await database.asOwner(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`, BUILD_DEADLINE_MS);
  }
}
