import { Client } from 'pg';

/**
 * What has to be empty when all is done, each as one statement that lists what breaks the rule. They
 * read past `visible_cards` and row-level security on purpose: what nobody sees counts too.
 */
const RULES: Readonly<Record<string, string>> = {
  'a capture is pending': `
    SELECT event_id || ' ' || workflow_id AS found FROM captures WHERE disposition = 'pending'`,
  'a capture has failed': `
    SELECT event_id || ' ' || coalesce(reason, '') AS found FROM captures WHERE disposition = 'failed'`,
  'the outbox holds a start': `
    SELECT workflow_id || ' ' || attempts AS found FROM outbox`,
  'a draft was left behind': 'SELECT event_id AS found FROM capture_drafts',
  'a run is not completed': `
    SELECT id || ' ' || state AS found FROM runs WHERE type = 'capture' AND state <> 'completed'`,
  'an event has no capture': `
    SELECT e.event_id AS found FROM events e
      LEFT JOIN captures c USING (workspace_id, event_id) WHERE c.event_id IS NULL`,
  'a carded event has another number of cards than one': `
    SELECT c.event_id || ' ' || count(k.id) AS found
      FROM captures c LEFT JOIN cards k ON k.workspace_id = c.workspace_id AND k.event_id = c.event_id
     WHERE c.disposition = 'carded'
     GROUP BY c.workspace_id, c.event_id, c.card_id
    HAVING count(k.id) <> 1 OR min(k.id) <> c.card_id`,
  'an event without a card has one': `
    SELECT c.event_id AS found
      FROM captures c JOIN cards k ON k.workspace_id = c.workspace_id AND k.event_id = c.event_id
     WHERE c.disposition <> 'carded'`,
  'a content has another number of cards than one': `
    SELECT min(event_id) || ' ' || count(*) FILTER (WHERE disposition = 'carded') AS found
      FROM captures GROUP BY workspace_id, dedupe_hash
    HAVING count(*) FILTER (WHERE disposition = 'carded') <> 1`,
  'an edge has an end that is not there': `
    SELECT e.id AS found FROM edges e
      LEFT JOIN cards f ON f.workspace_id = e.workspace_id AND f.id = e.from_card
      LEFT JOIN cards t ON t.workspace_id = e.workspace_id AND t.id = e.to_card
     WHERE f.id IS NULL OR t.id IS NULL`,
  'a card has another number of card.created than one': `
    SELECT k.id || ' ' || count(a.seq) AS found
      FROM cards k LEFT JOIN audit_log a ON a.workspace_id = k.workspace_id AND a.target_id = k.id
                                        AND a.target_type = 'card' AND a.action = 'card.created'
     GROUP BY k.workspace_id, k.id HAVING count(a.seq) <> 1`,
  'an audit row names a card that is not there': `
    SELECT a.target_id AS found FROM audit_log a
      LEFT JOIN cards k ON k.workspace_id = a.workspace_id AND k.id = a.target_id
     WHERE a.target_type = 'card' AND a.action = 'card.created' AND k.id IS NULL`,
  'a delegation was observed another number of times than once': `
    SELECT c.event_id || ' ' || count(o.event_id) AS found
      FROM captures c JOIN events e USING (workspace_id, event_id)
      LEFT JOIN competence_observations o USING (workspace_id, event_id)
     WHERE e.kind = 'delegation' AND c.disposition = 'carded'
     GROUP BY c.event_id HAVING count(o.event_id) <> 1`,
  'a track record differs from what was observed': `
    SELECT agent_id || ' ' || task_type || ' ' || coalesce(r.attempts, 0) || ' ' || o.n AS found
      FROM (SELECT workspace_id, agent_id, task_type, count(*) AS n FROM competence_observations
             GROUP BY workspace_id, agent_id, task_type) o
      FULL JOIN competence r USING (workspace_id, agent_id, task_type)
     WHERE r.attempts IS DISTINCT FROM o.n`,
  'a failure of a step is no strike': `
    SELECT c.event_id AS found
      FROM captures c JOIN events e USING (workspace_id, event_id)
      LEFT JOIN strikes s USING (workspace_id, event_id)
     WHERE c.disposition = 'carded' AND e.outcome = 'failed' AND s.event_id IS NULL
       AND (e.payload ? 'workflow_step' OR (e.payload ? 'service' AND e.payload ? 'operation'))`,
};

const WAITING = `
  SELECT (SELECT count(*) FROM captures WHERE disposition = 'pending')
       + (SELECT count(*) FROM outbox) AS waiting`;

export interface Settled {
  event_id: string;
  workflow_id: string;
  disposition: string;
  card_id: string | null;
}

/** Reads the tables as their owner, over one connection that is opened for each call. */
export class Ledger {
  constructor(private readonly url: string) {}

  /** Captures without an end and starts that were not sent. */
  async waiting(): Promise<number> {
    const [row] = await this.rows<{ waiting: string }>(WAITING);
    return Number(row?.waiting ?? 0);
  }

  /** Cards that wait for their vector: allowed, and told. */
  async withoutVector(): Promise<number> {
    const rows = await this.rows('SELECT 1 FROM captures WHERE needs_embed');
    return rows.length;
  }

  /** Each rule that is broken, with some of what breaks it. */
  async broken(): Promise<string[]> {
    const lines: string[] = [];
    for (const [rule, statement] of Object.entries(RULES)) {
      const rows = await this.rows<{ found: string }>(statement);
      const some = rows.slice(0, 5).map((row) => row.found);
      if (rows.length > 0) lines.push(`${rule}: ${rows.length} (${some.join(', ')})`);
    }
    return lines;
  }

  async settled(): Promise<Map<string, Settled>> {
    const rows = await this.rows<Settled>(
      'SELECT event_id, workflow_id, disposition, card_id FROM captures',
    );
    return new Map(rows.map((row) => [row.event_id, row]));
  }

  private async rows<Row>(statement: string): Promise<Row[]> {
    const client = new Client({ connectionString: this.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(statement)).rows as Row[];
    } finally {
      await client.end();
    }
  }
}
