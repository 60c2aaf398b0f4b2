import type { Database, Tx } from './database';

/** Cards counted in one transaction: about half a second of a core. */
const BATCH = 2_000;
/** Whoever files a card commits it within this; ids rise with the time at which they were given. */
const SETTLED_AFTER_MS = 60_000;

/**
 * Counts the cards filed since the last time: how many in each scope, and in how many each word occurs.
 * @returns how many were counted; fewer than a batch means that all are.
 */
export async function rollUp(tx: Tx, now: Date): Promise<number> {
  await tx.query(
    `INSERT INTO statistics_marks (workspace_id, counted_to) VALUES ($1, '') ON CONFLICT DO NOTHING`,
    [tx.workspace],
  );
  // One server at a time: whoever waits goes on where the other has come to.
  const { counted_to } = await tx.one<{ counted_to: string }>(
    'SELECT counted_to FROM statistics_marks WHERE workspace_id = $1 FOR UPDATE',
    [tx.workspace],
  );
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
