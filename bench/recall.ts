/**
 * Recall at 10,000 cards against one scoped pgvector query, the same query embedding made on both sides.
 *
 *   npm run bench:recall -- [--cards 10000] [--queries 200] [--embedding]
 *   npm run bench:recall -- --scale 1000,10000,100000 [--queries 60] [--embedding]   (recall-scale.ts)
 *
 * The cards come of real events, through intake and capture as in production, under agents of their own,
 * until there are enough. Two readers: one who may see all of them (a person), and an agent with its own
 * share. Both sides answer over HTTP, in turn; the scoped query asks for the ten nearest cards that stand
 * in the reader's scope, and nothing else. Prints one JSON document.
 */
import { parseArgs } from 'node:util';
import Fastify from 'fastify';
import { Pool } from 'pg';
import type { Embedder } from '../src/models/embedder';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { Database } from '../src/store/database';
import { benchScale } from './recall-scale';
import { aboutTo, ask, miniLm } from './support/asking';
import { fill } from './support/fill';
import { machine, percentile, rounded } from './support/machine';
import { realEvents, type Stack, startStack } from './support/stack';

const { values } = parseArgs({
  options: {
    cards: { type: 'string', default: '10000' },
    queries: { type: 'string', default: '200' },
    embedding: { type: 'boolean', default: false },
    scale: { type: 'string' },
  },
});
const CARDS = Number(values.cards);
const QUERIES = Number(values.queries);
const WARM = 20;

async function main(): Promise<void> {
  const stack = await startStack({ embedding: values.embedding });
  const embedder = values.embedding ? await miniLm() : createHashedEmbedder();
  const pool = new Pool({ connectionString: stack.databaseUrl, max: 2 });
  const database = new Database({
    url: stack.databaseUrl,
    connections: 4,
    acquireTimeoutMs: 30_000,
    onIdleError: () => {},
  });
  try {
    const from = performance.now();
    await fill(database, embedder, realEvents(4_022), CARDS);
    await pool.query('ANALYZE');
    const filledIn = rounded((performance.now() - from) / 1_000, 1);
    const baseline = await scopedQuery(pool, embedder);
    const agent = await busiestAgent(pool);
    const everything = await compared(stack, baseline.url, null);
    const own = await compared(stack, baseline.url, agent);
    await baseline.close();
    console.log(
      JSON.stringify(
        {
          bench: 'recall',
          at: new Date().toISOString(),
          machine: machine(),
          embedder: embedder.id,
          cards: CARDS,
          filled_in_s: filledIn,
          reader_of_everything: everything,
          reader_of_own_share: { agent, ...own },
        },
        null,
        2,
      ),
    );
  } finally {
    await database.close();
    await pool.end();
    await embedder.close();
    await stack.stop();
  }
}

/** A minimal server of the same kind: embed, one query, answer. */
async function scopedQuery(
  pool: Pool,
  embedder: Embedder,
): Promise<{ url: string; close(): Promise<void> }> {
  const app = Fastify();
  app.post('/nearest', async (request) => {
    const { query, agent } = request.body as { query: string; agent: string | null };
    const [vector] = await embedder.embed([query], undefined, { priority: 'query' });
    const { rows } = await pool.query({
      name: 'nearest',
      text: `SELECT c.id, c.kind, c.sign, c.summary
               FROM cards c
               JOIN card_embeddings e
                 ON e.workspace_id = c.workspace_id AND e.card_id = c.id AND e.field = 'summary'
              WHERE c.workspace_id = $1 AND ($2::text IS NULL OR (c.scope_type = 'agent' AND c.scope_id = $2))
                AND c.status IN ('pending', 'active', 'validated')
              ORDER BY e.embedding <=> $3::vector
              LIMIT 10`,
      values: ['default', agent, `[${Array.from(vector ?? []).join(',')}]`],
    });
    return { cards: rows };
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url, close: () => app.close() };
}

async function busiestAgent(pool: Pool): Promise<string> {
  const { rows } = await pool.query(
    'SELECT scope_id FROM cards GROUP BY scope_id ORDER BY count(*) DESC, scope_id LIMIT 1',
  );
  return rows[0].scope_id;
}

async function compared(stack: Stack, baseline: string, agent: string | null) {
  const recalls: number[] = [];
  const nearest: number[] = [];
  let pools: unknown;
  for (const [n, query] of aboutTo(realEvents(4_022), QUERIES + WARM).entries()) {
    const one = await ask(`${baseline}/nearest`, stack.key, { query, agent }, null);
    const two = await ask(`${stack.url}/v1/recall`, stack.key, { query }, agent);
    if (n < WARM) continue;
    nearest.push(one.ms);
    recalls.push(two.ms);
    pools = two.body.pools;
  }
  const figures = (samples: number[]) => ({
    p50: rounded(percentile(samples, 0.5)),
    p99: rounded(percentile(samples, 0.99)),
  });
  return {
    pools,
    scoped_query_ms: figures(nearest),
    recall_ms: figures(recalls),
    p50_ratio: rounded(percentile(recalls, 0.5) / percentile(nearest, 0.5)),
    p99_ratio: rounded(percentile(recalls, 0.99) / percentile(nearest, 0.99)),
  };
}

const scale = values.scale?.split(',').map(Number);
const run =
  scale === undefined
    ? main()
    : benchScale({ sizes: scale, queries: QUERIES, embedding: values.embedding });
run.then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
