import type { LinkPolicy } from '../contracts/policy';
import { linkAll } from '../domain/link';
import type { Tx } from './database';
import { insertEdges, type WrittenEdge } from './edge-writes';
import { asLinkCandidate, type CandidateRow } from './filing-candidates';

/** Longer than a filing takes, retries of its transaction included. */
const WINDOW_SECONDS = 60;

/**
 * Two cards that are filed at the same moment do not see each other: each transaction reads before the
 * other commits. Whoever commits later looks once more, after its commit, for cards of the opposite
 * sign about the same operation or step, and writes what resolves or contradicts. No locks needed, and
 * nothing to find on the embedded database, which runs one transaction at a time.
 * @returns the edges that were missing.
 */
export async function linkConcurrent(
  tx: Tx,
  cardId: string,
  policy: LinkPolicy,
  now: Date,
): Promise<WrittenEdge[]> {
  const rows = await tx.query<CandidateRow & { is_new: boolean }>(
    `WITH filed AS (
       SELECT id, sign, service, operation, workflow, step, recorded_at
         FROM cards
        WHERE workspace_id = $1 AND id = $2
     ),
     missed AS (
       SELECT c.id
         FROM filed f
         JOIN cards c
           ON c.workspace_id = $1
          AND ((c.service = f.service AND c.operation = f.operation)
               OR (c.workflow = f.workflow AND c.step = f.step))
        WHERE c.id <> f.id AND c.sign <> f.sign
          AND c.status IN ('pending', 'active', 'validated')
          AND c.recorded_at > f.recorded_at - make_interval(secs => ${WINDOW_SECONDS})
          AND NOT EXISTS (
            SELECT 1 FROM edges e
             WHERE e.workspace_id = $1
               AND (e.from_card, e.to_card) IN ((c.id, f.id), (f.id, c.id))
               AND e.type IN ('satisfies', 'conflicts'))
        ORDER BY c.recorded_at DESC, c.id
        LIMIT 50
     )
     SELECT c.id, c.kind, c.sign, c.summary, c.service, c.operation, c.workflow, c.step, c.task_type,
            c.subject, c.key, c.topic, c.keywords, c.error_signature, c.input_fields, c.valid_from,
            c.scope_type, c.scope_id, 1 - (mine.embedding <=> theirs.embedding) AS similarity,
            c.id = $2 AS is_new
       FROM cards c
       LEFT JOIN card_embeddings mine
         ON mine.workspace_id = $1 AND mine.card_id = $2 AND mine.field = 'summary'
       LEFT JOIN card_embeddings theirs
         ON theirs.workspace_id = $1 AND theirs.card_id = c.id AND theirs.field = 'summary'
        AND theirs.model = mine.model
      WHERE c.workspace_id = $1 AND c.id IN (SELECT $2 UNION ALL SELECT id FROM missed)
      ORDER BY c.id`,
    [tx.workspace, cardId],
  );
  const filed = rows.find((row) => row.is_new);
  if (filed === undefined || rows.length === 1) return [];
  const candidates = rows.filter((row) => !row.is_new).map(asLinkCandidate);
  const missing = linkAll(asLinkCandidate(filed), candidates, policy).filter(
    (edge) => edge.type === 'satisfies' || edge.type === 'conflicts',
  );
  return await insertEdges(tx, missing, now);
}
