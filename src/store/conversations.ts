import type { Conversation, ConversationStatus } from '../contracts/conversation';
import type { Tx } from './database';
import { changedFields, given, type Put } from './directory-change';
import { type Slice, type SliceRequest, sliceById } from './paging';
import type { ReaderArguments } from './visible-cards';

export const CONVERSATION_COLUMNS = `c.id, c.agent_id AS agent, c.subject, c.project, c.status, c.messages, c.tokens,
  c.summarized_through, c.created_at, c.updated_at, c.closed_at, c.archived_at`;

/**
 * Whose conversations a reader sees, by the parameters of `ReaderArguments`: an agent its own, a person all of the
 * workspace, a member those about their own subject.
 */
export const CONVERSATION_SEEN = '($4::boolean OR c.agent_id = $2 OR c.subject = $5)';

/** `$3` and `$6` of a reader play no part here, and have to have a type all the same. */
const SELECT = `SELECT ${CONVERSATION_COLUMNS} FROM conversations c
   WHERE c.workspace_id = $1 AND ${CONVERSATION_SEEN} AND ($3::text IS NULL OR true) AND $6::timestamptz IS NOT NULL`;

/** @returns null for one that is not there and for one of others */
export async function readConversation(
  tx: Tx,
  reader: ReaderArguments,
  id: string,
): Promise<Conversation | null> {
  const [row] = await tx.query<Conversation>(`${SELECT} AND c.id = $7`, [...reader, id]);
  return row ?? null;
}

export interface ConversationFilter {
  status: ConversationStatus | null;
  subject: string | null;
  project: string | null;
}

export async function listConversations(
  tx: Tx,
  reader: ReaderArguments,
  { status, subject, project }: ConversationFilter,
  page: SliceRequest,
): Promise<Slice<Conversation>> {
  const select = `${SELECT}
     AND ($7::text IS NULL OR c.status = $7)
     AND ($8::text IS NULL OR c.subject = $8)
     AND ($9::text IS NULL OR c.project = $9)`;
  return await sliceById<Conversation>(tx, select, [...reader, status, subject, project], page);
}

/**
 * A conversation of this agent, held until the transaction ends, so that what is added to it has no gaps.
 * @returns null where there is none, and for one of others
 */
export async function holdConversation(
  tx: Tx,
  agent: string,
  id: string,
): Promise<Conversation | null> {
  const [row] = await tx.query<Conversation>(
    `SELECT ${CONVERSATION_COLUMNS} FROM conversations c
      WHERE c.workspace_id = $1 AND c.agent_id = $2 AND c.id = $3
        FOR NO KEY UPDATE`,
    [tx.workspace, agent, id],
  );
  return row ?? null;
}

export interface ConversationChange {
  subject?: string | null | undefined;
  project?: string | null | undefined;
}

/**
 * Makes a conversation of the agent, or changes what it is about.
 * @param allow says what may not be changed, by throwing
 * @returns null where the id is that of another agent's
 */
export async function putConversation(
  tx: Tx,
  { agent, id }: { agent: string; id: string },
  change: ConversationChange,
  now: Date,
  allow: (before: Conversation, changed: readonly string[]) => void,
): Promise<Put<Conversation> | null> {
  const [made] = await tx.query<Conversation>(
    `INSERT INTO conversations AS c (workspace_id, id, agent_id, subject, project, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT DO NOTHING
     RETURNING ${CONVERSATION_COLUMNS}`,
    [tx.workspace, id, agent, change.subject ?? null, change.project ?? null, now],
  );
  if (made !== undefined) {
    return { resource: made, created: true, changed: Object.keys(given(change)) };
  }
  const before = await holdConversation(tx, agent, id);
  if (before === null) return null;
  const changed = changedFields(before, change);
  if (changed.length === 0) return { resource: before, created: false, changed };
  allow(before, changed);
  const after = await tx.one<Conversation>(
    `UPDATE conversations c SET subject = $3, project = $4, updated_at = $5
      WHERE c.workspace_id = $1 AND c.id = $2
      RETURNING ${CONVERSATION_COLUMNS}`,
    [
      tx.workspace,
      id,
      change.subject === undefined ? before.subject : change.subject,
      change.project === undefined ? before.project : change.project,
      now,
    ],
  );
  return { resource: after, created: false, changed };
}

/** @returns whether it was open */
export async function closeConversation(tx: Tx, id: string, now: Date): Promise<boolean> {
  const closed = await tx.query(
    `UPDATE conversations SET status = 'closed', closed_at = $3, updated_at = $3
      WHERE workspace_id = $1 AND id = $2 AND status = 'open'
      RETURNING id`,
    [tx.workspace, id, now],
  );
  return closed.length > 0;
}

/** With the project that they belong to; for good. @returns how many */
export async function archiveConversations(tx: Tx, project: string, now: Date): Promise<number> {
  const { archived } = await tx.one<{ archived: number }>(
    `WITH archived AS (
       UPDATE conversations SET status = 'archived', archived_at = $3, updated_at = $3
        WHERE workspace_id = $1 AND project = $2 AND status <> 'archived'
        RETURNING id
     )
     SELECT count(*) AS archived FROM archived`,
    [tx.workspace, project, now],
  );
  return archived;
}

/** Whether any conversation belongs to the project. */
export async function isTalkedAbout(tx: Tx, project: string): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM conversations WHERE workspace_id = $1 AND project = $2) AS found',
    [tx.workspace, project],
  );
  return found;
}
