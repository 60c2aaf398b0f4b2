import { durationMs } from '../domain/durations';
import { writeAudit } from './audit';
import type { Tx } from './database';
import { type EmbeddedRow, textToEmbed } from './embedded-text';
import type { CandidateRow } from './filing-candidates';
import { linkAnew } from './filing-late-vectors';
import { readSettings } from './settings';

/** A card whose vector is of another model, as it was read. */
export interface CardToReembed {
  id: string;
  version: number;
  text: string;
}

/** Cards that one statement looks at: most may have their vector, after a walk that broke off. */
const PAGE = 2_000;

/** Vectors of any model but $2, by the index on the model. */
const OTHERS = "o.workspace_id = $1 AND (o.model < $2 OR o.model > $2) AND o.field = 'summary'";

/** Of a card's vectors one probe of the primary key each. */
const hasVector = (id: string) => `
  EXISTS (SELECT 1 FROM card_embeddings n
           WHERE n.workspace_id = $1 AND n.card_id = ${id} AND n.field = 'summary' AND n.model = $2)`;
const hasOther = (id: string) => `
  EXISTS (SELECT 1 FROM card_embeddings o
           WHERE o.workspace_id = $1 AND o.card_id = ${id} AND o.field = 'summary' AND o.model <> $2)`;

/** Retired ones too; and deleted ones while they may be restored ($3), which their last edit tells. */
const KEPT = "(c.status <> 'deleted' OR c.edited_at > $3)";

/** Deleted cards that were deleted earlier than this are never restored. */
async function restorableSince(tx: Tx, now: Date): Promise<Date> {
  const settings = await readSettings(tx);
  const window = settings === null ? 0 : durationMs(settings.policy.retention.restore_window);
  return new Date(now.getTime() - window);
}

