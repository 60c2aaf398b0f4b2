/**
 * Open proposals at rest in real workers: how long opening them takes, what they weigh, and what a decision
 * by Update costs beside an empty Update of a bare workflow on the same Temporal server.
 *
 *   npm run bench:proposals -- [--count 10000] [--decisions 200]
 *
 * Decisions and empty Updates take turns, one at a time, each on a workflow of its own; the ratios are of
 * this run. Prints one JSON document.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { proposalDecider } from '../src/api/proposal-decider';
import { Database } from '../src/store/database';
import { startBareWorker } from './support/bare/process';
import { BARE_QUEUE } from './support/bare/worker';
import { machine, percentile, rounded, usageOf } from './support/machine';
import { makeCards, openProposals, REVIEWER, untilOpen, WORKSPACE } from './support/open-proposals';
import { type Stack, startStack } from './support/stack';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    decisions: { type: 'string', default: '200' },
  },
});
const COUNT = Number(values.count);
const DECISIONS = Math.min(Number(values.decisions), COUNT);
/** Not counted: both sides are warm after them. */
const WARM = 10;
/** Long enough for what ended a moment ago to be given back. */
const REST_MS = 3_000;

async function main(): Promise<void> {
  const stack = await startStack({ embedding: false });
  const bareWorker = await startBareWorker(stack.temporal.address);
  const connection = await Connection.connect({ address: stack.temporal.address });
  const database = new Database({
    url: stack.databaseUrl,
    connections: 4,
    acquireTimeoutMs: 20_000,
    onIdleError: () => undefined,
  });
  try {
    const client = new Client({ connection, namespace: stack.temporal.namespace });
    const cards = await makeCards(database, COUNT + WARM);
    await sleep(REST_MS);
    const before = memory(stack);
    const from = performance.now();
    const ids = await openProposals(database, cards);
    const written = performance.now() - from;
    await untilOpen(database, ids.length);
    const opened = performance.now() - from;
    await sleep(REST_MS);
    const atRest = memory(stack);
    const { decision, empty } = await updates(client, ids.slice(0, DECISIONS + WARM));
    const document = {
      bench: 'proposals',
      at: new Date().toISOString(),
      machine: machine(),
      open: ids.length,
      opening: {
        rows_seconds: rounded(written / 1_000),
        begun_seconds: rounded(opened / 1_000),
        per_second: rounded(ids.length / (opened / 1_000), 1),
      },
      memory_mib: {
        before,
        at_rest: atRest,
        kib_each: {
          worker: each(before.worker, atRest.worker, ids.length),
          temporal: each(before.temporal, atRest.temporal, ids.length),
        },
        after_decisions: memory(stack),
      },
      decisions: decision.length,
      decision_ms: shown(decision),
      empty_update_ms: shown(empty),
      p50_ratio: rounded(percentile(decision, 0.5) / percentile(empty, 0.5)),
      p99_ratio: rounded(percentile(decision, 0.99) / percentile(empty, 0.99)),
    };
    console.log(JSON.stringify(document, null, 2));
  } finally {
    bareWorker.kill('SIGTERM');
    await database.close();
    await connection.close();
    await stack.stop();
  }
}

/** One of each in turn, the first ones not counted. */
async function updates(client: Client, ids: readonly string[]) {
  const decider = proposalDecider(client);
  const bare = await Promise.all(
    ids.map((id) =>
      client.workflow.start('answering', {
        workflowId: `answering/${id}`,
        taskQueue: BARE_QUEUE,
      }),
    ),
  );
  // Their first tasks are over, as those of the proposals are.
  await sleep(REST_MS);
  const [decision, empty]: [number[], number[]] = [[], []];
  for (const [n, id] of ids.entries()) {
    const emptyMs = await timed(async () => {
      await bare[n]?.executeUpdate('answer');
    });
    const decisionMs = await timed(async () => {
      const decided = await decider.decide({ workspace: WORKSPACE, id }, `bench-${n}`, {
        decision: 'approve',
        by: REVIEWER,
        version: 1,
      });
      if (decided.outcome !== 'taken') throw new Error(`not taken: ${JSON.stringify(decided)}`);
    });
    if (n < WARM) continue;
    empty.push(emptyMs);
    decision.push(decisionMs);
  }
  return { decision, empty };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function memory(stack: Stack): { worker: number; server: number; temporal: number } {
  return {
    worker: usageOf(stack.worker.pid ?? 0).rss_mib,
    server: usageOf(stack.server.pid ?? 0).rss_mib,
    temporal: usageOf(stack.temporal.pid).rss_mib,
  };
}

function each(before: number, after: number, count: number): number {
  return rounded(((after - before) * 1_024) / count, 1);
}

function shown(samples: readonly number[]): { p50: number; p99: number } {
  return { p50: rounded(percentile(samples, 0.5)), p99: rounded(percentile(samples, 0.99)) };
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
