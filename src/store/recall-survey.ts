import type { Tx } from './database';
import { actingNames } from './recall-fragments';
import { SERVED_MODELS, type ServedModels } from './served-models';
import { INDEXED_FROM, vectorIndexName } from './vector-index';
import { mayBeSeen, READER_PATHS, type ReaderArguments } from './visible-cards';

/** What is known before a recall is made: how it is best made, never what it may show. */
export interface RecallSurvey extends ServedModels {
  /** Of the names in the query, those that act in a card the reader may see. */
  acting: string[];
  /** About how many cards the reader may see, as far as they are rolled up, and of grants at most as many as an index pays for. */
  visible: number;
  /** Whether an index over the vectors of the embedder stands. */
  isIndexed: boolean;
}

const SURVEY = `
WITH paths AS MATERIALIZED (${READER_PATHS}
)
SELECT ARRAY(${actingNames('$7', `c.status IN ('pending', 'active', 'validated') AND ${mayBeSeen('c')}`)}
       ) AS acting,
       (SELECT COALESCE(sum(s.cards), 0)
          FROM scope_statistics s
         CROSS JOIN paths p
         WHERE s.workspace_id = $1
           AND (p.everything OR p.self IS NOT NULL AND (
             s.scope_type = 'workspace' OR s.visibility = 'organization'
             OR s.scope_type = 'team' AND s.scope_id = p.team
             OR s.scope_type = 'agent' AND (s.scope_id IN (p.self, p.predecessor) OR s.scope_id = ANY (p.ancestors))))
       )::float8
       + (SELECT count(*) FROM (SELECT 1 FROM card_grants g WHERE g.workspace_id = $1 AND g.agent_id = $2
                                 LIMIT ${INDEXED_FROM}) g)::float8 AS visible,
       COALESCE((SELECT i.indisvalid FROM pg_index i WHERE i.indexrelid = to_regclass($8)), false) AS "isIndexed",
       ${SERVED_MODELS}
  FROM workspaces w
 WHERE w.workspace_id = $1`;

/** One cheap read, while the query is embedded. */
export async function surveyForRecall(
  tx: Tx,
  reader: ReaderArguments,
  names: readonly string[],
  embedder: string,
): Promise<RecallSurvey> {
  return await tx.one<RecallSurvey>(SURVEY, [...reader, names, vectorIndexName(embedder)]);
}
