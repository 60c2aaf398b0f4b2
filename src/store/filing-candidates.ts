import type { CardKind, ScopeType, Sign } from '../contracts/names';
import type { LinkCandidate, LinkCard } from '../domain/link';
import type { NewCard } from './card-writes';
import type { Tx } from './database';

/** Of each way to be related; together at most 50 (design §7). */
const OPPOSITE_SIGN = 20;
const SAME_SIGN = 8;
const SAME_STEP = 6;
const SAME_KEY = 4;
const SAME_SUBJECT = 6;
const NEAREST = 6;

export interface CandidateRow {
  id: string;
  kind: CardKind;
  sign: Sign;
  summary: string;
  service: string | null;
  operation: string | null;
  workflow: string | null;
  step: string | null;
  task_type: string | null;
  subject: string | null;
  key: string | null;
  topic: string | null;
  keywords: string[];
  error_signature: string | null;
  input_fields: Record<string, string>;
  valid_from: string;
  scope_type: ScopeType;
  scope_id: string;
  /** Cosine to the new card; null where either has no vector. */
  similarity: number | null;
}

export interface CandidateRequest {
  /** The new card; left out of its own candidates. */
  id: string;
  sign: string;
  service: string | null;
  operation: string | null;
  workflow: string | null;
  step: string | null;
  key: string | null;
  subject: string | null;
  scope: { type: string; id: string };
  vector: readonly number[] | null;
  embedder: string;
}

/**
 * What a new card is compared with: cards of the workspace with the same step, key or subject, those of
 * the opposite sign first, and the nearest in the writer's own scope. `live` is not materialized, so that
 * each arm goes by its own index (by operation, step, key, subject, scope) and not over all cards.
 */
export async function findCandidates(tx: Tx, request: CandidateRequest): Promise<CandidateRow[]> {
  return await tx.query<CandidateRow>(
    `WITH live AS NOT MATERIALIZED (
       SELECT c.id, c.sign, c.recorded_at, c.service, c.operation, c.workflow, c.step, c.key, c.subject,
              c.scope_type, c.scope_id
         FROM cards c
        WHERE c.workspace_id = $1 AND c.id <> $2 AND c.status IN ('pending', 'active', 'validated')
     ),
     same_operation AS (
       SELECT l.id, l.sign, l.recorded_at, NULLIF(e.embedding <=> $11::vector, 'NaN') AS distance
         FROM live l
         LEFT JOIN card_embeddings e
           ON e.workspace_id = $1 AND e.card_id = l.id AND e.field = 'summary' AND e.model = $12
        WHERE l.service = $4 AND l.operation = $5
     ),
     chosen AS (
       (SELECT id FROM same_operation WHERE sign <> $3
         ORDER BY distance NULLS LAST, recorded_at DESC, id LIMIT ${OPPOSITE_SIGN})
       UNION
       (SELECT id FROM same_operation WHERE sign = $3
         ORDER BY distance NULLS LAST, recorded_at DESC, id LIMIT ${SAME_SIGN})
       UNION
       (SELECT id FROM live WHERE workflow = $6 AND step = $7
         ORDER BY (sign <> $3) DESC, recorded_at DESC, id LIMIT ${SAME_STEP})
       UNION
       (SELECT id FROM live WHERE key = $8 ORDER BY recorded_at DESC, id LIMIT ${SAME_KEY})
       UNION
       (SELECT id FROM live WHERE subject = $9 ORDER BY recorded_at DESC, id LIMIT ${SAME_SUBJECT})
       UNION
       (SELECT l.id
          FROM live l
          JOIN card_embeddings e
            ON e.workspace_id = $1 AND e.card_id = l.id AND e.field = 'summary' AND e.model = $12
         WHERE l.scope_type = $10 AND l.scope_id = $13 AND $11::vector IS NOT NULL
         ORDER BY e.embedding <=> $11::vector, l.id LIMIT ${NEAREST})
     )
     SELECT c.id, c.kind, c.sign, c.summary, c.service, c.operation, c.workflow, c.step, c.task_type,
            c.subject, c.key, c.topic, c.keywords, c.error_signature, c.input_fields, c.valid_from,
            c.scope_type, c.scope_id, 1 - NULLIF(e.embedding <=> $11::vector, 'NaN') AS similarity
       FROM chosen
       JOIN cards c ON c.workspace_id = $1 AND c.id = chosen.id
       LEFT JOIN card_embeddings e
         ON e.workspace_id = $1 AND e.card_id = c.id AND e.field = 'summary' AND e.model = $12
      ORDER BY c.id`,
    [
      tx.workspace,
      request.id,
      request.sign,
      request.service,
      request.operation,
      request.workflow,
      request.step,
      request.key,
      request.subject,
      request.scope.type,
      request.vector === null ? null : `[${request.vector.join(',')}]`,
      request.embedder,
      request.scope.id,
    ],
  );
}

