import type { Pool } from 'pg';
import { percentile, rounded } from './machine';

const ROUNDS = 5;

/** What one transaction takes for the same reading and the same retiring, without words and without a record. */
export interface PassBySql {
  rounds: number;
  groups: number;
  read_ms: number;
  retire_ms: number;
  seconds: number;
}

/**
 * Reads every card that the pass read, with its vector and whom it is shared with, grouped by scope, member and
 * topic, and moves those that it retired to `superseded`: in one transaction, as the owner of the tables. Each round
 * begins with the cards as they were before the pass, which is not counted, and is rolled back. The median round.
 *
 * @param read ids that the pass read
 * @param retired ids that it retired
 */
export async function passBySql(
  pool: Pool,
  read: readonly string[],
  retired: readonly string[],
): Promise<PassBySql> {
  const client = await pool.connect();
  const rounds: { groups: number; read: number; retire: number }[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      await client.query('BEGIN');
      await client.query(
        `UPDATE cards SET status = 'active', superseded_by = NULL
          WHERE workspace_id = 'default' AND id = ANY ($1)`,
        [retired],
      );
      const from = performance.now();
      const { rows } = await client.query(GROUPED, [read]);
      const between = performance.now();
      await client.query(
        `UPDATE cards SET status = 'superseded', version = version + 1
          WHERE workspace_id = 'default' AND id = ANY ($1)`,
        [retired],
      );
      const to = performance.now();
      await client.query('ROLLBACK');
      rounds.push({ groups: rows.length, read: between - from, retire: to - between });
    }
  } finally {
    client.release();
  }
  const median = (of: (round: (typeof rounds)[number]) => number) =>
    percentile(rounds.map(of), 0.5);
  return {
    rounds: ROUNDS,
    groups: rounds[0]?.groups ?? 0,
    read_ms: rounded(median(({ read }) => read)),
    retire_ms: rounded(median(({ retire }) => retire)),
    seconds: rounded(median(({ read, retire }) => read + retire) / 1_000, 3),
  };
}

const GROUPED = `
SELECT c.scope_type, c.scope_id, c.subject, COALESCE(c.service, c.topic, c.task_type) AS topic, count(*),
       array_agg(c.id), array_agg(c.version), array_agg(c.summary), array_agg(c.sign), array_agg(c.valid_from),
       array_agg(e.embedding::text),
       array_agg((SELECT string_agg(s.who, ',' ORDER BY s.who)
                    FROM (SELECT g.agent_id AS who FROM card_grants g
                           WHERE g.workspace_id = c.workspace_id AND g.card_id = c.id
                          UNION ALL
                          SELECT g.group_id FROM card_group_grants g
                           WHERE g.workspace_id = c.workspace_id AND g.card_id = c.id) s))
  FROM cards c
  LEFT JOIN card_embeddings e ON e.workspace_id = c.workspace_id AND e.card_id = c.id AND e.field = 'summary'
                             AND e.model = c.embedder
 WHERE c.workspace_id = 'default' AND c.id = ANY ($1)
 GROUP BY 1, 2, 3, 4`;
