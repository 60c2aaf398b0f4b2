import type { ExecutionMode, Intent, RecallProfile, Section } from '../contracts/names';
import type { ReadContext } from '../contracts/principal';
import type { RecalledCard } from '../contracts/recall';
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
  cards: readonly Pick<RecalledCard, 'id' | 'score' | 'vias'>[];
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
