/**
 * One night over a workspace: consolidation and then reflection, by the workflows and workers that ship, beside one
 * SQL transaction that reads the same cards and retires as many.
 *
 *   npm run bench:passes -- [--cards 10000] [--scopes 200] [--embedding] [--model]
 *
 * Cards are those of real events through the stand-in distiller, spread over the scopes of agents and over days.
 * `--model` has a local endpoint word the notes that composes them by rule: what calling a model costs, without its
 * time to think. `--embedding` gives notes the vectors of all-MiniLM-L6-v2; without it cards have those of the
 * stand-in, by which near-duplicates are found, and notes none. Prints one JSON document.
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { Pool } from 'pg';
import { type PassResult, type ScheduledPass, UNIT_WORKFLOW } from '../src/contracts/passes';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { Database } from '../src/store/database';
import type { fanOut } from '../src/workflows/fan-out';
import { miniLm } from './support/asking';
import { COMPOSING_MODEL, startComposingModel } from './support/composing-model';
import { fill } from './support/fill';
import { machine, percentile, rounded, usageOf } from './support/machine';
import { passBySql } from './support/pass-by-sql';
import { spread } from './support/spread';
import { realEvents, type Stack, startStack } from './support/stack';

const { values } = parseArgs({
  options: {
    cards: { type: 'string', default: '10000' },
    scopes: { type: 'string', default: '200' },
    embedding: { type: 'boolean', default: false },
    model: { type: 'boolean', default: false },
  },
});
const CARDS = Number(values.cards);
const SCOPES = Number(values.scopes);
const WORKSPACE = 'default';
const DAY_MS = 86_400_000;
/** Between two looks at how much memory is held. */
const LOOK_MS = 500;

interface Memory {
  worker: number;
  server: number;
  temporal: number;
}

async function main(): Promise<void> {
  const model = values.model ? await startComposingModel() : null;
  const stack = await startStack({
    embedding: values.embedding,
    ...(model === null ? {} : { model: { baseUrl: model.baseUrl, name: COMPOSING_MODEL } }),
  });
  const connection = await Connection.connect({ address: stack.temporal.address });
  const pool = new Pool({ connectionString: stack.databaseUrl, max: 2 });
  try {
    const client = new Client({ connection, namespace: stack.temporal.namespace });
    const load = rounded(loadavg()[0] ?? 0);
    const embedder = values.embedding ? await miniLm() : createHashedEmbedder();
    await filled(stack, embedder);
    await pool.query('VACUUM ANALYZE');
    const episodes = await idsOf(
      pool,
      "SELECT id FROM cards WHERE tier = 'episodic' AND status IN ('active', 'pending', 'validated')",
    );
    const consolidation = await night(stack, client, pool, 'consolidation');
    const retired = await idsOf(
      pool,
      "SELECT card_id AS id FROM run_changes WHERE change = 'retired' AND card_id IS NOT NULL",
    );
    const bySql = await passBySql(pool, episodes, retired);
    const reflection = await night(stack, client, pool, 'reflection');
    const document = {
      bench: 'passes',
      at: new Date().toISOString(),
      machine: machine(),
      load_at_the_start: load,
      embedding: values.embedding ? embedder.id : 'none',
      model: model === null ? 'none' : COMPOSING_MODEL,
      cards: CARDS,
      scopes: SCOPES,
      consolidation: {
        ...consolidation,
        retired: retired.length,
        retired_per_second: rounded(retired.length / consolidation.seconds, 1),
      },
      sql: bySql,
      ratio_to_sql: rounded(consolidation.seconds / bySql.seconds, 1),
      reflection,
    };
    console.log(JSON.stringify(document, null, 2));
  } finally {
    await pool.end();
    await connection.close();
    await stack.stop();
    await model?.close();
  }
}

async function filled(stack: Stack, embedder: Parameters<typeof fill>[1]): Promise<void> {
  const database = new Database({
    url: stack.databaseUrl,
    connections: 4,
    acquireTimeoutMs: 20_000,
    onIdleError: () => undefined,
  });
  const events = spread(realEvents(4_022), { count: CARDS, agents: SCOPES, now: new Date() });
  try {
    await fill(database, embedder, events, CARDS);
  } finally {
    await database.close();
  }
}

/** One pass over all scopes, of tomorrow: it takes what was recorded until today. */
async function night(stack: Stack, client: Client, pool: Pool, type: ScheduledPass) {
  const before = memoryOf(stack);
  const peak = { ...before };
  const looking = setInterval(() => {
    for (const [name, now] of Object.entries(memoryOf(stack)) as [keyof Memory, number][]) {
      peak[name] = Math.max(peak[name], now);
    }
  }, LOOK_MS);
  const from = performance.now();
  const handle = await client.workflow.start<typeof fanOut>('fanOut', {
    workflowId: `night/${WORKSPACE}/${type}-bench`,
    taskQueue: TASK_QUEUES.workflows,
    args: [{ workspace: WORKSPACE, type, at: new Date(Date.now() + DAY_MS).toISOString() }],
  });
  const result = await handle.result().finally(() => clearInterval(looking));
  const seconds = (performance.now() - from) / 1_000;
  const read = result.counts.read ?? result.counts.cards ?? 0;
  return {
    seconds: rounded(seconds),
    cards_read: read,
    cards_per_second: rounded(read / seconds, 1),
    ...endOf(result),
    history_events: {
      fan_out: await eventsOf(client, `WorkflowId = 'night/${WORKSPACE}/${type}-bench'`),
      unit: await eventsOf(client, `WorkflowType = '${UNIT_WORKFLOW[type]}'`),
    },
    memory_mib: { before, peak },
    database_mib: Math.round(
      Number((await pool.query('SELECT pg_database_size(current_database()) AS b')).rows[0].b) /
        2 ** 20,
    ),
  };
}

function endOf({ status, units, partial, failed, counts, named }: PassResult) {
  const reasons = [...new Set(named.map(({ reason }) => reason))];
  const spent = { calls: counts.calls ?? 0, tokens: counts.tokens ?? 0 };
  return { status, units, partial, failed, reasons, counts: { ...counts, ...spent } };
}

/** Of all runs of the workflows that match, once Temporal lists each with its end: that comes a little later. */
async function eventsOf(
  client: Client,
  query: string,
): Promise<{ runs: number; median: number; most: number }> {
  for (;;) {
    const lengths: number[] = [];
    let isWhole = true;
    for await (const { status, historyLength } of client.workflow.list({ query })) {
      isWhole &&= status.name !== 'RUNNING';
      lengths.push(historyLength ?? 0);
    }
    if (isWhole && lengths.length > 0) {
      return {
        runs: lengths.length,
        median: percentile(lengths, 0.5),
        most: Math.max(...lengths),
      };
    }
    await sleep(LOOK_MS);
  }
}

async function idsOf(pool: Pool, statement: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(statement);
  return rows.map(({ id }) => id);
}

function memoryOf(stack: Stack): Memory {
  return {
    worker: usageOf(stack.worker.pid ?? 0).rss_mib,
    server: usageOf(stack.server.pid ?? 0).rss_mib,
    temporal: usageOf(stack.temporal.pid).rss_mib,
  };
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
