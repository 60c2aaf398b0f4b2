import type { Via } from '../contracts/names';
import { lexicalTerms, termCount } from '../domain/terms';
import type { CardRow } from './card-row';
import type { Tx } from './database';
import { type EmbeddedRow, textToEmbed } from './embedded-text';
import type { ReaderArguments } from './visible-cards';

/** A card that was reworded since, and the text that was indexed and embedded for it then. */
export interface RewordedCard {
  id: string;
  text: string;
}

/** What stands in for the index of a reworded card, whose postings and vector are of its new text. */
export interface RewordedIndex {
  card_id: string;
  terms: Record<string, number>;
  length: number;
  /** Null where it could not be embedded in time. */
  vector: readonly number[] | null;
}

/** The ways of seeing a card that show what it said before (contract, Card). */
export const SHOWS_PAST = ['own', 'person'] as const satisfies Via[];

/** A recall of the past re-indexes at most so many; what is beyond is found by its new words. */
const MOST_REWORDED = 200;

type IndexedColumns = EmbeddedRow & Pick<CardRow, 'id'>;

const INDEXED = [
  'summary',
  'service',
  'operation',
  'task_type',
  'workflow',
  'step',
  'keywords',
  'subject',
  'topic',
];

/**
 * The cards whose indexed text was another at `knownAt`, of those whose old versions the reader may
 * see. Postings and vectors are of today's text only; without this, what was said later would decide
 * what is found of the past.
 */
export async function readReworded(
  tx: Tx,
  reader: ReaderArguments,
  knownAt: Date,
): Promise<RewordedCard[]> {
  const rows = await tx.query<IndexedColumns>(
    `SELECT c.id, t.summary, t.service, t.operation, t.task_type, t.workflow, t.step, t.keywords, t.key,
            t.subject, t.topic, t.agent_id, a.team_id
       FROM (SELECT DISTINCT v.card_id
               FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
              WHERE v.via IN (${SHOWS_PAST.map((via) => `'${via}'`).join(', ')})) seen
       JOIN cards c ON c.workspace_id = $1 AND c.id = seen.card_id
      CROSS JOIN LATERAL (
        SELECT cv.snapshot
          FROM card_versions cv
         WHERE cv.workspace_id = $1 AND cv.card_id = c.id AND cv.at <= $7
         ORDER BY cv.version DESC
         LIMIT 1
      ) version
      CROSS JOIN LATERAL jsonb_populate_record(c, version.snapshot) t
       LEFT JOIN agents a ON a.workspace_id = $1 AND a.id = t.agent_id
      WHERE c.edited_at > $7
        AND (${INDEXED.map((column) => `t.${column}`).join(', ')})
            IS DISTINCT FROM (${INDEXED.map((column) => `c.${column}`).join(', ')})
      ORDER BY c.edited_at DESC, c.id
      LIMIT ${MOST_REWORDED}`,
    [...reader, knownAt],
  );
  return rows.map((row) => ({ id: row.id, text: textToEmbed(row) }));
}

/** As it was indexed when it was written. */
export function rewordedIndex(
  { id, text }: RewordedCard,
  vector: readonly number[] | null,
): RewordedIndex {
  const terms = lexicalTerms(text);
  return { card_id: id, terms: Object.fromEntries(terms), length: termCount(terms), vector };
}
