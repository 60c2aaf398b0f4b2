/**
 * Recall at growing numbers of cards against one scoped pgvector query, alone and with sixteen readers.
 *
 *   npm run bench:recall -- --scale 1000,10000,100000 [--queries 60] [--embedding]
 *
 * A few thousand real cards by the real intake and capture, then copies of them straight into the tables
 * (`support/multiply.ts`): agents of 300 cards in teams of ten, grants, edges, sessions. Readers: a person who
 * sees everything, an agent with its pools, and one that was granted 30,000 cards. The scoped query has the
 * same embedding, the same reader's cards and the same index, and answers over HTTP as recall does.
 */
import Fastify from 'fastify';
import { Pool } from 'pg';
import type { Embedder } from '../src/models/embedder';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { Database } from '../src/store/database';
import { rollUp } from '../src/store/rollup';
import { indexVectors } from '../src/store/vector-index';
import { aboutTo, ask, miniLm } from './support/asking';
import { fill } from './support/fill';
import { machine, percentile, rounded } from './support/machine';
import { HUB, multiply } from './support/multiply';
import { realEvents, type Stack, startStack } from './support/stack';

const ORIGINS = 1_000;
const READERS_AT_ONCE = 16;
const WARM = 10;
const NEIGHBOURS = 10;

export interface ScaleOptions {
  sizes: number[];
  queries: number;
  embedding: boolean;
}

export async function benchScale(options: ScaleOptions): Promise<void> {
  const stack = await startStack({ embedding: options.embedding });
  const embedder = options.embedding ? await miniLm() : createHashedEmbedder();
  const pool = new Pool({ connectionString: stack.databaseUrl, max: 17 });
  const database = new Database({
    url: stack.databaseUrl,
    connections: 4,
    acquireTimeoutMs: 30_000,
    onIdleError: () => {},
  });
  const baseline = await scopedQuery(pool, embedder);
  try {
    await pool.query(`ALTER DATABASE cairn SET maintenance_work_mem = '2GB'`);
    await fill(database, embedder, realEvents(ORIGINS), ORIGINS);
    let cards = ORIGINS;
    const sizes: unknown[] = [];
    for (const size of options.sizes) {
      const from = performance.now();
      await multiply(pool, cards, size);
      cards = size;
      await settle(pool, database);
      const readyIn = rounded((performance.now() - from) / 1_000, 1);
      const readers: Record<string, unknown> = {};
      for (const agent of [null, 'agent-2', HUB]) {
        readers[agent ?? 'person'] = {
          alone: await compared(stack, size, baseline.url, agent, options.queries, 1),
          sixteen: await compared(
            stack,
            size,
            baseline.url,
            agent,
            options.queries,
            READERS_AT_ONCE,
          ),
          overlap: await overlap(stack, pool, embedder, agent),
        };
      }
      sizes.push({ cards: size, ready_in_s: readyIn, readers });
      console.error(JSON.stringify(sizes.at(-1)));
    }
    console.log(
      JSON.stringify(
        {
          bench: 'recall-scale',
          at: new Date().toISOString(),
          machine: machine(),
          embedder: embedder.id,
          sizes,
        },
        null,
        2,
      ),
    );
  } finally {
    await baseline.close();
    await database.close();
    await pool.end();
    await embedder.close();
    await stack.stop();
  }
}

/** What the server's own keeper would bring about in time. */
async function settle(pool: Pool, database: Database): Promise<void> {
  await pool.query('ANALYZE');
  await pool.query('TRUNCATE scope_statistics, term_statistics, statistics_marks');
  const later = new Date(Date.now() + 3_600_000);
  while ((await database.inWorkspace('default', (tx) => rollUp(tx, later))) > 0);
  await pool.query(
    `UPDATE workspaces SET embedding_model = (SELECT model FROM card_embeddings LIMIT 1)`,
  );
  await indexVectors(database);
  await pool.query('VACUUM ANALYZE');
  await pool.query('CHECKPOINT');
}

