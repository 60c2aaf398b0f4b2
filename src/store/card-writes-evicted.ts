import { lexicalTerms } from '../domain/terms';
import { queueLateVectors, reindexCard } from './card-edits';
import type { Tx } from './database';
import { type EmbeddedRow, textToEmbed } from './embedded-text';
import { entityRows } from './entity-writes';
import { forgetPostings, holdStatistics } from './rollup';

export interface Batch {
  /** The last id that was looked at; empty at the beginning. */
  after: string;
  limit: number;
}

/**
 * Takes what finds these cards by their words or their meaning out of the index, and out of what is counted of
 * it. The cards themselves stay as they are.
 */
export async function leaveIndex(tx: Tx, cards: readonly string[]): Promise<void> {
  if (cards.length === 0) return;
  const countedTo = await holdStatistics(tx);
  await tx.query(
    `WITH left_behind AS (
       SELECT c.scope_type, c.scope_id, c.visibility, count(*) AS cards, sum(c.index_length) AS words
         FROM cards c
        WHERE c.workspace_id = $1 AND c.id = ANY ($2) AND c.id <= $3 AND c.evicted_at IS NULL
        GROUP BY c.scope_type, c.scope_id, c.visibility
     ),
     fewer AS (
       UPDATE scope_statistics s
          SET cards = GREATEST(0, s.cards - l.cards), words = GREATEST(0, s.words - l.words)
         FROM left_behind l
        WHERE s.workspace_id = $1 AND s.scope_type = l.scope_type AND s.scope_id = l.scope_id
          AND s.visibility = l.visibility
     ),
     vectors AS (
       DELETE FROM card_embeddings WHERE workspace_id = $1 AND card_id = ANY ($2)
     )
     DELETE FROM entities WHERE workspace_id = $1 AND card_id = ANY ($2)`,
    [tx.workspace, cards, countedTo],
  );
  await forgetPostings(tx, cards, countedTo);
}

/**
 * Takes the next superseded and archived cards out of the index that have been so since before `since`: they
 * are history, read by their ids, and no recall looks for them.
 * @returns their ids
 */
export async function evictCards(
  tx: Tx,
  { after, limit }: Batch,
  { since, now, dryRun }: { since: Date; now: Date; dryRun: boolean },
): Promise<string[]> {
  const due = await tx.query<{ id: string }>(
    `SELECT c.id
       FROM cards c
      WHERE c.workspace_id = $1 AND c.status IN ('superseded', 'archived') AND c.evicted_at IS NULL
        AND c.edited_at <= $2 AND c.id > $3
        AND NOT is_held($1, 'card', c.id)
      ORDER BY c.id
      LIMIT $4
      ${dryRun ? '' : 'FOR NO KEY UPDATE'}`,
    [tx.workspace, since, after, limit],
  );
  const ids = due.map(({ id }) => id);
  if (dryRun || ids.length === 0) return ids;
  await leaveIndex(tx, ids);
  await tx.query('UPDATE cards SET evicted_at = $3 WHERE workspace_id = $1 AND id = ANY ($2)', [
    tx.workspace,
    ids,
    now,
  ]);
  return ids;
}

/** Puts a card that comes back into use where a recall finds it, if it had left; its vector comes late. */
export async function returnToIndex(
  tx: Tx,
  card: { id: string; version: number; at: Date },
): Promise<void> {
  const [row] = await tx.query<EmbeddedRow>(
    `SELECT c.summary, c.key, c.subject, c.topic, c.service, c.operation, c.task_type, c.workflow, c.step,
            c.keywords, c.agent_id, a.team_id
       FROM cards c
       LEFT JOIN agents a ON a.workspace_id = c.workspace_id AND a.id = c.agent_id
      WHERE c.workspace_id = $1 AND c.id = $2 AND c.evicted_at IS NOT NULL`,
    [tx.workspace, card.id],
  );
  if (row === undefined) return;
  const terms = lexicalTerms(textToEmbed(row));
  const entities = entityRows({ ...row, agent: row.agent_id, team: row.team_id, hints: row });
  await reindexCard(tx, card, { terms, entities }, null);
  await queueLateVectors(tx, card.at);
}
