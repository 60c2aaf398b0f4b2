/**
 * Captures a second of real events, end to end, against a bare workflow with two empty activities on the
 * same Temporal server; where the CPU goes; and what an acknowledgement costs beside a single insert.
 *
 *   npm run bench:capture -- [--events 1500] [--rounds 3]
 *
 * One run measures both sides in turn, and the ratios are of this run; single figures move by 15 % on a
 * machine that does other work. Prints one JSON document.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { Pool } from 'pg';
import type { SettledEvent } from '../src/contracts/event';
import { acknowledgements } from './support/acknowledgements';
import { type BareWorker, startBareWorker } from './support/bare/process';
import { BARE_QUEUE } from './support/bare/worker';
import { machine, rounded, type Usage, usageOf } from './support/machine';
import { realEvents, type Stack, startStack } from './support/stack';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1500' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    together: { type: 'boolean', default: false },
  },
});
const EVENTS = Number(values.events);
const ROUNDS = Number(values.rounds);
/** What `cairn import` sends at once. */
const BATCH = 100;
/** Starts in flight, as many as Cairn's own sender has. */
const IN_FLIGHT = 24;

interface Split {
  server: number;
  worker: number;
  postgres: number;
  temporal: number;
}

interface Rate {
  per_second: number;
  seconds: number;
  cpu_ms_each: Split;
}

async function main(): Promise<void> {
  const without = values.only === 'with' ? null : await measure(false);
  const withVectors = values.only === 'without' ? null : await measure(true);
  console.log(
    JSON.stringify(
      {
        bench: 'capture',
        at: new Date().toISOString(),
        machine: machine(),
        events: EVENTS,
        without_embedding: without,
        with_embedding: withVectors,
      },
      null,
      2,
    ),
  );
}

/** Rounds alternate, so that what else the machine does meets both sides. */
async function measure(embedding: boolean) {
  const stack = await startStack({ embedding, together: values.together });
  const bareWorker = await startBareWorker(stack.temporal.address);
  const connection = await Connection.connect({ address: stack.temporal.address });
  const pool = new Pool({ connectionString: stack.databaseUrl, max: 2 });
  try {
    const client = new Client({ connection, namespace: stack.temporal.namespace });
    const events = realEvents(EVENTS);
    const share = Math.floor(EVENTS / (ROUNDS + 1));
    // The first share warms both sides up and is not counted.
    await captures(stack, pool, events.slice(0, share));
    await bares(client, bareWorker, 100, 'warm');
    const rates: { capture: Rate; bare: number }[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const bare = await bares(client, bareWorker, Math.min(300, share), `round-${round}`);
      const slice = events.slice(round * share, (round + 1) * share);
      rates.push({ capture: await captures(stack, pool, slice), bare });
    }
    const sorted = [...rates].sort(
      (a, b) => a.capture.per_second / a.bare - b.capture.per_second / b.bare,
    );
    const median = sorted[Math.floor(sorted.length / 2)];
    if (median === undefined) throw new Error('no round was run');
    return {
      ratio: rounded(median.capture.per_second / median.bare),
      captures_per_second: median.capture.per_second,
      bare_per_second: rounded(median.bare, 1),
      cpu_ms_per_capture: median.capture.cpu_ms_each,
      rounds: rates.map(({ capture, bare }) => ({
        captures_per_second: capture.per_second,
        bare_per_second: rounded(bare, 1),
        ratio: rounded(capture.per_second / bare),
      })),
      ...(embedding ? {} : { acknowledgement: await acknowledgements(stack, pool) }),
      ready_ms: stack.readyMs,
      memory_mib: memory(stack),
    };
  } finally {
    bareWorker.kill('SIGTERM');
    await pool.end();
    await connection.close();
    await stack.stop();
  }
}

async function captures(stack: Stack, pool: Pool, events: readonly SettledEvent[]): Promise<Rate> {
  const before = usages(stack);
  const from = performance.now();
  for (let at = 0; at < events.length; at += BATCH) {
    const answer = await fetch(`${stack.url}/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events: events.slice(at, at + BATCH) }),
    });
    const { items } = (await answer.json()) as { items: { status: string }[] };
    const refused = items.filter(({ status }) => status !== 'accepted');
    if (refused.length > 0) throw new Error(`not accepted: ${JSON.stringify(refused[0])}`);
  }
  await untilSettled(pool);
  const seconds = (performance.now() - from) / 1_000;
  const after = usages(stack);
  const each = (part: keyof Split): number =>
    rounded((after[part].cpu_ms - before[part].cpu_ms) / events.length, 1);
  return {
    per_second: rounded(events.length / seconds, 1),
    seconds: rounded(seconds),
    cpu_ms_each: {
      server: each('server'),
      worker: each('worker'),
      postgres: each('postgres'),
      temporal: each('temporal'),
    },
  };
}

async function untilSettled(pool: Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      `SELECT count(*)::int AS pending FROM captures WHERE disposition = 'pending'`,
    );
    if (rows[0].pending === 0) return;
    await sleep(50);
  }
}

async function bares(
  client: Client,
  worker: BareWorker,
  count: number,
  round: string,
): Promise<number> {
  const from = performance.now();
  const target = worker.done + count;
  let next = 0;
  const starter = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      await client.workflow.start('bare', {
        workflowId: `bare/${round}/${n}`,
        taskQueue: BARE_QUEUE,
      });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, starter));
  while (worker.done < target) await sleep(10);
  return count / ((performance.now() - from) / 1_000);
}

const NONE: Usage = { cpu_ms: 0, rss_mib: 0 };

function usages(stack: Stack): Record<keyof Split, Usage> {
  return {
    server: usageOf(stack.server.pid ?? 0),
    worker: stack.worker === stack.server ? NONE : usageOf(stack.worker.pid ?? 0),
    postgres: usageOf(stack.postgres.pid),
    temporal: usageOf(stack.temporal.pid),
  };
}

function memory(stack: Stack): Split {
  const now = usages(stack);
  return {
    server: now.server.rss_mib,
    worker: now.worker.rss_mib,
    postgres: now.postgres.rss_mib,
    temporal: now.temporal.rss_mib,
  };
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
