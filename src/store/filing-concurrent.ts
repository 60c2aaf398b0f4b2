import type { CaptureResult } from '../contracts/messages';
import { linkAll } from '../domain/link';
import type { Tx } from './database';
import { insertEdges, type WrittenEdge } from './edge-writes';
import { edgesOf, type Filed, type Filing } from './filing';
import { asLinkCandidate, asLinkCard, readCandidates } from './filing-candidates';

/** Longer than a filing takes, retries of its transaction included. */
const WINDOW_MS = 60_000;

/**
 * Two cards that are filed at the same moment do not see each other: each transaction reads before the
 * other commits. Whoever commits later looks once more, after its commit, for cards of the opposite
 * sign about the same operation or step, and writes what resolves or contradicts. No locks needed, and
 * nothing to find on the embedded database, which runs one transaction at a time.
 * @returns the record with what was missing.
 */
export async function completeConcurrent(
  tx: Tx,
  filing: Filing,
  filed: Filed,
): Promise<CaptureResult> {
  const { record, card } = filed;
  const edges = await linkMissed(tx, filing, filed);
  if (edges.length === 0) return record;
  const complete = { ...record, edges: [...record.edges, ...edgesOf(edges, card.id)] };
  await tx.query('UPDATE runs SET result = $3 WHERE workspace_id = $1 AND id = $2', [
    tx.workspace,
    record.operation_id,
    JSON.stringify(complete),
  ]);
  return complete;
}

async function linkMissed(tx: Tx, filing: Filing, filed: Filed): Promise<WrittenEdge[]> {
  const { card } = filed;
  const missed = await findMissed(tx, filing, filed);
  if (missed.length === 0) return [];
  const candidates = await readCandidates(tx, missed, filing.vector, filing.embedder.id);
  const missing = linkAll(
    asLinkCard(card),
    candidates.map(asLinkCandidate),
    filing.toFile.policy.link,
  ).filter((edge) => edge.type === 'satisfies' || edge.type === 'conflicts');
  return await insertEdges(tx, missing, filing.now);
}

/**
 * Nearly always nobody: so it asks for ids only, each arm by its own index. A card that is held back, or
 * was taken out of use since its commit, is compared with none.
 */
async function findMissed(tx: Tx, filing: Filing, filed: Filed): Promise<string[]> {
  const { card, compared } = filed;
  const { service, operation, workflow, step } = card.hints;
  if (operation === null && step === null) return [];
  const rows = await tx.query<{ id: string }>(
    `WITH own AS (
       SELECT 1 FROM cards WHERE workspace_id = $1 AND id = $9 AND status IN ('pending', 'active', 'validated')
     )
     SELECT id
       FROM cards
      WHERE EXISTS (SELECT 1 FROM own)
        AND workspace_id = $1 AND service = $2 AND operation = $3 AND recorded_at > $7
        AND sign <> $6 AND status IN ('pending', 'active', 'validated') AND id <> ALL ($8)
     UNION
     SELECT id
       FROM cards
      WHERE EXISTS (SELECT 1 FROM own)
        AND workspace_id = $1 AND workflow = $4 AND step = $5 AND recorded_at > $7
        AND sign <> $6 AND status IN ('pending', 'active', 'validated') AND id <> ALL ($8)
     ORDER BY id DESC
     LIMIT 50`,
    [
      tx.workspace,
      service,
      operation,
      workflow,
      step,
      card.sign,
      new Date(filing.now.getTime() - WINDOW_MS),
      [card.id, ...compared],
      card.id,
    ],
  );
  return rows.map(({ id }) => id);
}