/** The reader's cards by scope and grant, as anybody would write it by hand. */
const SCOPED = `
  FROM card_embeddings e
  JOIN cards c ON c.workspace_id = e.workspace_id AND c.id = e.card_id
 WHERE e.workspace_id = 'default' AND e.field = 'summary' AND e.model = $MODEL
   AND c.status IN ('pending', 'active', 'validated')
   AND ($2::text IS NULL OR c.scope_type = 'agent' AND c.scope_id = $2
        OR c.scope_type = 'team' AND c.scope_id = (SELECT team_id FROM agents WHERE workspace_id = 'default' AND id = $2)
        OR c.scope_type = 'workspace' OR c.visibility = 'organization'
        OR c.id IN (SELECT card_id FROM card_grants WHERE workspace_id = 'default' AND agent_id = $2))
 ORDER BY e.embedding::vector($DIMS) <=> $1::vector($DIMS)
 LIMIT ${NEIGHBOURS}`;

const scoped = (columns: string, embedder: Embedder) =>
  `SELECT ${columns} ${SCOPED.replaceAll('$DIMS', String(embedder.dims)).replace('$MODEL', `'${embedder.id}'`)}`;

async function scopedQuery(pool: Pool, embedder: Embedder) {
  const app = Fastify();
  const text = scoped('c.id, c.kind, c.sign, c.summary', embedder);
  app.post('/nearest', async (request) => {
    const { query, agent } = request.body as { query: string; agent: string | null };
    const [vector] = await embedder.embed([query], undefined, { priority: 'query' });
    const client = await pool.connect();
    try {
      await client.query(
        `BEGIN; SET LOCAL hnsw.iterative_scan = 'relaxed_order'; SET LOCAL jit = off`,
      );
      const { rows } = await client.query(text, [`[${Array.from(vector ?? []).join(',')}]`, agent]);
      await client.query('COMMIT');
      return { cards: rows };
    } finally {
      client.release();
    }
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url, close: () => app.close() };
}

async function compared(
  stack: Stack,
  cards: number,
  baseline: string,
  agent: string | null,
  count: number,
  atOnce: number,
) {
  // Asked at no other size: neither side knows their vectors.
  const all = aboutTo(realEvents(ORIGINS), count + WARM, `${cards} ${agent} ${atOnce} `);
  const side = async (url: string): Promise<number[]> => {
    const samples: number[] = [];
    const queue = [...all.entries()];
    const one = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { ms } = await ask(url, stack.key, bodyOf(url, next[1], agent), agent);
        if (next[0] >= WARM) samples.push(ms);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    return samples;
  };
  const nearest = await side(`${baseline}/nearest`);
  const recalls = await side(`${stack.url}/v1/recall`);
  const at = (p: number) => ({
    scoped: rounded(percentile(nearest, p), 1),
    recall: rounded(percentile(recalls, p), 1),
    ratio: rounded(percentile(recalls, p) / percentile(nearest, p)),
  });
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** The scoped query is told its reader in the body, recall by the header. */
function bodyOf(url: string, query: string, agent: string | null): unknown {
  return url.includes('/v1/') ? { query } : { query, agent };
}

/** The share of the true nearest, by exact comparison in the reader's scope, that recall's index brings. */
async function overlap(stack: Stack, pool: Pool, embedder: Embedder, agent: string | null) {
  const shares: number[] = [];
  for (const query of aboutTo(realEvents(ORIGINS), 20, 'overlap ')) {
    const [vector] = await embedder.embed([query], undefined, { priority: 'query' });
    const client = await pool.connect();
    try {
      await client.query('BEGIN; SET LOCAL enable_indexscan = off; SET LOCAL jit = off');
      const { rows } = await client.query(scoped('c.id', embedder), [
        `[${Array.from(vector ?? []).join(',')}]`,
        agent,
      ]);
      await client.query('COMMIT');
      const wide = { query, explain: true, limit: 50, budget_tokens: 20_000 };
      const { body } = await ask(`${stack.url}/v1/recall`, stack.key, wide, agent);
      const { cards, dropped } = body as Record<string, { id: string }[]>;
      const looked = new Set([...(cards ?? []), ...(dropped ?? [])].map(({ id }) => id));
      const there = rows.filter(({ id }: { id: string }) => looked.has(id));
      if (rows.length > 0) shares.push(there.length / rows.length);
    } finally {
      client.release();
    }
  }
  if (shares.length === 0) return null;
  return rounded(shares.reduce((sum, share) => sum + share, 0) / shares.length, 3);
}
