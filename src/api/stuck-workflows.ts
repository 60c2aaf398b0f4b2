import type { Client } from '@temporalio/client';
import { WORKFLOW_TYPES } from '../contracts/names';

/** A scrape does not wait for a Temporal that is away. */
const DEADLINE_MS = 2_000;

/**
 * Temporal marks a running workflow after five tasks in a row that failed, about a minute, and takes the
 * mark away with the first that succeeds. Nothing in the workflow itself could say so: its code is what
 * fails.
 */
export const STUCK_QUERY = [
  'ExecutionStatus = "Running"',
  'TemporalReportedProblems IS NOT NULL',
  `WorkflowType IN (${WORKFLOW_TYPES.map((type) => `"${type}"`).join(', ')})`,
].join(' AND ');

/** @returns how many; null where Temporal does not answer, or is too old to know */
export async function countStuckWorkflows(client: Client): Promise<number | null> {
  try {
    const { count } = await client.withDeadline(Date.now() + DEADLINE_MS, () =>
      client.workflow.count(STUCK_QUERY),
    );
    return count;
  } catch {
    return null;
  }
}
