import { activityInfo } from '@temporalio/activity';

/** Which workflow this activity belongs to: ids for what it writes. */
export function executionOf(): { workflowId: string; runId: string } {
  const { workflowExecution } = activityInfo();
  if (workflowExecution === undefined) throw new Error('this runs in a workflow only');
  return workflowExecution;
}
