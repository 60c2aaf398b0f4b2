import type { CompactionResult } from '../contracts/conversation';
import { compactWorkflowId } from '../contracts/workflow-ids';
import type { Tx } from './database';
import { idPart, newId } from './ids';

/** A compaction that was asked for: its number within the conversation, and its row of `runs`. */
export interface AskedCompaction {
  n: number;
  operation_id: string;
}

/**
 * Asks for the next compaction of a conversation, in the transaction that gives reason to: its row, pending until its
 * workflow begins, and its start.
 * @returns null where one is under way already, or the conversation is archived or gone
 */
export async function askCompaction(
  tx: Tx,
  { conversationId, now }: { conversationId: string; now: Date },
): Promise<AskedCompaction | null> {
  const operationId = newId('op', now);
  const [asked] = await tx.query<{ n: number; agent_id: string }>(
    `UPDATE conversations c
        SET compactions = c.compactions + 1, compacting = $3
      WHERE c.workspace_id = $1 AND c.id = $2 AND c.compacting IS NULL AND c.status <> 'archived'
     RETURNING c.compactions AS n, c.agent_id`,
    [tx.workspace, conversationId, operationId],
  );
  if (asked === undefined) return null;
  const { n, agent_id: agent } = asked;
  const workflowId = compactWorkflowId(tx.workspace, idPart(conversationId), n);
  await tx.query(
    `INSERT INTO runs (workspace_id, id, type, scope_type, scope_id, agent_id, state, workflow_id, created_at)
     VALUES ($1, $2, 'compaction', 'agent', $3, $3, 'pending', $4, $5)`,
    [tx.workspace, operationId, agent, workflowId, now],
  );
  await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     VALUES ($1, 'start_compaction', $2, $3, $4, $4)`,
    [
      tx.workspace,
      workflowId,
      JSON.stringify({
        workspace: tx.workspace,
        conversation_id: conversationId,
        operation_id: operationId,
        n: String(n),
      }),
      now,
    ],
  );
  return { n, operation_id: operationId };
}

/** The summary of a round, as it is committed. */
export interface NewSummary {
  /** Of the summary that it was written on. */
  version: number;
  text: string;
  through: number;
  written_by: 'model' | 'fallback';
  /** The details that it tells in full; the others come back where they are asked about. */
  told: readonly { n: number; k: number }[];
}

/**
 * Commits a summary where the one that it was written on still stands.
 * @returns whether it does
 */
export async function commitSummary(
  tx: Tx,
  conversationId: string,
  summary: NewSummary,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE conversations
        SET summary = $4, summary_version = summary_version + 1, summary_by = $5, summarized_through = $6
      WHERE workspace_id = $1 AND id = $2 AND summary_version = $3 AND summarized_through < $6
     RETURNING id`,
    [
      tx.workspace,
      conversationId,
      summary.version,
      summary.text,
      summary.written_by,
      summary.through,
    ],
  );
  if (rows.length === 0) return false;
  await tx.query(
    `UPDATE conversation_details d
        SET in_summary = NOT d.in_summary
       FROM (SELECT e.n, e.k
               FROM conversation_details e
               LEFT JOIN jsonb_to_recordset($4::jsonb) AS told (n int, k int) USING (n, k)
              WHERE e.workspace_id = $1 AND e.conversation_id = $2 AND e.n <= $3
                AND e.in_summary <> (told.n IS NOT NULL)) turned
      WHERE d.workspace_id = $1 AND d.conversation_id = $2 AND d.n = turned.n AND d.k = turned.k`,
    [tx.workspace, conversationId, summary.through, JSON.stringify(summary.told)],
  );
  return true;
}

/** Where the search for facts got to; never back. */
export async function moveFactsOn(tx: Tx, conversationId: string, through: number): Promise<void> {
  await tx.query(
    `UPDATE conversations SET facts_through = GREATEST(facts_through, $3)
      WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, conversationId, through],
  );
}

/** The compaction is no longer under way; what it left in drafts goes. Of another one nothing changes. */
export async function releaseCompaction(
  tx: Tx,
  { conversationId, operationId, n }: { conversationId: string; operationId: string; n: number },
): Promise<void> {
  await tx.query(
    `UPDATE conversations SET compacting = NULL WHERE workspace_id = $1 AND id = $2 AND compacting = $3`,
    [tx.workspace, conversationId, operationId],
  );
  await tx.query(
    'DELETE FROM compaction_drafts WHERE workspace_id = $1 AND conversation_id = $2 AND n = $3',
    [tx.workspace, conversationId, n],
  );
}

/** Its run has ended with this record; said again it changes nothing. */
export async function endCompactionRun(
  tx: Tx,
  operationId: string,
  result: CompactionResult,
  now: Date,
): Promise<void> {
  const { facts, items, missing, put_back, calls, spent_tokens: tokens } = result;
  const counts = {
    messages: Math.max(0, result.through - result.from),
    ...{ items, missing, put_back, calls, tokens },
    ...{ facts_found: facts.found, facts_filed: facts.filed, facts_known: facts.known },
  };
  await tx.query(
    `UPDATE runs SET state = 'completed', counts = counts || $3::jsonb, result = $4, finished_at = $5, cost = $6
      WHERE workspace_id = $1 AND id = $2 AND state IN ('pending', 'running')`,
    [tx.workspace, operationId, JSON.stringify(counts), JSON.stringify(result), now, tokens],
  );
}

/** The run goes on under this workflow. @returns false where it has ended before */
export async function beginCompactionRun(
  tx: Tx,
  { operationId, runId }: { operationId: string; runId: string },
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE runs SET state = 'running', run_id = $3, started_at = COALESCE(started_at, $4)
      WHERE workspace_id = $1 AND id = $2 AND state IN ('pending', 'running')
     RETURNING id`,
    [tx.workspace, operationId, runId, now],
  );
  return rows.length > 0;
}

/** Notes what was filed, in the transaction that files it. */
export async function noteFactsFiled(
  tx: Tx,
  operationId: string,
  { found, filed, known }: CompactionResult['facts'],
): Promise<void> {
  const counts = { facts_found: found, facts_filed: filed, facts_known: known };
  await tx.query(
    'UPDATE runs SET counts = counts || $3::jsonb WHERE workspace_id = $1 AND id = $2',
    [tx.workspace, operationId, JSON.stringify(counts)],
  );
}

/** The record of a filing whose commit was not heard of; null where there was none. */
export async function factsFiledBefore(
  tx: Tx,
  operationId: string,
): Promise<CompactionResult['facts'] | null> {
  const [row] = await tx.query<CompactionResult['facts']>(
    `SELECT (counts -> 'facts_found')::int AS found, (counts -> 'facts_filed')::int AS filed,
            (counts -> 'facts_known')::int AS known
       FROM runs WHERE workspace_id = $1 AND id = $2 AND counts ? 'facts_found'`,
    [tx.workspace, operationId],
  );
  return row ?? null;
}