/** Whether any vector of another model is there. */
export async function hasOtherVectors(tx: Tx, model: string): Promise<boolean> {
  const { others } = await tx.one<{ others: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM card_embeddings WHERE workspace_id = $1 AND model < $2)
         OR EXISTS (SELECT 1 FROM card_embeddings WHERE workspace_id = $1 AND model > $2) AS others`,
    [tx.workspace, model],
  );
  return others;
}

/** The other model that most vectors are of; null where there is none. */
export async function otherModelOf(tx: Tx, model: string): Promise<string | null> {
  const [row] = await tx.query<{ model: string }>(
    `SELECT o.model FROM card_embeddings o WHERE ${OTHERS}
      GROUP BY o.model ORDER BY count(*) DESC, o.model LIMIT 1`,
    [tx.workspace, model],
  );
  return row?.model ?? null;
}

/**
 * Cards that have a vector, and none of the model. Cards without any wait for `embed`. Costs two probes
 * where there are no others, and a reading of the index where there are.
 */
export async function countCardsToReembed(tx: Tx, model: string, now: Date): Promise<number> {
  if (!(await hasOtherVectors(tx, model))) return 0;
  const { cards } = await tx.one<{ cards: number }>(
    `SELECT count(DISTINCT o.card_id) AS cards
       FROM card_embeddings o
       JOIN cards c ON c.workspace_id = o.workspace_id AND c.id = o.card_id
      WHERE ${OTHERS} AND NOT ${hasVector('o.card_id')} AND ${KEPT}`,
    [tx.workspace, model, await restorableSince(tx, now)],
  );
  return cards;
}

/** What is left to do for the model under way; 0 while none is. */
export async function countShadowed(tx: Tx, now: Date): Promise<number> {
  const { shadow } = await tx.one<{ shadow: string | null }>(
    'SELECT embedding_shadow AS shadow FROM workspaces WHERE workspace_id = $1',
    [tx.workspace],
  );
  return shadow === null ? 0 : await countCardsToReembed(tx, shadow, now);
}

/**
 * The next cards without a vector of the model. Ids sort by time, so the newest come first: recent work
 * is what the next recall asks for.
 * @param after the last card that was looked at; empty at the beginning
 * @returns `next` null at the end
 */
export async function readCardsToReembed(
  tx: Tx,
  request: { model: string; after: string; limit: number; now: Date },
): Promise<{ cards: CardToReembed[]; next: string | null }> {
  const { model, after, limit, now } = request;
  const rows = await tx.query<
    EmbeddedRow & { id: string | null; version: number; looked_at: number; last: string | null }
  >(
    `WITH page AS MATERIALIZED (
       SELECT c.id, ${KEPT} AS kept
         FROM cards c
        WHERE c.workspace_id = $1 AND ($4::text = '' OR c.id < $4)
        ORDER BY c.id DESC
        LIMIT ${PAGE}
     ),
     due AS MATERIALIZED (
       SELECT p.id FROM page p
        WHERE p.kept AND ${hasOther('p.id')} AND NOT ${hasVector('p.id')}
        ORDER BY p.id DESC
        LIMIT $5
     )
     SELECT seen.looked_at, seen.last, c.id, c.version, c.summary, c.key, c.subject, c.topic, c.service,
            c.operation, c.task_type, c.workflow, c.step, c.keywords, c.agent_id, a.team_id
       FROM (SELECT count(*) AS looked_at, min(id) AS last FROM page) seen
       LEFT JOIN due d ON true
       LEFT JOIN cards c ON c.workspace_id = $1 AND c.id = d.id
       LEFT JOIN agents a ON a.workspace_id = $1 AND a.id = c.agent_id
      ORDER BY c.id DESC`,
    [tx.workspace, model, await restorableSince(tx, now), after, limit],
  );
  const cards = rows.flatMap(({ id, version, ...row }) =>
    id === null ? [] : [{ id, version, text: textToEmbed(row) }],
  );
  return { cards, next: nextOf(rows[0], cards, limit) };
}

/** A full batch goes on after its last card, another after the last one that was looked at. */
function nextOf(
  seen: { looked_at: number; last: string | null } | undefined,
  found: readonly { id: string }[],
  limit: number,
): string | null {
  if (found.length === limit) return found.at(-1)?.id ?? null;
  return seen === undefined || seen.looked_at < PAGE ? null : seen.last;
}

/**
 * Writes vectors beside those that are there, in the caller's transaction: one statement for a batch.
 * Compare-and-set: a card that was edited since it was read gets nothing, for its text may be another.
 * @returns the number of cards that got theirs
 */
export async function fileReembedded(
  tx: Tx,
  model: string,
  vectors: readonly { id: string; version: number; values: readonly number[] }[],
  now: Date,
): Promise<number> {
  const rows = await tx.query(
    `WITH given AS (
       SELECT * FROM unnest($2::text[], $3::int[], $4::text[]) AS g (id, version, embedding)
     ),
     card AS (
       UPDATE cards c SET embedder = $5
         FROM given g
        WHERE c.workspace_id = $1 AND c.id = g.id AND c.version = g.version
       RETURNING c.workspace_id, c.id, c.version, g.embedding::vector AS embedding
     )
     INSERT INTO card_embeddings (workspace_id, card_id, field, model, dims, embedding, card_version, created_at)
     SELECT workspace_id, id, 'summary', $5, vector_dims(embedding), embedding, version, $6 FROM card
     ON CONFLICT (workspace_id, card_id, field, model) DO NOTHING
     RETURNING card_id`,
    [
      tx.workspace,
      vectors.map(({ id }) => id),
      vectors.map(({ version }) => version),
      vectors.map(({ values }) => `[${values.join(',')}]`),
      model,
      now,
    ],
  );
  return rows.length;
}

/** A card that was filed under the new model, with its vector. */
export interface CardToLink {
  row: CandidateRow;
  version: number;
  values: number[];
}

/**
 * The next cards whose only vector is of the model: while it was under way, filing could not compare
 * them with cards that had none of it yet.
 * @param since when the shadowing began
 */
export async function readCardsToLink(
  tx: Tx,
  request: { model: string; after: string; since: string; limit: number },
): Promise<{ cards: CardToLink[]; next: string | null }> {
  const { model, after, since, limit } = request;
  const rows = await tx.query<
    CandidateRow & { version: number; embedding: string; looked_at: number; last: string | null }
  >(
    `WITH page AS MATERIALIZED (
       SELECT n.card_id AS id, n.created_at >= $3::timestamptz AS is_new
         FROM card_embeddings n
        WHERE n.workspace_id = $1 AND n.model = $2 AND n.field = 'summary'
          AND ($4::text = '' OR n.card_id < $4)
        ORDER BY n.card_id DESC
        LIMIT ${PAGE}
     ),
     due AS MATERIALIZED (
       SELECT p.id
         FROM page p
         JOIN cards c ON c.workspace_id = $1 AND c.id = p.id
        WHERE p.is_new AND c.status IN ('pending', 'active', 'validated') AND NOT ${hasOther('p.id')}
        ORDER BY p.id DESC
        LIMIT $5
     )
     SELECT seen.looked_at, seen.last, c.id, c.kind, c.sign, c.summary, c.service, c.operation, c.workflow,
            c.step, c.task_type, c.subject, c.key, c.topic, c.keywords, c.error_signature, c.input_fields,
            c.valid_from, c.scope_type, c.scope_id, c.version, NULL AS similarity,
            (SELECT e.embedding::text FROM card_embeddings e
              WHERE e.workspace_id = $1 AND e.card_id = c.id AND e.field = 'summary' AND e.model = $2) AS embedding
       FROM (SELECT count(*) AS looked_at, min(id) AS last FROM page) seen
       LEFT JOIN due d ON true
       LEFT JOIN cards c ON c.workspace_id = $1 AND c.id = d.id
      ORDER BY c.id DESC`,
    [tx.workspace, model, since, after, limit],
  );
  const cards = rows.flatMap(({ version, embedding, looked_at: _, last: __, ...row }) =>
    row.id === null ? [] : [{ row, version, values: JSON.parse(embedding) as number[] }],
  );
  return {
    cards,
    next: nextOf(
      rows[0],
      cards.map(({ row }) => row),
      limit,
    ),
  };
}

/** @returns the number of new edges; those that are there stay as they are */
export async function linkReembedded(
  tx: Tx,
  card: CardToLink,
  model: string,
  pass: { now: Date; workflowId: string },
): Promise<number> {
  const { row, version, values } = card;
  const linked = await linkAnew(tx, row, { model, dims: values.length, values }, pass.now);
  if (linked > 0) {
    await writeAudit(tx, {
      at: pass.now,
      actor: { kind: 'system', id: 'reembed' },
      action: 'card.linked',
      target: { type: 'card', id: row.id },
      changed: ['edges'],
      versions: [version],
      channel: 'workflow',
      workflowId: pass.workflowId,
    });
  }
  return linked;
}

/**
 * Deletes vectors of other models whose card has one of this model, or is never restored; the latter
 * then counts as without a vector, should somebody widen the window. By cursor over the primary key, so
 * that no batch looks again at what those before it deleted.
 * @param request `limit` is of vectors that are looked at, those of this model among them
 * @returns how many went; `next` null at the end
 */
export async function clearOtherVectors(
  tx: Tx,
  request: { model: string; after: string; limit: number; now: Date },
): Promise<{ cleared: number; next: string | null }> {
  const { model, after, limit, now } = request;
  const row = await tx.one<{ cleared: number; looked_at: number; last: string | null }>(
    `WITH page AS MATERIALIZED (
       SELECT e.card_id, e.model
         FROM card_embeddings e
        WHERE e.workspace_id = $1 AND e.card_id > $4 AND e.field = 'summary'
        ORDER BY e.card_id
        FETCH FIRST ($5) ROWS WITH TIES
     ),
     old AS MATERIALIZED (
       SELECT p.card_id, p.model, ${hasVector('p.card_id')} AS has_new
         FROM page p
        WHERE p.model <> $2
          AND (${hasVector('p.card_id')}
            OR NOT (SELECT ${KEPT} FROM cards c WHERE c.workspace_id = $1 AND c.id = p.card_id))
     ),
     without AS (
       UPDATE cards c SET embedder = NULL
         FROM old
        WHERE c.workspace_id = $1 AND c.id = old.card_id AND NOT old.has_new
     ),
     gone AS (
       DELETE FROM card_embeddings e
        USING old
        WHERE e.workspace_id = $1 AND e.card_id = old.card_id AND e.field = 'summary' AND e.model = old.model
       RETURNING e.card_id
     )
     SELECT (SELECT count(*) FROM gone) AS cleared, count(*) AS looked_at, max(card_id) AS last FROM page`,
    [tx.workspace, model, await restorableSince(tx, now), after, limit],
  );
  return { cleared: row.cleared, next: row.looked_at < limit ? null : row.last };
}
