import { Client } from 'pg';
import type { Workspace } from '../workspace';
import { plantContradiction } from './deciding';

/** Cards in all of `plantGraph`, with both sides of the contradiction. */
export const GRAPH_CARDS = 1_950;
const PLANTED = GRAPH_CARDS - 2;

/** The id of a planted card; the first is the oldest, and has the most neighbours. */
export function plantedCard(n: number): string {
  return `card_graph${String(n).padStart(18, '0')}`;
}

/**
 * Cards of every kind, one each twenty minutes up to now, each of seven in eight tied to an older one, by
 * an edge of each type in turn; and a contradiction that nobody has decided. Copies of a card that the API
 * wrote: one by one they would take minutes.
 */
export async function plantGraph(workspace: Workspace): Promise<{ contradiction: string }> {
  const { contradiction, sides } = await plantContradiction(workspace);
  const { databaseUrl: connectionString } = workspace.stack;
  if (connectionString === undefined) throw new Error('name it in CAIRN_CONSOLE_DATABASE_URL');
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(CARDS, [workspace.id, sides[1], PLANTED]);
    await client.query(EDGES, [workspace.id, PLANTED]);
  } finally {
    await client.end();
  }
  return { contradiction };
}

const ID = `'card_graph' || lpad(n::text, 18, '0')`;
const at = (most: string) => `now() - (${most} - n) * interval '20 minutes'`;

const CARDS = `
INSERT INTO cards
SELECT (jsonb_populate_record(c, jsonb_build_object(
         'id', ${ID}, 'key', NULL, 'kind', k.kind, 'tier', k.tier,
         'sign', (ARRAY['worked', 'failed', 'neutral'])[1 + n % 3],
         'summary', (ARRAY['Crane', 'Ferry', 'Ledger'])[1 + n % 3] || ' note ' || n,
         'agent_id', 'agent-' || n % 9,
         'recorded_at', ${at('$3::int')}, 'valid_from', ${at('$3::int')}))).*
  FROM cards c
 CROSS JOIN generate_series(1, $3::int) n
  JOIN (VALUES (0, 'experience', 'episodic'), (1, 'constraint', 'episodic'), (2, 'delegation', 'episodic'),
               (3, 'knowledge', 'semantic'), (4, 'insight', 'semantic'), (5, 'convention', 'semantic'),
               (6, 'competence', 'semantic'), (7, 'skill_lesson', 'procedural')) k (nth, kind, tier)
    ON k.nth = n % 8
 WHERE c.workspace_id = $1 AND c.id = $2`;

const EDGES = `
INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
SELECT $1, 'edge_graph' || lpad(n::text, 18, '0'),
       (ARRAY['supports', 'constrains', 'satisfies', 'derived_from', 'supersedes'])[1 + n % 5],
       ${ID}, 'card_graph' || lpad((n / 9 + 1)::text, 18, '0'), 0.8, 'planted', ${at('$2::int')}
  FROM generate_series(2, $2::int) n
 WHERE n % 8 <> 0`;
