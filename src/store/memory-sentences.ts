import type { Card, CardScope } from '../contracts/card';
import { type CardStatus, RECALLED_STATUSES } from '../contracts/names';
import { SAID_ON } from '../domain/said-on';
import { CARD_COLUMNS, CARD_USAGE, type CardRow, cardOf } from './card-row';
import type { Tx } from './database';

/** One sentence of one agent about one subject in one session. */
export interface Sentence {
  scope: CardScope;
  subject: string | null;
  session: string | null;
  /** Redacted. */
  text: string;
}

/**
 * Whoever adds the same sentence at the same moment waits until this transaction ends, and then finds it:
 * one that is not there yet has no row to be held by.
 */
export async function holdSentences(tx: Tx, sentences: readonly Sentence[]): Promise<void> {
  const keys = [...new Set(sentences.map((one) => sentenceKey(tx.workspace, one)))].sort();
  for (const key of keys) {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
  }
}

function sentenceKey(workspace: string, { scope, subject, session, text }: Sentence): string {
  const same = text.replace(SAID_ON, '').trim().replace(/\s+/g, ' ').toLowerCase();
  return JSON.stringify([workspace, scope.type, scope.id, subject, session, same]);
}

/** Without what stands behind a fact, which tells when it was said. */
const SAME = (text: string) =>
  `lower(regexp_replace(btrim(regexp_replace(${text}, '${SAID_ON.source}', '')), '\\s+', ' ', 'g'))`;

/**
 * The memory that says the same already, the oldest of several: but for spaces, capitals and the day, and whether the
 * policy holds it back or not, since its writer has been told of it.
 */
export async function sameSentence(
  tx: Tx,
  { scope, subject, session, text }: Sentence,
  now: Date,
): Promise<{ card: Card; changedAt: string } | null> {
  const statuses: readonly CardStatus[] = [...RECALLED_STATUSES, 'quarantined'];
  const [row] = await tx.query<CardRow & { edited_at: string }>(
    `SELECT ${CARD_COLUMNS}, c.edited_at
       FROM (
         SELECT *
           FROM cards k
          WHERE k.workspace_id = $1 AND k.scope_type = $2 AND k.scope_id = $3
            AND k.subject IS NOT DISTINCT FROM $4 AND k.session IS NOT DISTINCT FROM $5
            AND k.status = ANY ($6) AND ${SAME('k.summary')} = ${SAME('$7::text')}
         OFFSET 0
       ) c
       ${CARD_USAGE}
      WHERE EXISTS (
        SELECT 1
          FROM visible_cards($1, NULL, NULL, true, NULL, $8::timestamptz) v
         WHERE v.card_id = c.id)
      ORDER BY c.recorded_at, c.id
      LIMIT 1`,
    [tx.workspace, scope.type, scope.id, subject, session, statuses, text, now],
  );
  return row === undefined ? null : { card: cardOf(row), changedAt: row.edited_at };
}
