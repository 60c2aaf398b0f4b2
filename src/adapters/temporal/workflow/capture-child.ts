import { defineSearchAttributeKey, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  ChildWorkflowFailure,
  type ChildWorkflowHandle,
  startChild,
} from '@temporalio/workflow';
import type { CaptureEnding, CaptureInput } from '../../../contracts/messages';
import type { EventRecorded } from '../../../contracts/runtime-memory';
import { SEARCH_ATTRIBUTES } from '../../../contracts/search-attributes';
import { PRIORITIES, TASK_QUEUES } from '../../../contracts/task-queues';

type Capture = (input: CaptureInput) => Promise<CaptureEnding>;
export type CaptureChild = ChildWorkflowHandle<Capture>;

/**
 * Starts the capture as a child that outlives its parent, whatever ends that. It is told ids only.
 * @returns null where it was started before: by the outbox, or by this step before its worker died
 */
export async function startCapture(event: EventRecorded): Promise<CaptureChild | null> {
  const { workspace, event_id, operation_id, workflow_id } = event;
  try {
    return await startChild<Capture>('capture', {
      workflowId: workflow_id,
      taskQueue: TASK_QUEUES.workflows,
      args: [{ workspace, event_id, operation_id }],
      // One that failed may begin anew; one that has ended is the one there is.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      parentClosePolicy: 'ABANDON',
      cancellationType: 'ABANDON',
      staticSummary: `Capture of one settled event in ${workspace}`,
      priority: { priorityKey: PRIORITIES.capturing },
      typedSearchAttributes: [
        {
          key: defineSearchAttributeKey(SEARCH_ATTRIBUTES.workspace.name, 'KEYWORD'),
          value: workspace,
        },
      ],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return null;
  }
}

/**
 * @returns null where an operator ended it before its time: Cairn starts it anew, under the same id
 * @throws CancelledFailure where the waiting is cancelled; the capture is not
 */
export async function childEnding(child: CaptureChild): Promise<CaptureEnding | null> {
  try {
    return await CancellationScope.cancellable(
      async () => await Promise.race([child.result(), CancellationScope.current().cancelRequested]),
    );
  } catch (error) {
    if (!(error instanceof ChildWorkflowFailure)) throw error;
    return null;
  }
}