/** These cards as a new one is compared with them, whatever made them candidates. */
export async function readCandidates(
  tx: Tx,
  ids: readonly string[],
  vector: readonly number[] | null,
  embedder: string,
): Promise<CandidateRow[]> {
  return await tx.query<CandidateRow>(
    `SELECT c.id, c.kind, c.sign, c.summary, c.service, c.operation, c.workflow, c.step, c.task_type,
            c.subject, c.key, c.topic, c.keywords, c.error_signature, c.input_fields, c.valid_from,
            c.scope_type, c.scope_id, 1 - NULLIF(e.embedding <=> $3::vector, 'NaN') AS similarity
       FROM cards c
       LEFT JOIN card_embeddings e
         ON e.workspace_id = $1 AND e.card_id = c.id AND e.field = 'summary' AND e.model = $4
      WHERE c.workspace_id = $1 AND c.id = ANY ($2)
      ORDER BY c.id`,
    [tx.workspace, ids, vector === null ? null : `[${vector.join(',')}]`, embedder],
  );
}

/** Compared with a new failure beside what is in use; a busy operation has more, and the newest say most. */
const SUMMED_UP = 20;

/**
 * Successes of the same operation that a pass has summed up in a note which is in use. A later failure contradicts
 * them as if they stood, and with them the note that tells of them.
 */
export async function findSummedUp(
  tx: Tx,
  card: Pick<CandidateRequest, 'service' | 'operation'>,
): Promise<CandidateRow[]> {
  if (card.service === null || card.operation === null) return [];
  return await tx.query<CandidateRow>(
    `SELECT c.id, c.kind, c.sign, c.summary, c.service, c.operation, c.workflow, c.step, c.task_type,
            c.subject, c.key, c.topic, c.keywords, c.error_signature, c.input_fields, c.valid_from,
            c.scope_type, c.scope_id, NULL::float8 AS similarity
       FROM cards c
       JOIN cards n ON n.workspace_id = c.workspace_id AND n.id = c.superseded_by AND n.writer_kind = 'system'
                   AND n.status IN ('pending', 'active', 'validated')
      WHERE c.workspace_id = $1 AND c.service = $2 AND c.operation = $3 AND c.status = 'superseded'
        AND c.sign = 'worked'
      ORDER BY c.recorded_at DESC, c.id
      LIMIT ${SUMMED_UP}`,
    [tx.workspace, card.service, card.operation],
  );
}

export function asLinkCard(card: NewCard): LinkCard {
  return {
    id: card.id,
    kind: card.kind,
    sign: card.sign,
    service: card.hints.service,
    operation: card.hints.operation,
    workflow: card.hints.workflow,
    step: card.hints.step,
    task_type: card.hints.task_type,
    subject: card.subject,
    key: card.key,
    topic: card.topic,
    keywords: card.hints.keywords,
    input_fields: card.inputFields,
    error_signature: card.hints.error_signature,
    valid_from: card.validFrom,
    summary: card.summary,
    scope: card.scope,
    value: null,
  };
}

export function asLinkCandidate(row: CandidateRow): LinkCandidate {
  const { scope_type, scope_id, ...rest } = row;
  return { ...rest, scope: { type: scope_type, id: scope_id }, value: null };
}
