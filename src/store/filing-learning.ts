import type { SettledEvent } from '../contracts/event';
import { learnWorkflowId } from '../contracts/workflow-ids';
import { endsTask } from '../domain/learning/ends-task';
import type { Tx } from './database';
import { idPart, newId } from './ids';

/**
 * Starts the learning loop of a task with the card that ends it: one row, and nothing for any other event. A task
 * that ends again is heard of by the loop that runs, or is looked at by one of its own.
 */
export async function queueLearning(tx: Tx, event: SettledEvent, now: Date): Promise<void> {
  if (event.task === undefined || !endsTask(event)) return;
  await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     VALUES ($1, 'start_learn', $2, $3, $4, $4)`,
    [
      tx.workspace,
      learnWorkflowId(tx.workspace, idPart(event.task)),
      JSON.stringify({
        workspace: tx.workspace,
        operation_id: newId('op', now),
        event_id: event.event_id,
      }),
      now,
    ],
  );
}
