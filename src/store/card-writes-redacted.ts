import { lexicalTerms, termCount } from '../domain/terms';
import { queueLateVectors, reindexCard } from './card-edits';
import type { Tx } from './database';
import { type EmbeddedRow, textToEmbed } from './embedded-text';
import { entityRows } from './entity-writes';
import type { RescanRow, RowChanges } from './rescan-rows';
import { forgetWords } from './rollup';

/** In the history and the audit, for all that a rescan does. */
export const BY_RESCAN = 'rescan';

/**
 * Puts redacted words in the place of a card's own, as its next version: postings and names of the new words at once,
 * its vector late. Compare-and-set on the version; id, edges, standing and the time of its last edit stay. One that has
 * left the index stays out of it. The statistics are held.
 * @returns the new version, or null where the card had moved on
 */
export async function redactCard(
  tx: Tx,
  row: RescanRow,
  changes: RowChanges,
  now: Date,
): Promise<number | null> {
  const id = row.key.id ?? '';
  const before = await indexedRow(tx, id);
  const [changed] = await tx.query<{ version: number }>(
    `WITH changed AS (
       UPDATE cards c
          SET (summary, topic, error_signature, error_family, keywords, input_fields, metadata)
              = (SELECT n.summary, n.topic, n.error_signature, n.error_family, n.keywords, n.input_fields, n.metadata
                   FROM jsonb_populate_record(c, $4::jsonb) n),
              version = c.version + 1
        WHERE c.workspace_id = $1 AND c.id = $2 AND c.version = $3
       RETURNING c.*
     )
     INSERT INTO card_versions (workspace_id, card_id, version, at, actor_kind, actor_id, action, snapshot)
     SELECT r.workspace_id, r.id, r.version, $5, 'system', $6, 'redacted', card_snapshot(to_jsonb(r)) FROM changed r
     RETURNING version`,
    [tx.workspace, id, row.values.version, JSON.stringify(changes), now, BY_RESCAN],
  );
  if (changed === undefined) return null;
  const after = await indexedRow(tx, id);
  if (before !== undefined && after !== undefined) {
    await indexAnew(tx, { id, version: changed.version, at: now }, before, after);
  }
  return changed.version;
}

interface IndexedRow extends EmbeddedRow {
  evicted_at: string | null;
}

async function indexedRow(tx: Tx, id: string): Promise<IndexedRow | undefined> {
  const [row] = await tx.query<IndexedRow>(
    `SELECT c.summary, c.key, c.subject, c.topic, c.service, c.operation, c.task_type, c.workflow, c.step,
            c.keywords, c.agent_id, c.evicted_at, a.team_id
       FROM cards c
       LEFT JOIN agents a ON a.workspace_id = c.workspace_id AND a.id = c.agent_id
      WHERE c.workspace_id = $1 AND c.id = $2`,
    [tx.workspace, id],
  );
  return row;
}

async function indexAnew(
  tx: Tx,
  card: { id: string; version: number; at: Date },
  before: IndexedRow,
  after: IndexedRow,
): Promise<void> {
  const text = textToEmbed(after);
  const old = textToEmbed(before);
  if (text === old || after.evicted_at !== null) return;
  const terms = lexicalTerms(text);
  await tx.query(
    'UPDATE cards SET embedder = NULL, index_length = $3 WHERE workspace_id = $1 AND id = $2',
    [tx.workspace, card.id, termCount(terms)],
  );
  const named = { ...after, agent: after.agent_id, team: after.team_id, hints: after };
  await reindexCard(tx, card, { terms, entities: entityRows(named) }, null);
  await queueLateVectors(tx, card.at);
  await forgetWords(
    tx,
    [...lexicalTerms(old).keys()].filter((term) => !terms.has(term)),
  );
}

/** The cards that were made from these events and cards, and all that came of those; the nearest thousand. */
export async function madeFrom(
  tx: Tx,
  { cards, events }: { cards: readonly string[]; events: readonly string[] },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `WITH RECURSIVE made AS (
       SELECT c.id
         FROM cards c
        WHERE c.workspace_id = $1
          AND (c.id = ANY ($2) OR c.event_id = ANY ($3)
            OR c.id IN (SELECT k.card_id FROM captures k WHERE k.workspace_id = $1 AND k.event_id = ANY ($3)))
       UNION
       SELECT e.from_card
         FROM made m
         JOIN edges e ON e.workspace_id = $1 AND e.to_card = m.id AND e.type IN ('derived_from', 'supersedes')
     )
     SELECT id FROM made LIMIT 1000`,
    [tx.workspace, cards, events],
  );
  return rows.map(({ id }) => id);
}
