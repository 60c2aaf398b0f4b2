import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { Client } from 'pg';
import { createSealActivities } from '../../src/activities/seal';
import type { SealBatch, SealHorizon } from '../../src/contracts/messages';
import { sealWorkflowId } from '../../src/contracts/workflow-ids';
import type { Database } from '../../src/store/database';
import type { TestApi } from './api';

/** One step of the pass that seals, outside of Temporal. */
export async function sealStep(
  database: Database,
  workspace = 'default',
  horizon: SealHorizon | null = null,
  operation_id = `op_${randomUUID()}`,
): Promise<SealBatch> {
  const environment = new MockActivityEnvironment({
    workflowExecution: { workflowId: sealWorkflowId(workspace, operation_id), runId: randomUUID() },
  });
  const { sealBlock } = createSealActivities({ database, clock: () => new Date() });
  return await environment.run(sealBlock, { workspace, operation_id, n: 1, horizon });
}

/** Any database of the server counts, those of other test files too: what they have open ends in time. */
const PATIENCE_MS = 60_000;

/** All that is there now, or up to a horizon. @throws where a transaction stays open. */
export async function sealAll(
  database: Database,
  workspace = 'default',
  horizon: SealHorizon | null = null,
): Promise<SealBatch> {
  const deadline = Date.now() + PATIENCE_MS;
  let batch = await sealStep(database, workspace, horizon);
  while (batch.more) {
    if (Date.now() > deadline) throw new Error('a transaction is open');
    batch = await sealStep(database, workspace, batch.horizon);
  }
  return batch;
}

/** As somebody who may do anything to the database, with the triggers that refuse it switched off. */
export async function tamper(api: TestApi, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: api.testDatabase.url });
  client.on('error', () => undefined);
  await client.connect();
  const logs = ['audit_log', 'access_log', 'audit_chain'];
  try {
    await client.query('BEGIN');
    for (const log of logs) await client.query(`ALTER TABLE ${log} DISABLE TRIGGER ALL`);
    for (const statement of statements) {
      const { rowCount } = await client.query(statement);
      if (rowCount === 0) throw new Error(`changed nothing: ${statement}`);
    }
    for (const log of logs) await client.query(`ALTER TABLE ${log} ENABLE TRIGGER ALL`);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

/** Rows of both logs: teams that are made, and cards of an agent that a person looks at. */
export async function fillLogs(api: TestApi, prefix: string, count: number): Promise<void> {
  for (let at = 1; at <= count; at += 1) {
    await api.call('PUT', `/v1/teams/${prefix}-${at}`, { body: { name: `Team ${at}` } });
    const { body } = await api.call('POST', '/v1/cards', {
      body: {
        summary: `The ${prefix} counter closes at ${at}.`,
        scope: { type: 'agent', id: 'scout' },
      },
    });
    await api.call('GET', `/v1/cards/${body.id}`);
  }
}

/** Does what Temporal would do with the next pass that somebody asks for. */
export async function answerAskedSeals(database: Database, workspace = 'default'): Promise<void> {
  for (;;) {
    const [asked] = await database.inWorkspace(workspace, (tx) =>
      tx.query<{ id: string }>(
        "SELECT arguments ->> 'operation_id' AS id FROM outbox WHERE action = 'start_seal'",
      ),
    );
    if (asked !== undefined) {
      let batch = await sealStep(database, workspace, null, asked.id);
      while (batch.more) batch = await sealStep(database, workspace, batch.horizon, asked.id);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
