import { Context } from '@temporalio/activity';
import { defaultPayloadConverter } from '@temporalio/common';
import type { CaptureStart } from '../../contracts/runtime-memory';
import { TASK_QUEUES } from '../../contracts/task-queues';

/** `TASK_QUEUE_TYPE_WORKFLOW` of Temporal's protocol. */
const WORKFLOW_TASKS = 1;
const DEADLINE_MS = 2_000;
/** A worker of Cairn that was seen is taken to be there for as long; Temporal itself remembers one for five minutes. */
const SEEN_MS = 60_000;

/**
 * Whether a workflow here can have a capture as its child: a worker of Cairn takes workflow tasks in this namespace,
 * and reads what this worker writes. A codec or a converter of the runtime's own would leave the child with an
 * input that nobody of Cairn's can read.
 */
export class CaptureStarts {
  private seenAt = Number.NEGATIVE_INFINITY;

  async startOf(mode: CaptureStart | undefined): Promise<CaptureStart> {
    if (mode !== undefined) return mode;
    const { client } = Context.current();
    const { payloadConverter, payloadCodecs } = client.options.loadedDataConverter;
    if (payloadConverter !== defaultPayloadConverter || payloadCodecs.length > 0) return 'outbox';
    if (Date.now() - this.seenAt < SEEN_MS) return 'child';
    try {
      const { pollers } = await client.withDeadline(Date.now() + DEADLINE_MS, () =>
        client.workflowService.describeTaskQueue({
          namespace: client.options.namespace,
          taskQueue: { name: TASK_QUEUES.workflows },
          taskQueueType: WORKFLOW_TASKS,
        }),
      );
      if (pollers.length === 0) return 'outbox';
      this.seenAt = Date.now();
      return 'child';
    } catch {
      // The outbox is never wrong.
      return 'outbox';
    }
  }
}
