import type { CardKind } from '../contracts/names';
import { lexicalTerms } from '../domain/terms';
import { auditCards, type ChangedCard } from './audit-cards';
import { type Batch, leaveIndex } from './card-writes-evicted';
import { BY_RETENTION, EXPIRES_BY_INTENT, type RetentionPass } from './card-writes-expired';
import { cardsToForget, type DueRule } from './card-writes-forgotten';
import type { Tx } from './database';
import { type EmbeddedRow, textToEmbed } from './embedded-text';
import { PURGED, purgeBeside } from './purged-beside';
import { forgetWords, holdStatistics } from './rollup';

export interface PurgedCard extends ChangedCard {
  /** A person or an agent deleted it, its time was over, or a rule of the policy forgets it. */
  reason: 'deleted' | 'expired' | 'forgotten';
}

/**
 * Purges the next cards that nobody may bring back any more: deleted before `since`, or archived and over by
 * then; and those that a rule forgets, whatever their status, with the payload of the event that they came from. Text, labels, fields, vectors, postings, names, metadata, old versions and what stands beside them go in one
 * transaction. The row stays with its ids, so that captures, edges and logs refer to something; it is `deleted` and
 * seen by nobody.
 * @param due.kinds that leave by age
 * @returns with the versions that they have now; in a dry run, that they had
 */
export async function purgeCards(
  tx: Tx,
  { after, limit }: Batch,
  { kinds, since, forget }: { kinds: readonly CardKind[]; since: Date; forget: readonly DueRule[] },
  { now, workflowId, dryRun }: RetentionPass,
): Promise<PurgedCard[]> {
  // Before any card: whoever counts holds the counts first.
  if (!dryRun) await holdStatistics(tx);
  const left = await tx.query<PurgedCard & { event_id: string | null }>(
    `SELECT c.id, c.version, c.event_id, CASE c.status WHEN 'deleted' THEN 'deleted' ELSE 'expired' END AS reason
       FROM cards c
      WHERE c.workspace_id = $1 AND c.status IN ('archived', 'deleted') AND c.purged_at IS NULL
        AND c.edited_at <= $2 AND c.id > $3
        AND (c.status = 'deleted' OR c.expires_at <= $2 AND ${EXPIRES_BY_INTENT})
        AND NOT is_held($1, 'card', c.id)
      ORDER BY c.id
      LIMIT $4
      ${dryRun ? '' : 'FOR UPDATE'}`,
    [tx.workspace, since, after, limit, kinds],
  );
  const known = new Set(left.map(({ id }) => id));
  const forgotten = (await cardsToForget(tx, { after, limit }, forget, dryRun)).flatMap((card) =>
    known.has(card.id) ? [] : [{ ...card, reason: 'forgotten' as const }],
  );
  const rows = [...left, ...forgotten]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, limit);
  const due = rows.map(({ event_id: _event, ...card }) => card);
  if (dryRun || due.length === 0) return due;
  const ids = due.map(({ id }) => id);
  const words = await wordsOf(tx, ids);
  await leaveIndex(tx, ids);
  await forgetWords(tx, words);
  await purgeBeside(
    tx,
    ids,
    rows.flatMap(({ event_id }) => event_id ?? []),
  );
  await emptyCards(tx, ids, now);
  await dropPayloadsOf(
    tx,
    rows.flatMap(({ reason, event_id }) => (reason === 'forgotten' ? (event_id ?? []) : [])),
  );
  const purged = due.map((card) => ({ ...card, version: card.version + 1 }));
  const audited = { at: now, by: BY_RETENTION, action: 'card.purged', workflowId };
  await auditCards(tx, { ...audited, changed: ['summary'] }, purged);
  return purged;
}

/** What is forgotten is not to be read in its event instead; one that is held for another reason stays. */
async function dropPayloadsOf(tx: Tx, events: readonly string[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(
    `UPDATE events SET payload = NULL
      WHERE workspace_id = $1 AND event_id = ANY ($2) AND payload IS NOT NULL AND NOT is_held($1, 'event', event_id)`,
    [tx.workspace, events],
  );
}

/** Of all that they ever said: an older version's words may still be counted. */
export async function wordsOf(tx: Tx, cards: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ said: Omit<EmbeddedRow, 'team_id'> }>(
    'SELECT v.snapshot AS said FROM card_versions v WHERE v.workspace_id = $1 AND v.card_id = ANY ($2)',
    [tx.workspace, cards],
  );
  const words = rows.flatMap(({ said }) => [
    ...lexicalTerms(textToEmbed({ ...said, team_id: null })).keys(),
  ]);
  return [...new Set(words)];
}

async function emptyCards(tx: Tx, cards: readonly string[], now: Date): Promise<void> {
  await tx.query('DELETE FROM card_versions WHERE workspace_id = $1 AND card_id = ANY ($2)', [
    tx.workspace,
    cards,
  ]);
  await tx.query(
    `WITH emptied AS (
       UPDATE cards c
          SET status = 'deleted', status_before = NULL, summary = $4, service = NULL, operation = NULL,
              task_type = NULL, workflow = NULL, step = NULL, keywords = '{}', error_signature = NULL,
              error_family = NULL, input_fields = '{}', key = NULL, subject = NULL, topic = NULL, project = NULL,
              session = NULL, task = NULL, parent_event = NULL, importance = NULL, flags = '{}', metadata = '{}',
              promoted_from = NULL, visibility = 'private', index_length = 0, embedder = NULL,
              evicted_at = COALESCE(c.evicted_at, $3), purged_at = $3, version = c.version + 1
        WHERE c.workspace_id = $1 AND c.id = ANY ($2)
       RETURNING c.*
     )
     INSERT INTO card_versions (workspace_id, card_id, version, at, actor_kind, actor_id, action, snapshot)
     SELECT e.workspace_id, e.id, e.version, $3, 'system', $5, 'purged', card_snapshot(to_jsonb(e)) FROM emptied e`,
    [tx.workspace, cards, now, PURGED, BY_RETENTION],
  );
}
