import type { Pool, PoolClient } from 'pg';

/** A fleet as large as asked for, made of the cards that are there: how they are spread over who sees them. */
export interface Spread {
  /** Cards of one agent. */
  anAgent: number;
  /** Agents of one team. */
  aTeam: number;
  /** Cards of one session. */
  anEpisode: number;
}

export const SPREAD: Spread = { anAgent: 300, aTeam: 10, anEpisode: 20 };
/** Of each thousand cards: so many belong to a team, to the workspace, and to the whole organization. */
const TEAM = 100;
const WORKSPACE = 1;
const ORGANIZATION = 1;
/** Cards that each agent was granted of another's, and all that one agent was. */
const GRANTS = 20;
const HUB_GRANTS = 30_000;
const CHUNK = 50_000;

/** An agent that sees very many cards, and not all. */
export const HUB = 'hub';

/**
 * Fills workspace `default` up to `total` cards: copies of the real ones under other agents, each vector a
 * little off its origin's, with postings, names, edges and grants. Straight into the tables: at a hundred
 * captures a second a million takes three hours.
 */
export async function multiply(pool: Pool, from: number, total: number): Promise<void> {
  await pool.query(`CREATE TABLE IF NOT EXISTS bench_origins AS
    SELECT c.id, row_number() OVER (ORDER BY c.id) - 1 AS place FROM cards c WHERE c.id NOT LIKE 'card_0copy%'`);
  const origins = Number((await pool.query('SELECT count(*) FROM bench_origins')).rows[0].count);
  await pool.query(
    `INSERT INTO teams (workspace_id, id, name, created_at)
     SELECT 'default', 'team-' || n, 'team-' || n, now()
       FROM generate_series(0, $1::int) n ON CONFLICT DO NOTHING`,
    [Math.ceil(total / SPREAD.anAgent / SPREAD.aTeam)],
  );
  await pool.query(
    `INSERT INTO agents (workspace_id, id, team_id, registered_by, created_at)
     SELECT 'default', 'agent-' || n, 'team-' || n / ${SPREAD.aTeam}, 'person', now()
       FROM generate_series(0, $1::int) n
     UNION ALL SELECT 'default', '${HUB}', NULL, 'person', now() ON CONFLICT DO NOTHING`,
    [Math.ceil(total / SPREAD.anAgent)],
  );
  for (let at = from; at < total; at += CHUNK) {
    await copies(pool, at, Math.min(total, at + CHUNK), origins);
  }
  await pool.query(
    `INSERT INTO card_grants (workspace_id, card_id, agent_id, grant_type, purpose, created_at)
     SELECT 'default', 'card_0copy' || lpad(((a.n * ${SPREAD.anAgent} + 7 * ${SPREAD.anAgent} + g.n) % $1)::text, 9, '0'),
            'agent-' || a.n, 'explicit', 'bench', now()
       FROM generate_series(0, $2::int) AS a (n), generate_series(0, ${GRANTS - 1}) AS g (n)
      WHERE (a.n * ${SPREAD.anAgent} + 7 * ${SPREAD.anAgent} + g.n) % $1 >= $3
     UNION ALL
     SELECT 'default', 'card_0copy' || lpad((g.n * ($1 / LEAST($1, ${HUB_GRANTS})))::text, 9, '0'), '${HUB}', 'explicit', 'bench', now()
       FROM generate_series(0, LEAST($1, ${HUB_GRANTS}) - 1) AS g (n)
      WHERE g.n * ($1 / LEAST($1, ${HUB_GRANTS})) >= $3
     ON CONFLICT DO NOTHING`,
    [total, Math.floor(total / SPREAD.anAgent) - 1, origins],
  );
}

