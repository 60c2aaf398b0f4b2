import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import type { Pool } from 'pg';
import { percentile, rounded } from './machine';
import { realEvents, type Stack } from './stack';

const REQUESTS = 300;
const BATCHES = 12;
const BATCH = 500;

/**
 * A 202 of one event against one row inserted over the same HTTP stack (fastify, a pool, a JSON body, one
 * statement), and a batch of 500 against the same. Requests alternate, one at a time.
 */
export async function acknowledgements(stack: Stack, pool: Pool): Promise<Record<string, unknown>> {
  await pool.query(
    'CREATE TABLE bench_rows (id text PRIMARY KEY, body jsonb NOT NULL, at timestamptz NOT NULL)',
  );
  const app = Fastify();
  app.post('/rows', async (request, reply) => {
    await pool.query('INSERT INTO bench_rows VALUES ($1, $2, now())', [
      randomUUID(),
      JSON.stringify(request.body),
    ]);
    return reply.status(202).send({ ok: true });
  });
  const base = await app.listen({ port: 0, host: '127.0.0.1' });
  const source = realEvents(REQUESTS);
  const insert: number[] = [];
  const event: number[] = [];
  const batch: number[] = [];
  for (let n = -20; n < REQUESTS; n += 1) {
    const body = { ...source[Math.abs(n) % source.length], event_id: `ack-${n + 20}` };
    const one = await timed(`${base}/rows`, stack.key, body);
    const two = await timed(`${stack.url}/v1/events`, stack.key, body);
    if (n < 0) continue;
    insert.push(one);
    event.push(two);
  }
  for (let n = 0; n < BATCHES; n += 1) {
    const events = Array.from({ length: BATCH }, (_, i) => ({
      ...source[i % source.length],
      event_id: `batch-${n}-${i}`,
    }));
    batch.push(await timed(`${stack.url}/v1/events`, stack.key, { events }));
  }
  await app.close();
  return {
    insert_ms: { p50: rounded(percentile(insert, 0.5)), p99: rounded(percentile(insert, 0.99)) },
    accepted_ms: { p50: rounded(percentile(event, 0.5)), p99: rounded(percentile(event, 0.99)) },
    p50_ratio: rounded(percentile(event, 0.5) / percentile(insert, 0.5)),
    p99_ratio: rounded(percentile(event, 0.99) / percentile(insert, 0.99)),
    batch_of_500_ms: { p50: rounded(percentile(batch, 0.5)), max: rounded(Math.max(...batch)) },
    batch_each_to_insert: rounded(percentile(batch, 0.5) / BATCH / percentile(insert, 0.5)),
  };
}

async function timed(url: string, key: string, body: unknown): Promise<number> {
  const text = JSON.stringify(body);
  const from = performance.now();
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: text,
  });
  await answer.arrayBuffer();
  if (answer.status !== 202) throw new Error(`${url} answered ${answer.status}`);
  return performance.now() - from;
}
