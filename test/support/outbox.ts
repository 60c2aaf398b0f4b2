import type { Client, WorkflowHandle } from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import { OutboxSender } from '../../src/api/outbox-sender';
import { workflowStarter } from '../../src/api/workflow-starter';
import type { Clock } from '../../src/contracts/clock';
import type { Database } from '../../src/store/database';
import { leaseOutbox, type OutboxItem, removeSent } from '../../src/store/outbox';
import { createLogger } from '../../src/telemetry/logger';

/** What starts workflows beside a server, running; whoever starts it stops it. */
export function startOutbox(
  database: Database,
  client: Client,
  clock: Clock = () => new Date(),
): OutboxSender {
  const sender = new OutboxSender({
    database,
    clock,
    log: createLogger('silent'),
    send: workflowStarter(client, false),
  });
  sender.start();
  return sender;
}

const SECONDS_OF_A_LEASE = 60;

/**
 * Starts what the outbox has of one kind; all else that it has is dropped unsent.
 * @returns the workflows, by their ids
 */
export async function sendOnly<T extends Workflow>(
  action: OutboxItem['action'],
  database: Database,
  client: Client,
  most = 1_000,
  now = new Date(),
): Promise<Map<string, WorkflowHandle<T>>> {
  const start = workflowStarter(client, false);
  const handles = new Map<string, WorkflowHandle<T>>();
  await database.acrossWorkspaces(async (tx) => {
    for (const item of await leaseOutbox(tx, now, SECONDS_OF_A_LEASE, most)) {
      if (item.action === action) {
        await start(item);
        const { workflow_id: id } = item;
        handles.set(id, client.workflow.getHandle<T>(id));
      }
      await removeSent(tx, [item.id]);
    }
  });
  return handles;
}
