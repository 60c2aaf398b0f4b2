import { RECALLED_STATUSES } from '../contracts/names';
import type { Episode } from '../domain/consolidation/episode';
import type { ToldOutcome } from '../domain/insights/outcome-card';
import type { Tx } from './database';
import type { NewEdge } from './edge-writes';

/** Earlier outcomes of the same action that a new one refers to, the latest first. */
const MOST_SUPPORTED = 10;

/** An edge runs from the newer card, which is that of the outcome. */
export async function outcomeEdges(
  tx: Tx,
  insight: Episode,
  { id: from, confidence }: { id: string; confidence: number },
  { hash, told }: { hash: string; told: Pick<ToldOutcome, 'result'> },
): Promise<NewEdge[]> {
  const lineage: NewEdge = {
    ...{ type: 'derived_from', from, to: insight.id, confidence: 1 },
    reason: 'the insight whose action it is an outcome of',
  };
  const verdict: Record<ToldOutcome['result'], NewEdge[]> = {
    improved: [
      { type: 'satisfies', from, to: insight.id, confidence, reason: 'an action of it helped' },
    ],
    unchanged: [],
    worse: [
      {
        ...{ type: 'conflicts', from, to: insight.id, confidence },
        reason: 'an action of it made things worse',
      },
    ],
  };
  const earlier = await earlierOutcomes(tx, insight, hash, told.result);
  return [
    lineage,
    ...verdict[told.result],
    ...earlier.map((to): NewEdge => {
      return { type: 'supports', from, to, confidence, reason: 'the same action came to the same' };
    }),
  ];
}

/** Cards in use that tell the same of the same action, in the scope of the insight. */
async function earlierOutcomes(
  tx: Tx,
  { scope }: Episode,
  hash: string,
  result: ToldOutcome['result'],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT c.id
       FROM action_outcomes o
       JOIN cards c ON c.workspace_id = o.workspace_id AND c.id = o.card_id
      WHERE o.workspace_id = $1 AND o.hash = $2 AND o.result = $3
        AND c.status = ANY ($4) AND c.scope_type = $5 AND c.scope_id = $6
      ORDER BY o.at DESC, c.id
      LIMIT ${MOST_SUPPORTED}`,
    [tx.workspace, hash, result, RECALLED_STATUSES, scope.type, scope.id],
  );
  return rows.map(({ id }) => id);
}
