import type { SkillCandidate } from '../domain/skills/rank';
import type { Tx } from './database';
import type { ReaderArguments } from './visible-cards';

export interface SkillQuery {
  /** By `lexicalTerms`. */
  terms: readonly string[];
  /** Null goes by the words alone. */
  embedded: { model: string; vector: readonly number[] } | null;
}

/**
 * The skills in use that the reader sees, as far as a query can tell them apart. For an agent that sees several of
 * one name, the nearest: the one that it would load.
 */
export async function skillCandidates(
  tx: Tx,
  reader: ReaderArguments,
  { terms, embedded }: SkillQuery,
): Promise<SkillCandidate[]> {
  return await tx.query<SkillCandidate>(
    `WITH seen AS MATERIALIZED (
       SELECT w.card_id, array_agg(DISTINCT w.via) AS vias
         FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) w
        GROUP BY w.card_id
     ),
     skill AS MATERIALIZED (
       SELECT s.card_id, c.index_length,
              row_number() OVER (PARTITION BY s.name, CASE WHEN $2::text IS NULL THEN s.card_id END
                                 ORDER BY 'own' = ANY (seen.vias) DESC, 'team' = ANY (seen.vias) DESC,
                                          'workspace' = ANY (seen.vias) DESC, s.created_at DESC, s.card_id) AS near
         FROM seen
         JOIN skills s ON s.workspace_id = $1 AND s.card_id = seen.card_id AND s.status = 'current'
         JOIN LATERAL (
           SELECT k.status, k.index_length FROM cards k WHERE k.workspace_id = $1 AND k.id = s.card_id OFFSET 0
         ) c ON true
        WHERE c.status IN ('pending', 'active', 'validated')
     )
     SELECT n.card_id AS id, n.index_length AS length,
            COALESCE((SELECT jsonb_object_agg(t.term, t.frequency) FROM card_terms t
                       WHERE t.workspace_id = $1 AND t.card_id = n.card_id AND t.term = ANY ($7)), '{}') AS terms,
            (SELECT 1 - NULLIF(e.embedding <=> $8::vector, 'NaN') FROM card_embeddings e
              WHERE e.workspace_id = $1 AND e.card_id = n.card_id AND e.field = 'summary' AND e.model = $9) AS similarity
       FROM skill n
      WHERE n.near = 1
      ORDER BY n.card_id`,
    [
      ...reader,
      terms,
      embedded === null ? null : `[${embedded.vector.join(',')}]`,
      embedded?.model ?? '',
    ],
  );
}
