import type { CardScope } from '../contracts/card';
import type { JsonObject } from '../contracts/event';
import type {
  CardKind,
  CardStatus,
  ScopeType,
  Sign,
  Tier,
  Trust,
  Visibility,
} from '../contracts/names';
import { termCount } from '../domain/terms';
import type { CardVector } from './card-writes';
import type { Tx } from './database';
import { ENTITIES_FROM } from './entity-writes';

/** The columns that a change may set; writer and provenance are not among them. */
export interface ChangedColumns {
  kind?: CardKind;
  tier?: Tier;
  sign?: Sign;
  status?: CardStatus;
  status_before?: CardStatus;
  summary?: string;
  service?: string | null;
  operation?: string | null;
  task_type?: string | null;
  workflow?: string | null;
  step?: string | null;
  keywords?: string[];
  error_signature?: string | null;
  error_family?: string | null;
  input_fields?: Record<string, string>;
  subject?: string | null;
  topic?: string | null;
  project?: string | null;
  /** Of `moveCard` alone: what widens or narrows goes through a promotion or a demotion. */
  scope_type?: ScopeType;
  scope_id?: string;
  promoted_from?: CardScope | null;
  visibility?: Visibility;
  importance?: number | null;
  confidence?: number;
  /** Only ever lowered: to that of whoever wrote the text that now stands there. */
  trust?: Trust;
  flags?: string[];
  metadata?: JsonObject;
  valid_from?: string;
  valid_to?: string | null;
  validated_at?: string;
  expires_at?: string | null;
  index_length?: number;
  embedder?: string | null;
}

export interface CardChange {
  id: string;
  /** The version that was read; a card that moved on stays as it is. */
  expected: number;
  columns: ChangedColumns;
  /** What the history calls it. */
  action: string;
  actor: { kind: string; id: string };
  at: Date;
}

/**
 * Compare-and-set on the version, together with the new version's snapshot.
 * @returns the new version, or null where the card is no longer the one that was read.
 */
export async function changeCard(tx: Tx, change: CardChange): Promise<number | null> {
  const [row] = await tx.query<{ version: number }>(
    `WITH changed AS (
       UPDATE cards c
          SET (kind, tier, sign, status, status_before, summary, service, operation, task_type, workflow, step,
               keywords, error_signature, error_family, input_fields, subject, topic, project,
               scope_type, scope_id, promoted_from, visibility, importance, confidence, trust, flags, metadata, valid_from, valid_to, validated_at, expires_at,
               index_length, embedder)
              = (SELECT n.kind, n.tier, n.sign, n.status, n.status_before, n.summary, n.service, n.operation,
                        n.task_type, n.workflow, n.step, n.keywords, n.error_signature, n.error_family,
                        n.input_fields,
                        n.subject, n.topic, n.project, n.scope_type, n.scope_id, n.promoted_from, n.visibility, n.importance, n.confidence, n.trust,
                        n.flags, n.metadata, n.valid_from, n.valid_to, n.validated_at, n.expires_at,
                        n.index_length, n.embedder
                   FROM jsonb_populate_record(c, $4::jsonb) n),
              version = c.version + 1,
              edited_at = $5
        WHERE c.workspace_id = $1 AND c.id = $2 AND c.version = $3
       RETURNING c.*
     )
     INSERT INTO card_versions (workspace_id, card_id, version, at, actor_kind, actor_id, action, snapshot)
     SELECT r.workspace_id, r.id, r.version, $5, $6, $7, $8, card_snapshot(to_jsonb(r)) FROM changed r
     RETURNING version`,
    [
      tx.workspace,
      change.id,
      change.expected,
      JSON.stringify(change.columns),
      change.at,
      change.actor.kind,
      change.actor.id,
      change.action,
    ],
  );
  return row?.version ?? null;
}

/** What `changeCard` has to be told when the indexed text is another. */
export function indexColumns(
  terms: ReadonlyMap<string, number>,
  vector: CardVector | null,
): Pick<ChangedColumns, 'index_length' | 'embedder'> {
  return { index_length: termCount(terms), embedder: vector?.model ?? null };
}

/** What finds a card by its words and by what it names. */
export interface CardIndex {
  terms: ReadonlyMap<string, number>;
  /** By `entityRows`. */
  entities: string;
}

/** Puts the postings, the names and the vector of the new text in the place of the old ones. */
export async function reindexCard(
  tx: Tx,
  card: { id: string; version: number; at: Date },
  { terms, entities }: CardIndex,
  vector: CardVector | null,
): Promise<void> {
  await tx.query(
    `WITH vectors AS (
       DELETE FROM card_embeddings WHERE workspace_id = $1 AND card_id = $2
     ),
     names AS (
       DELETE FROM entities WHERE workspace_id = $1 AND card_id = $2
     ),
     indexed AS (
       UPDATE cards SET evicted_at = NULL WHERE workspace_id = $1 AND id = $2 AND evicted_at IS NOT NULL
     )
     DELETE FROM card_terms WHERE workspace_id = $1 AND card_id = $2`,
    [tx.workspace, card.id],
  );
  await tx.query(
    `WITH postings AS (
       INSERT INTO card_terms (workspace_id, term, card_id, frequency, length)
       SELECT $1, t.key, $2, t.value::int, $9 FROM jsonb_each_text($3::jsonb) t
     ),
     names AS (${ENTITIES_FROM('$1', '$2', '$10')}
     )
     INSERT INTO card_embeddings (workspace_id, card_id, field, model, dims, embedding, card_version, created_at)
     SELECT $1, $2, 'summary', $4, $5, $6::vector, $7, $8 WHERE $4::text IS NOT NULL`,
    [
      tx.workspace,
      card.id,
      JSON.stringify(Object.fromEntries(terms)),
      vector?.model ?? null,
      vector?.dims ?? null,
      vector === null ? null : `[${vector.values.join(',')}]`,
      card.version,
      card.at,
      termCount(terms),
      entities,
    ],
  );
}

/** Asks the `embed` workflow to come by, once; it finds what has no vector. */
export async function queueLateVectors(tx: Tx, now: Date): Promise<void> {
  await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     SELECT $1, 'start_embed', 'embed/' || $1::text || '/late', jsonb_build_object('workspace', $1::text),
            $2::timestamptz + interval '5 seconds', $2
      WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE workspace_id = $1 AND action = 'start_embed')`,
    [tx.workspace, now],
  );
}

/** What a person or an agent has put into words is not distilled again from its event. */
export async function keepFromDistilling(tx: Tx, eventId: string): Promise<void> {
  await tx.query(
    `UPDATE captures SET needs_distill = false
      WHERE workspace_id = $1 AND event_id = $2 AND needs_distill`,
    [tx.workspace, eventId],
  );
}

/** Free text that somebody gave, redacted; the audit refers to it. */
export async function keepReason(tx: Tx, id: string, text: string, at: Date): Promise<void> {
  await tx.query(
    'INSERT INTO reasons (workspace_id, id, text, created_at) VALUES ($1, $2, $3, $4)',
    [tx.workspace, id, text, at],
  );
}
