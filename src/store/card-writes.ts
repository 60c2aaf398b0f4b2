import type { CardHints, CardScope } from '../contracts/card';
import type { JsonObject } from '../contracts/event';
import type {
  CardKind,
  CardStatus,
  DistilledBy,
  Sign,
  Trust,
  Visibility,
  WriterKind,
} from '../contracts/names';
import { TIER_OF_KIND } from '../contracts/names';
import { cardIndexText, type IndexedCard, lexicalTerms, termCount } from '../domain/terms';
import type { Tx } from './database';
import { EDGES_FROM, edgeRows, type NewEdge, type WrittenEdge } from './edge-writes';
import { ENTITIES_FROM, entityRows } from './entity-writes';

/** Everything of a card that is decided when it is written. */
export interface NewCard {
  id: string;
  kind: CardKind;
  sign: Sign;
  status: CardStatus;
  /** Of a card that is held back, what it is once it is released; null of any other. */
  statusBefore: CardStatus | null;
  summary: string;
  hints: CardHints;
  inputFields: Record<string, string>;
  key: string | null;
  subject: string | null;
  topic: string | null;
  project: string | null;
  session: string | null;
  task: string | null;
  parentEvent: string | null;
  /** Who did the work, and the team it belongs to: part of the indexed text. */
  agent: string | null;
  team: string | null;
  scope: CardScope;
  visibility: Visibility;
  importance: number | null;
  confidence: number;
  trust: Trust;
  flags: string[];
  metadata: JsonObject;
  validFrom: string;
  /** Null while it holds. */
  validTo: string | null;
  recordedAt: Date;
  expiresAt: Date | null;
  eventId: string | null;
  writer: { kind: WriterKind; id: string };
  workflowId: string | null;
  runId: string | null;
  model: string | null;
  promptVersion: string | null;
  distilledBy: DistilledBy;
  supersededBy: string | null;
}

export interface CardVector {
  model: string;
  dims: number;
  values: readonly number[];
}

export function indexTextOf(card: NewCard): string {
  return cardIndexText(indexedOf(card));
}

function indexedOf(card: NewCard): IndexedCard {
  const { summary, agent, team, key, subject, topic, hints } = card;
  return { summary, agent, team, key, subject, topic, hints };
}

/**
 * The card with its first version, its postings, what it names, where it came in time its vector, and its edges: one
 * statement. @returns the edges that were new.
 */
export async function insertCard(
  tx: Tx,
  card: NewCard,
  vector: CardVector | null,
  edges: readonly NewEdge[],
): Promise<WrittenEdge[]> {
  const terms = lexicalTerms(indexTextOf(card));
  return await tx.query<WrittenEdge>(
    `WITH card AS (
       INSERT INTO cards (workspace_id, id, kind, tier, sign, status, summary, service, operation, task_type,
              workflow, step, keywords, error_signature, error_family, input_fields, key, subject, topic,
              project, session, task, parent_event, agent_id, scope_type, scope_id, visibility, importance,
              confidence, trust, flags, metadata, valid_from, recorded_at, edited_at, expires_at, index_length,
              event_id, writer_kind, writer_id, workflow_id, run_id, model, prompt_version, embedder,
              distilled_by, superseded_by, valid_to, status_before)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
               $11, $12, $13, $14, $15, $16, $17, $18, $19,
               $20, $21, $22, $23, $24, $25, $26, $27, $28,
               $29, $30, $31, $32, $33, $34, $34, $35, $36,
               $37, $38, $39, $40, $41, $42, $43, $44,
               $45, $46, $51, $54)
       RETURNING *
     ),
     version AS (
       INSERT INTO card_versions (workspace_id, card_id, version, at, actor_kind, actor_id, action, snapshot)
       SELECT c.workspace_id, c.id, 1, c.recorded_at, c.writer_kind, c.writer_id, 'created', card_snapshot(to_jsonb(c))
         FROM card c
     ),
     postings AS (
       INSERT INTO card_terms (workspace_id, term, card_id, frequency, length)
       SELECT c.workspace_id, t.key, c.id, t.value::int, c.index_length FROM card c, jsonb_each_text($47::jsonb) t
     ),
     named AS (${ENTITIES_FROM('$1', '$2', '$53')}
     ),
     vector AS (
       INSERT INTO card_embeddings (workspace_id, card_id, field, model, dims, embedding, card_version, created_at)
       SELECT c.workspace_id, c.id, 'summary', $48, $49, $50::vector, 1, c.recorded_at
         FROM card c WHERE $48::text IS NOT NULL
     )
     ${EDGES_FROM('$52', '$34')}`,
    [
      tx.workspace,
      card.id,
      card.kind,
      TIER_OF_KIND[card.kind],
      card.sign,
      card.status,
      card.summary,
      card.hints.service,
      card.hints.operation,
      card.hints.task_type,
      card.hints.workflow,
      card.hints.step,
      card.hints.keywords,
      card.hints.error_signature,
      card.hints.error_family,
      JSON.stringify(card.inputFields),
      card.key,
      card.subject,
      card.topic,
      card.project,
      card.session,
      card.task,
      card.parentEvent,
      card.agent,
      card.scope.type,
      card.scope.id,
      card.visibility,
      card.importance,
      card.confidence,
      card.trust,
      card.flags,
      JSON.stringify(card.metadata),
      card.validFrom,
      card.recordedAt,
      card.expiresAt,
      termCount(terms),
      card.eventId,
      card.writer.kind,
      card.writer.id,
      card.workflowId,
      card.runId,
      card.model,
      card.promptVersion,
      vector?.model ?? null,
      card.distilledBy,
      card.supersededBy,
      JSON.stringify(Object.fromEntries(terms)),
      vector?.model ?? null,
      vector?.dims ?? null,
      vector === null ? null : `[${vector.values.join(',')}]`,
      card.validTo,
      edgeRows(edges, card.recordedAt),
      entityRows(indexedOf(card)),
      card.statusBefore,
    ],
  );
}
