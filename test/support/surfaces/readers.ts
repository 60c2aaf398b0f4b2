import { randomBytes } from 'node:crypto';
import { hashKey } from '../../../src/api/authentication';
import type { Database } from '../../../src/store/database';
import type { Organisation, OrgReader } from '../organisation';
import type { Reader } from './surface';

/** A key for each that can ask, of a workspace that is there. */
export interface Keys {
  runtime: string;
  /** By the agent's id. */
  agents: ReadonlyMap<string, string>;
  people: ReadonlyMap<string, string>;
}

/** Makes the keys beside the API, which would need one to make the first. */
export async function makeKeys(
  database: Database,
  workspace: string,
  org: Pick<Organisation, 'agents' | 'people'>,
  now: Date,
): Promise<Keys> {
  const made: { id: string; hash: string; kind: string; name: string }[] = [];
  const keyOf = (kind: string, name: string): string => {
    const key = randomBytes(24).toString('hex');
    made.push({ id: `${kind} ${name}`, hash: hashKey(key).toString('hex'), kind, name });
    return key;
  };
  const runtime = keyOf('runtime', 'harness');
  const agents = new Map(org.agents.map(({ id }) => [id, keyOf('agent', id)]));
  const people = new Map(org.people.map(({ id }) => [id, keyOf('person', id)]));
  await database.inWorkspace(workspace, (tx) =>
    tx.query(
      `INSERT INTO api_keys (workspace_id, id, key_hash, principal_kind, principal_id, created_at)
       SELECT $1, k.id, decode(k.hash, 'hex'), k.kind, k.name, $2
         FROM jsonb_to_recordset($3::jsonb) k (id text, hash text, kind text, name text)`,
      [workspace, now, JSON.stringify(made)],
    ),
  );
  return { runtime, agents, people };
}

/**
 * How to ask as this one: an agent by a key of its own, or through a runtime, as it must where it acts
 * for somebody; a person by theirs.
 */
export function readerFor(keys: Keys, who: OrgReader, byOwnKey = false): Reader {
  if (who.as === 'person') {
    return { key: keys.people.get(who.person) ?? '', agent: who.agent, person: null };
  }
  if (byOwnKey && who.person === null) {
    return { key: keys.agents.get(who.agent) ?? '', agent: null, person: null };
  }
  return { key: keys.runtime, agent: who.agent, person: who.person };
}

/** Whether it is a person who has, by their role of now, no part in what the organisation decides. */
export function isMember({ people }: Pick<Organisation, 'people'>, who: OrgReader): boolean {
  return (
    who.as === 'person' && people.some((one) => one.id === who.person && one.role === 'member')
  );
}
