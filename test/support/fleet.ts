import type { CallOptions, TestApi } from './api';

/** A small fleet with a key each: two teams, a spawn tree across neither, and a runtime. */
export interface Fleet {
  /** Team red. */
  planner: string;
  /** Team red. */
  coder: string;
  /** Team blue. */
  outsider: string;
  /** No team; a child of `planner`. */
  child: string;
  runtime: string;
}

export async function makeFleet(api: TestApi): Promise<Fleet> {
  await api.call('PUT', '/v1/teams/red', { body: { name: 'Red' } });
  await api.call('PUT', '/v1/teams/blue', { body: { name: 'Blue' } });
  const agents = {
    planner: { team: 'red' },
    coder: { team: 'red' },
    outsider: { team: 'blue' },
    child: { parent_agent: 'planner' },
  };
  for (const [id, body] of Object.entries(agents)) {
    const { status, text } = await api.call('PUT', `/v1/agents/${id}`, { body });
    if (status >= 300) throw new Error(`no agent ${id}: ${text}`);
  }
  return {
    planner: await api.keyFor({ kind: 'agent', id: 'planner' }),
    coder: await api.keyFor({ kind: 'agent', id: 'coder' }),
    outsider: await api.keyFor({ kind: 'agent', id: 'outsider' }),
    child: await api.keyFor({ kind: 'agent', id: 'child' }),
    runtime: await api.keyFor({ kind: 'runtime', id: 'harness' }),
  };
}

/** Writes a card by hand and answers with it. */
export async function writeCard(
  api: TestApi,
  body: Record<string, unknown>,
  options: CallOptions = {},
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a card
): Promise<any> {
  const answer = await api.call('POST', '/v1/cards', { ...options, body });
  if (answer.status !== 201) throw new Error(`no card: ${answer.status} ${answer.text}`);
  return answer.body;
}

export interface AccessEntry {
  agent: string | null;
  person: string | null;
  via: string;
  surface: string;
  card_ids: string[];
}

/** The access log as it stands in the database, the oldest first. */
export async function accessLog(api: TestApi): Promise<AccessEntry[]> {
  return await api.database.inWorkspace('default', (tx) =>
    tx.query<AccessEntry>(
      `SELECT agent.name AS agent, person.name AS person, l.via, l.surface, l.card_ids
         FROM access_log l
         LEFT JOIN surrogates agent  ON agent.workspace_id = l.workspace_id AND agent.id = l.agent
         LEFT JOIN surrogates person ON person.workspace_id = l.workspace_id AND person.id = l.person
        ORDER BY l.id`,
    ),
  );
}
