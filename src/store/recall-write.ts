import type { ExecutionMode, Intent, RecallProfile, Section } from '../contracts/names';
import type { ReadContext } from '../contracts/principal';
import type { RecalledCard } from '../contracts/recall';
import { CONFIDENCE_PER_PROVEN_USE } from '../domain/confidence';
import { cardsByWay, personOf } from './access-log';
import type { Tx } from './database';

export interface RecallRecord {
  id: string;
  at: Date;
  context: ReadContext;
  intent: Intent;
  profile: RecallProfile;
  contextVersion: string;
  degraded: readonly string[];
  cards: readonly RecalledCard[];
  sectionOf: ReadonlyMap<string, Section>;
  /** What the read is logged under: `recall`, or the door of the tools. */
  surface: string;
}

/**
 * Recall's one write: what was injected where, own cards too, and one access row for each way in which
 * cards of others were seen. It commits before the answer leaves; no log, no answer (design §4).
 */
export async function recordRecall(tx: Tx, record: RecallRecord): Promise<void> {
  const { context } = record;
  const mode: ExecutionMode = context.execution_mode;
  const injected = record.cards.map((card, position) => ({
    card_id: card.id,
    position,
    section: record.sectionOf.get(card.id) ?? 'known',
    score: card.score,
    via: card.vias,
  }));
  const ways = [...cardsByWay(record.cards.map((card) => ({ id: card.id, vias: card.vias })))].map(
    ([via, card_ids]) => ({ via, card_ids }),
  );
  await tx.query(
    `WITH recall AS (
       INSERT INTO recalls (workspace_id, id, at, agent_id, person_id, execution_mode, session, intent, profile,
                            context_version, degraded)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ),
     injected AS (
       INSERT INTO recall_cards (workspace_id, recall_id, card_id, position, section, score, via)
       SELECT $1, $2, i.card_id, i.position, i.section, i.score, ARRAY(SELECT jsonb_array_elements_text(i.via))
         FROM jsonb_to_recordset($12::jsonb)
           AS i (card_id text, position int, section text, score float8, via jsonb)
     )
     INSERT INTO access_log (workspace_id, at, agent, person, execution_mode, session, via, surface, count,
                             card_ids, recall_id)
     SELECT $1, $3, surrogate_of($1, 'agent', $4), surrogate_of($1, 'person', $5), $6, $7, w.via, $14,
            jsonb_array_length(w.card_ids), ARRAY(SELECT jsonb_array_elements_text(w.card_ids)), $2
       FROM jsonb_to_recordset($13::jsonb) AS w (via text, card_ids jsonb)`,
    [
      tx.workspace,
      record.id,
      record.at,
      context.agent,
      personOf(context),
      mode,
      context.session,
      record.intent,
      record.profile,
      record.contextVersion,
      record.degraded,
      JSON.stringify(injected),
      JSON.stringify(ways),
      record.surface,
    ],
  );
}

export interface RecallFeedbackRecord {
  recallId: string;
  cardId: string;
  useful: boolean;
  /** Whose recall it has to be; null asks for no agent's in particular. */
  agent: string | null;
  /** The same for a person. */
  person: string | null;
  at: Date;
}

/**
 * Somebody says whether an injected card helped. Useful is a proven use, once for each injection;
 * not useful takes nothing away.
 * @returns false where that recall, made by them, did not inject that card.
 */
export async function recordFeedback(tx: Tx, feedback: RecallFeedbackRecord): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(
    `WITH injected AS (
       SELECT rc.recall_id, rc.card_id, rc.proven_at
         FROM recall_cards rc
         JOIN recalls r ON r.workspace_id = $1 AND r.id = rc.recall_id
        WHERE rc.workspace_id = $1 AND rc.recall_id = $2 AND rc.card_id = $3
          AND ($5::text IS NULL OR r.agent_id = $5)
          AND ($7::text IS NULL OR r.person_id = $7)
     ),
     proven AS (
       UPDATE recall_cards rc
          SET proven_at = $6
         FROM injected i
        WHERE $4 AND rc.workspace_id = $1 AND rc.recall_id = i.recall_id AND rc.card_id = i.card_id
          AND rc.proven_at IS NULL
       RETURNING rc.card_id
     ),
     surer AS (
       UPDATE cards c
          SET confidence = LEAST(1, c.confidence + ${CONFIDENCE_PER_PROVEN_USE})
         FROM proven p
        WHERE c.workspace_id = $1 AND c.id = p.card_id
     ),
     counted AS (
       INSERT INTO card_usage AS u (workspace_id, card_id, use_count, last_used_at)
       SELECT $1, card_id, 1, $6 FROM proven
       ON CONFLICT (workspace_id, card_id) DO UPDATE
          SET use_count = u.use_count + 1, last_used_at = GREATEST(u.last_used_at, EXCLUDED.last_used_at)
     )
     SELECT true AS found FROM injected`,
    [
      tx.workspace,
      feedback.recallId,
      feedback.cardId,
      feedback.useful,
      feedback.agent,
      feedback.at,
      feedback.person,
    ],
  );
  return row !== undefined;
}
