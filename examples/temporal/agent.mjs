// A runtime of one's own, on the Temporal that `npm start` runs: a worker with its tools and Cairn's activities,
// and the same task twice. It needs no model.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createCairnActivities } from 'cairn-memory/temporal';

// What the tool refuses is part of the story, and no news for a log.
Runtime.install({ logger: new DefaultLogger('ERROR') });

const { CAIRN_DATA_DIR = '.cairn', CAIRN_KEY, DATABASE_URL, CAIRN_SECRET_KEY } = process.env;
const fileOf = (name) => readFileSync(join(CAIRN_DATA_DIR, name), 'utf8');
const running = JSON.parse(fileOf('runtime.json'));
const address = running.temporal_address;
const namespace = running.temporal_namespace;
const taskQueue = 'newsletters';

/** Stands for the mail service, and has a limit that nobody told the agent of. */
async function sendBulk({ recipients, batch }) {
  if (batch > 500) throw ApplicationFailure.nonRetryable('at most 500 recipients a call');
  return { calls: Math.ceil(recipients / batch) };
}

const memory = createCairnActivities({
  url: running.url,
  // The owner's key may act as a runtime; in production give a runtime a key of its own.
  key: CAIRN_KEY || fileOf('owner.key').trim(),
  // With a Postgres of your own, events are recorded from this process.
  ...(DATABASE_URL ? { databaseUrl: DATABASE_URL, secretKey: CAIRN_SECRET_KEY } : {}),
});

const workerConnection = await NativeConnection.connect({ address });
const connection = await Connection.connect({ address });
const client = new Client({ connection, namespace });
const worker = await Worker.create({
  connection: workerConnection,
  namespace,
  taskQueue,
  workflowsPath: fileURLToPath(new URL('./workflows.mjs', import.meta.url)),
  activities: { sendBulk, ...memory },
});

await worker.runUntil(async () => {
  for (const task of ['first', 'second']) {
    const workflowId = `newsletter-${task}-${Date.now()}`;
    const args = [1200];
    const done = await client.workflow.execute('newsletter', { workflowId, taskQueue, args });
    console.log(`${task}: ${JSON.stringify(done)}`);
  }
});
await memory.close();
await connection.close();
await workerConnection.close();
