import type { Database } from '../../../src/store/database';
import { LIVE, type Organisation } from '../organisation';
import { encoded, get, good, type Shown, type Surface } from './surface';

/** Whom the cards of the house are about, those with a subject. */
const SUBJECTS = ['ann', 'ben', 'cat', 'quay'];

const idOf = (agent: string, subject: string) => `${agent}:${subject}`;

/** A conversation of each agent about each subject: the facts in it are what this reader may know. */
export async function plantConversations(
  database: Database,
  workspace: string,
  { agents }: Pick<Organisation, 'agents'>,
  now: Date,
): Promise<void> {
  const planted = agents.flatMap(({ id: agent }) =>
    SUBJECTS.map((subject) => ({ id: idOf(agent, subject), agent, subject })),
  );
  await database.inWorkspace(workspace, (tx) =>
    tx.query(
      `INSERT INTO conversations (workspace_id, id, agent_id, subject, created_at, updated_at)
       SELECT $1, p.id, p.agent, p.subject, $3, $3
         FROM jsonb_to_recordset($2::jsonb) AS p (id text, agent text, subject text)`,
      [workspace, JSON.stringify(planted), now],
    ),
  );
}

/** What stands in the contexts of conversations that the reader has or sees: of each subject one. */
const context: Surface = {
  name: 'the context of a conversation',
  routes: ['GET /v1/conversations/:id/context'],
  shows: ({ status, subject }) => LIVE.includes(status) && SUBJECTS.includes(subject ?? ''),
  about: { subject: 'quay' },
  read: async (door, reader): Promise<Shown> => {
    const { body: all } = await good(get(door, reader, '/v1/conversations?limit=500'));
    const bySubject = new Map<string, string>(
      all.items.map(({ id, subject }: { id: string; subject: string }) => [subject, id]),
    );
    const found = await Promise.all(
      [...bySubject.values()].map((id) =>
        good(get(door, reader, `/v1/conversations/${encoded(id)}/context?budget_tokens=100000`)),
      ),
    );
    const facts = found.flatMap(({ body }) =>
      body.facts.map((fact: { id: string; text: string }) => ({ ...fact, body })),
    );
    const untold = facts.find(({ text, body }) => !JSON.stringify(body.messages).includes(text));
    if (untold) throw new Error(`the list of messages does not tell ${untold.id}`);
    return { ids: facts.map(({ id }) => id), text: found.map(({ text }) => text).join('\n') };
  },
  unknown: async (door, reader) => {
    const path = `/v1/conversations/${encoded(idOf('writer', 'quay'))}/context`;
    const queries = ['?colour=red', '?budget_tokens=1', '?budget_tokens=many'];
    const answers = await Promise.all(queries.map((query) => get(door, reader, path + query)));
    return answers.map(({ status }) => status);
  },
};

export const CONVERSING: readonly Surface[] = [context];
