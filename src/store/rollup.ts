import type { Database, Tx } from './database';

/** Cards counted in one transaction: about half a second of a core. */
const BATCH = 2_000;
/** Whoever files a card commits it within this; ids rise with the time at which they were given. */
const SETTLED_AFTER_MS = 60_000;

/**
 * Whoever changes the counts holds them first, one at a time: who waits goes on where the other has come to.
 * @returns the last card that is counted
 */
export async function holdStatistics(tx: Tx): Promise<string> {
  await tx.query(
    `INSERT INTO statistics_marks (workspace_id, counted_to) VALUES ($1, '') ON CONFLICT DO NOTHING`,
    [tx.workspace],
  );
  const { counted_to } = await tx.one<{ counted_to: string }>(
    'SELECT counted_to FROM statistics_marks WHERE workspace_id = $1 FOR UPDATE',
    [tx.workspace],
  );
  return counted_to;
}

/**
 * Counts the cards filed since the last time: how many in each scope, and in how many each word occurs.
 * @returns how many were counted; fewer than a batch means that all are.
 */
export async function rollUp(tx: Tx, now: Date): Promise<number> {
  const counted_to = await holdStatistics(tx);
  const [row] = await tx.query<{ counted: string }>(
    `WITH filed AS MATERIALIZED (
       SELECT c.id, c.scope_type, c.scope_id, c.visibility, c.index_length
         FROM cards c
        WHERE c.workspace_id = $1 AND c.id > $3 AND c.recorded_at < $2
        ORDER BY c.id
        LIMIT ${BATCH}
     ),
     scopes AS (
       INSERT INTO scope_statistics AS s (workspace_id, scope_type, scope_id, visibility, cards, words)
       SELECT $1, f.scope_type, f.scope_id, f.visibility, count(*), sum(f.index_length)
         FROM filed f
        GROUP BY f.scope_type, f.scope_id, f.visibility
       ON CONFLICT (workspace_id, scope_type, scope_id, visibility) DO UPDATE
          SET cards = s.cards + EXCLUDED.cards, words = s.words + EXCLUDED.words
     ),
     terms AS (
       INSERT INTO term_statistics AS s (workspace_id, term, cards)
       SELECT $1, t.term, count(*)
         FROM filed f
        CROSS JOIN LATERAL (SELECT term FROM card_terms
                             WHERE workspace_id = $1 AND card_terms.card_id = f.id OFFSET 0) t
        GROUP BY t.term
        ORDER BY t.term
       ON CONFLICT (workspace_id, term) DO UPDATE SET cards = s.cards + EXCLUDED.cards
     ),
     moved AS (
       UPDATE statistics_marks SET counted_to = (SELECT max(id) FROM filed)
        WHERE workspace_id = $1 AND EXISTS (SELECT 1 FROM filed)
     )
     SELECT count(*) AS counted FROM filed`,
    [tx.workspace, new Date(now.getTime() - SETTLED_AFTER_MS), counted_to],
  );
  return Number(row?.counted ?? 0);
}

/** Brings every workspace's counts up to date; a workspace at a time, a batch a transaction. */
export async function rollUpAll(database: Database, now: Date): Promise<void> {
  const workspaces = await database.acrossWorkspaces((tx) =>
    tx.query<{ id: string }>('SELECT workspace_id AS id FROM workspaces ORDER BY workspace_id'),
  );
  for (const { id } of workspaces) {
    for (;;) {
      if ((await database.inWorkspace(id, (tx) => rollUp(tx, now))) < BATCH) break;
    }
  }
}

/** Deletes the postings of these cards, and their words from the counts. The statistics are held. */
export async function forgetPostings(
  tx: Tx,
  cards: readonly string[],
  countedTo: string,
): Promise<void> {
  const gone = await tx.query<{ term: string }>(
    `WITH gone AS (
       DELETE FROM card_terms WHERE workspace_id = $1 AND card_id = ANY ($2) RETURNING term, card_id
     ),
     fewer AS (
       UPDATE term_statistics s
          SET cards = GREATEST(0, s.cards - g.cards)
         FROM (SELECT term, count(*) AS cards FROM gone WHERE card_id <= $3 GROUP BY term) g
        WHERE s.workspace_id = $1 AND s.term = g.term
     )
     SELECT DISTINCT term FROM gone`,
    [tx.workspace, cards, countedTo],
  );
  await forgetWords(
    tx,
    gone.map(({ term }) => term),
  );
}

/** A word that no card holds any more is in no count either. */
export async function forgetWords(tx: Tx, words: readonly string[]): Promise<void> {
  if (words.length === 0) return;
  await tx.query(
    `DELETE FROM term_statistics s
      WHERE s.workspace_id = $1 AND s.term = ANY ($2)
        AND NOT EXISTS (SELECT 1 FROM card_terms t WHERE t.workspace_id = $1 AND t.term = s.term)`,
    [tx.workspace, words],
  );
}

/** Words counted in one transaction. */
const WORDS = 5_000;

/**
 * Counts the next words anew, and with the first of them the scopes: the counts add what is filed, and hear
 * neither of edits nor of cards that moved. What is filed between two batches is counted by whoever comes by.
 * @param after the last word of the batch before; empty at the beginning
 * @returns how many, and the last of them; null at the end
 */
export async function recount(
  tx: Tx,
  after: string,
): Promise<{ counted: number; next: string | null }> {
  const countedTo = await holdStatistics(tx);
  if (after === '') await recountScopes(tx, countedTo);
  const { counted, last } = await tx.one<{ counted: number; last: string | null }>(
    `WITH page AS MATERIALIZED (
       SELECT t.term, count(*) AS cards
         FROM card_terms t
        WHERE t.workspace_id = $1 AND t.term > $2 AND t.card_id <= $3
        GROUP BY t.term
        ORDER BY t.term
        LIMIT ${WORDS}
     ),
     ends AS (
       SELECT count(*)::int AS counted, CASE WHEN count(*) = ${WORDS} THEN (SELECT term FROM page ORDER BY term DESC LIMIT 1) END AS last
         FROM page
     ),
     gone AS (
       DELETE FROM term_statistics s
        USING ends
        WHERE s.workspace_id = $1 AND s.term > $2 AND (ends.last IS NULL OR s.term <= ends.last)
          AND s.term NOT IN (SELECT term FROM page)
     ),
     counted AS (
       INSERT INTO term_statistics (workspace_id, term, cards)
       SELECT $1, term, cards FROM page
       ON CONFLICT (workspace_id, term) DO UPDATE SET cards = EXCLUDED.cards
     )
     SELECT counted, last FROM ends`,
    [tx.workspace, after, countedTo],
  );
  return { counted, next: last };
}

async function recountScopes(tx: Tx, countedTo: string): Promise<void> {
  await tx.query('DELETE FROM scope_statistics WHERE workspace_id = $1', [tx.workspace]);
  await tx.query(
    `INSERT INTO scope_statistics (workspace_id, scope_type, scope_id, visibility, cards, words)
     SELECT $1, c.scope_type, c.scope_id, c.visibility, count(*), sum(c.index_length)
       FROM cards c
      WHERE c.workspace_id = $1 AND c.id <= $2 AND c.evicted_at IS NULL
      GROUP BY c.scope_type, c.scope_id, c.visibility`,
    [tx.workspace, countedTo],
  );
}