/** In one transaction: the workers that run meanwhile would embed a card whose vector is still to come. */
async function copies(pool: Pool, from: number, to: number, origins: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await copied(client, [from, to, origins]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

async function copied(client: PoolClient, values: number[]): Promise<void> {
  await client.query(
    `INSERT INTO cards
     SELECT r.*
       FROM generate_series($1::int, $2::int - 1) AS s (n)
       JOIN bench_origins o ON o.place = s.n % $3::int
       JOIN cards c ON c.workspace_id = 'default' AND c.id = o.id
      CROSS JOIN LATERAL jsonb_populate_record(c, jsonb_build_object(
        'id', 'card_0copy' || lpad(s.n::text, 9, '0'),
        'event_id', NULL, 'key', NULL, 'status', 'active',
        'agent_id', 'agent-' || s.n / ${SPREAD.anAgent},
        'session', 'session-' || s.n / ${SPREAD.anEpisode},
        'scope_type', CASE WHEN s.n % 1000 < ${TEAM} THEN 'team' WHEN s.n % 1000 < ${TEAM + WORKSPACE} THEN 'workspace' ELSE 'agent' END,
        'scope_id', CASE WHEN s.n % 1000 < ${TEAM} THEN 'team-' || s.n / ${SPREAD.anAgent * SPREAD.aTeam}
                         WHEN s.n % 1000 < ${TEAM + WORKSPACE} THEN 'default' ELSE 'agent-' || s.n / ${SPREAD.anAgent} END,
        'visibility', CASE WHEN s.n % 1000 >= ${1000 - ORGANIZATION} THEN 'organization' ELSE 'private' END,
        'valid_from', now() - (s.n % 8640) * interval '5 minutes',
        'recorded_at', now() - interval '1 day')) r`,
    values,
  );
  await client.query(
    `INSERT INTO card_terms (workspace_id, term, card_id, frequency, length)
     SELECT t.workspace_id, t.term, 'card_0copy' || lpad(s.n::text, 9, '0'), t.frequency, t.length
       FROM generate_series($1::int, $2::int - 1) AS s (n)
       JOIN bench_origins o ON o.place = s.n % $3::int
       JOIN card_terms t ON t.workspace_id = 'default' AND t.card_id = o.id`,
    values,
  );
  await client.query(
    `INSERT INTO entities (workspace_id, card_id, name, kind, acts)
     SELECT t.workspace_id, 'card_0copy' || lpad(s.n::text, 9, '0'),
            CASE WHEN t.kind = 'agent' THEN 'agent-' || s.n / ${SPREAD.anAgent} ELSE t.name END, t.kind, t.acts
       FROM generate_series($1::int, $2::int - 1) AS s (n)
       JOIN bench_origins o ON o.place = s.n % $3::int
       JOIN entities t ON t.workspace_id = 'default' AND t.card_id = o.id
     ON CONFLICT DO NOTHING`,
    values,
  );
  await client.query(
    `INSERT INTO card_embeddings (workspace_id, card_id, field, model, dims, embedding, card_version, created_at)
     SELECT e.workspace_id, 'card_0copy' || lpad(s.n::text, 9, '0'), e.field, e.model, e.dims,
            l2_normalize(e.embedding + (SELECT array_agg((random() - 0.5) * 0.04)
                                          FROM generate_series(1, e.dims) WHERE s.n IS NOT NULL)::vector),
            1, now()
       FROM generate_series($1::int, $2::int - 1) AS s (n)
       JOIN bench_origins o ON o.place = s.n % $3::int
       JOIN card_embeddings e ON e.workspace_id = 'default' AND e.card_id = o.id`,
    values,
  );
  await client.query(
    `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
     SELECT e.workspace_id, e.id || '-' || r.n, e.type,
            'card_0copy' || lpad((r.n * $3::int + f.place)::text, 9, '0'),
            'card_0copy' || lpad((r.n * $3::int + t.place)::text, 9, '0'), e.confidence, e.reason, now()
       FROM edges e
       JOIN bench_origins f ON f.id = e.from_card
       JOIN bench_origins t ON t.id = e.to_card
      CROSS JOIN generate_series($1::int / $3::int, ($2::int - 1) / $3::int) AS r (n)
      WHERE r.n * $3::int + LEAST(f.place, t.place) >= GREATEST($1::int, $3::int)
        AND r.n * $3::int + GREATEST(f.place, t.place) < $2::int
     ON CONFLICT DO NOTHING`,
    values,
  );
}
